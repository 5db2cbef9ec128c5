//! What happened, sorted for a person: events worth a line, shots in the air and
//! men on the ground, found by pulse.

use crate::core::ids::{AreaId, CompanyId, LineId, PortalId, SideId, WorkId};
use crate::core::measure::PointCm;
use crate::scenario::battle::Scenario;
use crate::sim::board::Cause;
use crate::sim::journal::{Entry, Happening};

use super::frame::Frame;
use super::letters::Letter;
use super::works::heads;

/// A volley in the air.
#[derive(Clone, Copy, Debug)]
pub struct Flight {
    /// Pulse in which it flies.
    pub pulse: u32,
    /// From where.
    pub from: PointCm,
    /// To where.
    pub to: PointCm,
    /// Missiles.
    pub missiles: i32,
    /// Whose.
    pub side: SideId,
    /// What it looks like.
    pub look: Cause,
}

/// Men on the ground.
#[derive(Clone, Copy, Debug)]
pub struct Fallen {
    /// Pulse in which they fell.
    pub pulse: u32,
    /// Where their company was.
    pub at: PointCm,
    /// How many.
    pub men: i32,
    /// Which company, for the scatter and the side.
    pub company: CompanyId,
    /// Whose.
    pub side: SideId,
}

/// An event with a line of its own in the list.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Pulse.
    pub pulse: u32,
    /// What it is.
    pub what: Told,
    /// Whose it is, if anybody's.
    pub side: Option<SideId>,
    /// Where, if anywhere.
    pub at: Option<PointCm>,
}

/// What an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// An entry of the journal, by its index.
    Entry(usize),
    /// Men have come over a parapet where none of theirs were: on a wall, and in a
    /// named area of its walk.
    Heads(WorkId, Option<AreaId>),
    /// Ladders raised at a wall in one pulse, or thrown down from it (`false`).
    Ladders(WorkId, bool, i32),
}

/// The journal, sorted. Grows with it.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    /// All entries read so far.
    pub entries: Vec<Entry>,
    /// Volleys, oldest first.
    pub flights: Vec<Flight>,
    /// Men down, oldest first.
    pub fallen: Vec<Fallen>,
    /// Events for the list, oldest first.
    pub moments: Vec<Moment>,
    /// Orders that set out, oldest first.
    pub letters: Vec<Letter>,
    /// Orders that were taken: in which pulse, and which line.
    pub taken: Vec<(u32, LineId)>,
    gates: Vec<(WorkId, PointCm)>,
}

impl Timeline {
    /// Reads the entries of the journal that are new. `frame` is the pulse just run.
    pub fn read(
        &mut self,
        journal: &[Entry],
        scenario: &Scenario,
        frame: &Frame,
        before: &Frame,
        side_of: &[SideId],
    ) {
        if self.gates.is_empty() {
            self.gates = scenario
                .site
                .gates()
                .map(|(w, _)| (w, scenario.site.works[w.index()].at))
                .collect();
        }
        let place = |c: CompanyId| frame.mark(c).or_else(|| before.mark(c)).map(|m| m.at);
        let side = |c: CompanyId| side_of.get(c.index()).copied();
        for entry in &journal[self.entries.len().min(journal.len())..] {
            let index = self.entries.len();
            self.entries.push(entry.clone());
            let pulse = entry.pulse;
            let moments = &mut self.moments;
            let mut list = |side: Option<SideId>, at: Option<PointCm>| {
                moments.push(Moment { pulse, what: Told::Entry(index), side, at });
            };
            match &entry.what {
                Happening::Shot { from, weapon, missiles, from_at, to_at, .. } => {
                    let kind = scenario.rules.weapons.get(weapon.index());
                    let stone =
                        kind.and_then(|w| w.shot.as_ref()).is_some_and(|s| s.swath_m.v() > 0.0);
                    let engine = scenario.rules.engines.iter().any(|e| e.weapon == Some(*weapon));
                    let look = if stone {
                        Cause::Stone
                    } else if engine {
                        Cause::Bolt
                    } else {
                        Cause::Arrow
                    };
                    if let Some(side) = side(*from) {
                        self.flights.push(Flight {
                            pulse,
                            from: *from_at,
                            to: *to_at,
                            missiles: *missiles,
                            side,
                            look,
                        });
                    }
                }
                Happening::Fell { company, men, .. } => {
                    if let (Some(at), Some(side)) = (place(*company), side(*company)) {
                        self.fallen.push(Fallen { pulse, at, men: *men, company: *company, side });
                    }
                }
                Happening::MessageLeft { line, label, channel, from, to, arrives_pulse } => {
                    self.letters.push(Letter {
                        pulse,
                        arrives: *arrives_pulse,
                        line: *line,
                        label: label.clone(),
                        channel: *channel,
                        from: *from,
                        to: *to,
                    });
                }
                Happening::OrderTaken { line, unit, by, .. } => {
                    self.taken.push((pulse, *line));
                    let side = scenario.posts.get(by.index()).map(|p| p.side);
                    let at = unit
                        .and_then(|u| frame.units.get(u.index()))
                        .filter(|u| u.men > 0)
                        .map(|u| u.at);
                    list(side, at);
                }
                Happening::Broke { company, .. }
                | Happening::Rallied { company }
                | Happening::EngineWrecked { company, .. }
                | Happening::Yielded { company, .. } => {
                    list(side(*company), place(*company));
                }
                Happening::LeafMoves { work, .. }
                | Happening::GateShut { work }
                | Happening::GateOpened { work }
                | Happening::GateJammed { work }
                | Happening::GateBroken { work }
                | Happening::Barred { work, .. }
                | Happening::Jam { work, .. }
                | Happening::PersonCrossed { work, .. } => {
                    let at = scenario.site.works.get(work.index()).map(|w| w.at);
                    list(None, at);
                }
                Happening::LaddersUp { work, company, ladders } => {
                    let (side, at) = (side(*company), place(*company));
                    tally(moments, (pulse, *work, true, *ladders), side, at);
                }
                Happening::LaddersDown { work, ladders, .. } => {
                    let fewer = before.ladders.iter().find(|was| {
                        let now = frame.ladders.iter().find(|l| l.stretch == was.stretch);
                        scenario.site.portals[was.stretch.index()].work == *work
                            && now.map_or(0, |l| l.up) < was.up
                    });
                    let at = fewer.map(|l| scenario.site.portals[l.stretch.index()].inner_at);
                    let at = at.or_else(|| scenario.site.works.get(work.index()).map(|w| w.at));
                    tally(moments, (pulse, *work, false, *ladders), None, at);
                }
                Happening::PersonHurt { person, .. } | Happening::PersonFell { person } => {
                    let of = scenario.persons.get(person.index()).map(|p| p.unit);
                    let at = before.with(*person).and_then(place);
                    list(of.map(|u| scenario.side_of(u)), at);
                }
                Happening::Empty { unit } => {
                    let at = frame.units.get(unit.index()).map(|u| u.at);
                    list(Some(scenario.side_of(*unit)), at);
                }
                Happening::Signal { from, by, .. } => {
                    list(scenario.posts.get(by.index()).map(|p| p.side), Some(*from));
                }
                Happening::Call { side, at, .. } => list(Some(*side), Some(*at)),
                Happening::Taken { owner, area } => {
                    list(*owner, scenario.site.areas.get(area.index()).map(|a| a.at));
                }
                Happening::Ended { winner, .. } => list(*winner, None),
                _ => {}
            }
        }
        self.heads(scenario, frame, before, side_of);
    }

    /// Lists where men of a side have come over a parapet near which none were before.
    fn heads(&mut self, scenario: &Scenario, frame: &Frame, before: &Frame, side_of: &[SideId]) {
        let site = &scenario.site;
        let place = |p: PortalId| {
            let portal = &site.portals[p.index()];
            let node = portal.inner.first().copied();
            let area = node.and_then(|n| {
                (0..site.areas.len()).map(AreaId::from_index).find(|a| site.in_area(*a, n))
            });
            (portal.work, area)
        };
        let now = heads(scenario, frame, side_of);
        if now.is_empty() {
            return;
        }
        let was: Vec<_> =
            heads(scenario, before, side_of).into_iter().map(|(s, p)| (s, place(p))).collect();
        let mut said = Vec::new();
        for (side, stretch) in now {
            let (work, area) = place(stretch);
            if was.contains(&(side, (work, area))) || said.contains(&(side, work, area)) {
                continue;
            }
            said.push((side, work, area));
            self.moments.push(Moment {
                pulse: before.pulse,
                what: Told::Heads(work, area),
                side: Some(side),
                at: Some(site.portals[stretch.index()].inner_at),
            });
        }
    }

    /// Volleys of one pulse.
    #[must_use]
    pub fn flights_in(&self, pulse: u32) -> &[Flight] {
        slice(&self.flights, pulse, pulse + 1, |f| f.pulse)
    }

    /// Men down before a pulse.
    #[must_use]
    pub fn fallen_before(&self, pulse: u32) -> &[Fallen] {
        slice(&self.fallen, 0, pulse, |f| f.pulse)
    }

    /// Events from one pulse up to another.
    #[must_use]
    pub fn moments_in(&self, from: u32, to: u32) -> &[Moment] {
        slice(&self.moments, from, to, |m| m.pulse)
    }

    /// Forgets what happened at or after a pulse.
    pub fn cut(&mut self, pulse: u32) {
        self.entries.retain(|e| e.pulse < pulse);
        self.flights.retain(|e| e.pulse < pulse);
        self.fallen.retain(|e| e.pulse < pulse);
        self.moments.retain(|e| e.pulse < pulse);
        self.letters.retain(|e| e.pulse < pulse);
        self.taken.retain(|(at, _)| *at < pulse);
    }
}

/// Adds ladders to those of the same wall, pulse and way.
fn tally(
    moments: &mut Vec<Moment>,
    (pulse, work, up, ladders): (u32, WorkId, bool, i32),
    side: Option<SideId>,
    at: Option<PointCm>,
) {
    let same =
        moments.iter_mut().rev().take_while(|m| m.pulse == pulse).find_map(|m| match &mut m.what {
            Told::Ladders(w, u, n) if (*w, *u) == (work, up) && m.side == side => Some(n),
            _ => None,
        });
    match same {
        Some(n) => *n += ladders,
        None => {
            moments.push(Moment { pulse, what: Told::Ladders(work, up, ladders), side, at });
        }
    }
}

fn slice<T>(all: &[T], from: u32, to: u32, key: impl Fn(&T) -> u32) -> &[T] {
    let a = all.partition_point(|x| key(x) < from);
    let b = all.partition_point(|x| key(x) < to);
    &all[a.min(b)..b]
}
