//! Where each order stands at a moment: it waits, is being written, is on its way,
//! or has been taken by those it is for.

use crate::core::ids::LineId;
use crate::core::measure::PointCm;
use crate::orders::ast::{Channel, Cond, Line};

/// An order on its way.
#[derive(Clone, Debug, PartialEq)]
pub struct Letter {
    /// Pulse in which it left.
    pub pulse: u32,
    /// Pulse in which it is understood.
    pub arrives: u32,
    /// Which line.
    pub line: LineId,
    /// The line's label.
    pub label: String,
    /// How it travels.
    pub channel: Channel,
    /// From where.
    pub from: PointCm,
    /// To where.
    pub to: PointCm,
}

impl Letter {
    /// Whether it is on its way when so many pulses have been run.
    #[must_use]
    pub const fn travels(&self, pulse: u32) -> bool {
        self.pulse < pulse && self.arrives >= pulse
    }

    /// Seconds until it is understood.
    #[must_use]
    pub const fn left_s(&self, pulse: u32, pulse_s: i32) -> i32 {
        (self.arrives + 1).saturating_sub(pulse) as i32 * pulse_s
    }
}

/// Where an order stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Its condition has not come true.
    Waits,
    /// It goes out: it is being written, or called in this moment.
    Leaves,
    /// It is on its way: how, and seconds until it is understood.
    Travels(Channel, i32),
    /// Those it is for have taken it.
    Taken,
}

/// Where a line stands when so many pulses have been run. `letters` and `taken` are
/// those of all lines, oldest first; `fired` is the pulse in which it fired.
#[must_use]
pub fn standing(
    line: &Line,
    letters: &[Letter],
    taken: &[(u32, LineId)],
    fired: Option<u32>,
    pulse: u32,
    pulse_s: i32,
) -> Standing {
    let last = letters.iter().rev().find(|l| l.line == line.id && l.travels(pulse));
    if let Some(letter) = last {
        return Standing::Travels(letter.channel, letter.left_s(pulse, pulse_s));
    }
    if taken.iter().any(|(at, id)| *id == line.id && *at < pulse) {
        return Standing::Taken;
    }
    if matches!(line.when, Cond::Start) || fired.is_some_and(|at| at < pulse) {
        return Standing::Leaves;
    }
    Standing::Waits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::ids::PostId;

    fn line(when: Cond) -> Line {
        Line {
            id: LineId(7),
            label: "p7".into(),
            who: Vec::new(),
            via: Some(Channel::Courier),
            by: PostId(0),
            when,
            acts: Vec::new(),
            until: None,
            keep: false,
            prio: 9,
        }
    }

    #[test]
    fn an_order_at_once_is_written_travels_and_is_taken() {
        let letter = Letter {
            pulse: 18,
            arrives: 30,
            line: LineId(7),
            label: "p7".into(),
            channel: Channel::Courier,
            from: PointCm::default(),
            to: PointCm::default(),
        };
        let at = |pulse| {
            standing(
                &line(Cond::Start),
                std::slice::from_ref(&letter),
                &[(30, LineId(7))],
                Some(10),
                pulse,
                3,
            )
        };
        assert_eq!(at(10), Standing::Leaves);
        assert_eq!(at(18), Standing::Leaves);
        assert_eq!(at(19), Standing::Travels(Channel::Courier, 36));
        assert_eq!(at(30), Standing::Travels(Channel::Courier, 3));
        assert_eq!(at(31), Standing::Taken);
    }

    #[test]
    fn one_with_a_condition_waits_until_it_fires() {
        let at = |pulse| standing(&line(Cond::At(60)), &[], &[], Some(20), pulse, 3);
        assert_eq!(at(20), Standing::Waits);
        assert_eq!(at(21), Standing::Leaves);
        // Another line's letter is nothing to it.
        let other = standing(&line(Cond::At(60)), &[], &[(3, LineId(8))], None, 9, 3);
        assert_eq!(other, Standing::Waits);
    }
}
