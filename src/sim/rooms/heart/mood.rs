//! One company's mood, and the pure rules on it.

use crate::scenario::catalogue::HeartLaw;
use crate::sim::board::Why;

/// Reasons there are.
const REASONS: usize = 10;
/// All reasons, in the order of their numbers.
const ALL: [Why; REASONS] = [
    Why::Losses,
    Why::Stalled,
    Why::Flanked,
    Why::FriendsBroke,
    Why::LeaderFell,
    Why::Spent,
    Why::TaskOver,
    Why::Success,
    Why::Leader,
    Why::Signal,
];
/// Causes that a break is told with.
const TOLD: usize = 3;
/// Breath of a fresh man, in thousandths of stamina.
const FRESH: i32 = 1_000_000;

/// A company's heart and breath in fine units, and why it moved.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mood {
    /// Heart in thousandths of the board's.
    pub heart: i32,
    /// Where it recovers to.
    pub base: i32,
    /// Breath in thousandths of the board's.
    pub breath: i32,
    /// Men lost lately in thousandths, fading over a minute.
    pub recent: i32,
    /// Seconds for which it still feels shot at.
    pub shot_s: i32,
    /// Seconds out of danger.
    pub calm_s: i32,
    /// Whether it is stalled under shot.
    pub stalled: bool,
    why: [i32; REASONS],
}

/// What presses on a company that wavers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pressing {
    /// Heart, 0 to 1000.
    pub heart: f64,
    /// Loss rate as a share of the one that weighs fully.
    pub rate: f64,
    /// Stalled under shot.
    pub stalled: bool,
    /// Sides attacked beyond the first.
    pub flanks: u8,
}

/// The chance a second to break: smooth in heart below the threshold, and in
/// what presses now.
pub(super) fn hazard(p: &Pressing, law: &HeartLaw) -> f64 {
    let wavers = law.wavers.v();
    if p.heart >= wavers || wavers <= 0.0 {
        return 0.0;
    }
    let low = (wavers - p.heart) / wavers;
    let stall = if p.stalled { law.stall_presses.v() } else { 0.0 };
    let presses =
        (law.unpressed.v() + p.rate + stall + law.flank_presses.v() * f64::from(p.flanks))
            .min(law.most_presses.v());
    (law.break_per_s.v() * low * low * presses).min(1.0)
}

/// Breath that something costs in a pulse when it empties a fresh man in so many
/// seconds.
pub(super) fn per_pulse(empties_s: f64, dt: i32) -> i32 {
    (f64::from(FRESH) / empties_s.max(1.0) * f64::from(dt)) as i32
}

impl Mood {
    /// A fresh company.
    pub(super) const fn fresh(heart: i32) -> Self {
        Self {
            heart: heart * 1000,
            base: heart * 1000,
            breath: FRESH,
            recent: 0,
            shot_s: 0,
            calm_s: 0,
            stalled: false,
            why: [0; REASONS],
        }
    }

    /// Takes heart (negative gives it), remembering why.
    pub(super) const fn shock(&mut self, by: i32, why: Why) {
        self.heart = self.heart.saturating_sub(by);
        self.why[why as usize] = self.why[why as usize].saturating_add(by);
    }

    /// Keeps the heart between none and all.
    pub(super) fn clamp(&mut self) {
        self.heart = self.heart.clamp(0, 1_000_000);
    }

    /// Time goes: losses, shot and causes are forgotten.
    pub(super) fn fade(&mut self, dt: i32, rate_s: i32, causes_s: i32) {
        self.recent -= self.recent * dt / rate_s.max(1);
        self.shot_s = (self.shot_s - dt).max(0);
        for why in self.why.iter_mut().filter(|why| **why != 0) {
            *why -= *why / causes_s.max(1) * dt;
        }
    }

    /// Breath of a pulse: what fighting and running cost, what rest brings back.
    pub(super) fn breathe(
        &mut self,
        fights: bool,
        runs: bool,
        rests: Option<i32>,
        tires: i32,
        run: i32,
    ) {
        let mut change = 0;
        if fights {
            change -= tires;
        }
        if runs {
            change -= run;
        }
        change += rests.unwrap_or(0);
        self.breath = (self.breath + change).clamp(0, FRESH);
    }

    /// The three heaviest causes of lost heart, heaviest first, in the board's units.
    pub(super) fn causes(&self) -> Vec<(Why, i32)> {
        let mut all: Vec<(Why, i32)> = ALL
            .into_iter()
            .map(|w| (w, self.why[w as usize] / 1000))
            .filter(|(_, by)| *by > 0)
            .collect();
        all.sort_by_key(|(why, by)| (-by, *why));
        all.truncate(TOLD);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(heart: f64, rate: f64) -> Pressing {
        Pressing { heart, rate, stalled: false, flanks: 0 }
    }

    #[test]
    fn hazard_needs_both_a_low_heart_and_something_that_presses() {
        let law = crate::sim::kit::catalogue().laws.heart;
        let wavers = law.wavers.v();
        assert_eq!(hazard(&pressed(wavers, 1.0), &law), 0.0);
        let slow = hazard(&pressed(wavers / 4.0, 0.05), &law);
        let fast = hazard(&pressed(wavers / 4.0, 1.0), &law);
        assert!(fast > 8.0 * slow, "{slow} {fast}");
        assert!(hazard(&pressed(0.0, 1.0), &law) > fast);
    }

    #[test]
    fn causes_are_the_three_heaviest() {
        let mut mood = Mood::fresh(600);
        mood.shock(5_000, Why::Flanked);
        mood.shock(90_000, Why::Losses);
        mood.shock(40_000, Why::Stalled);
        mood.shock(60_000, Why::FriendsBroke);
        mood.shock(-50_000, Why::Leader);
        let causes: Vec<Why> = mood.causes().into_iter().map(|(w, _)| w).collect();
        assert_eq!(causes, [Why::Losses, Why::FriendsBroke, Why::Stalled]);
    }
}
