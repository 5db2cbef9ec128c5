//! The measure language at work: what a battle's statements read, pulse by pulse,
//! from the truth.
//!
//! A [`Probe`] looks once before the first pulse and once after every pulse. Its
//! moments stand in a list, each after those that it refers to and each only once,
//! so one pass settles a pulse; a moment that has come is not looked at again, and
//! a number is read in the pulse of its moment. What never comes is
//! [`Value::Never`].

use std::collections::VecDeque;

use crate::core::ids::{CompanyId, SideId, UnitId};
use crate::orders::ast::{Cond, Place, Rel, Sel};
use crate::scenario::record::{Count, Gauge, Moment, Quantity};
use crate::sim::board::{Cause, Mind};
use crate::sim::judge::{self, Memory};
use crate::sim::truth::Truth;

use super::read;
use super::report::Value;

/// Index of a moment in the probe's list.
type At = usize;

/// Measures one battle.
#[derive(Debug, Default)]
pub struct Probe {
    moments: Vec<(Moment, Watch)>,
    gauges: Vec<Option<Node>>,
    /// Whose enemies and friends each gauge means, if it says such words.
    asks: Vec<Option<SideId>>,
    looks: u32,
    pulse_s: i32,
}

/// A moment as it is watched.
#[derive(Debug)]
struct Watch {
    rule: Rule,
    /// The look at which it came; look 0 is before the first pulse.
    came: Option<u32>,
}

#[derive(Debug)]
enum Rule {
    Muster,
    End,
    First { after: Option<At>, when: Cond, memory: Memory },
    Later { seconds: i32, after: At },
    Sooner(At, At),
    Hit { after: At, who: Sel },
    Breaks { after: At, who: Sel, chosen: Option<Vec<CompanyId>> },
}

/// A gauge as it is read.
#[derive(Debug)]
enum Node {
    Read {
        at: At,
        what: Quantity,
        value: Value,
    },
    Of(Box<Node>, Box<Node>, fn(f64, f64) -> Option<f64>),
    Apart(At, At),
    Seconds {
        from: At,
        to: At,
        holds: Cond,
        memory: Memory,
        looks: i32,
    },
    Holds {
        at: At,
        when: Cond,
        memory: Memory,
        value: Value,
    },
    Before(At, At),
    Sequence(Vec<At>),
    All(Vec<Node>),
    Is(Box<Node>, Rel, f64),
    Swept {
        chosen: At,
        among: Sel,
        judged: At,
        beyond: (i32, Place),
        companies: Vec<CompanyId>,
        value: Value,
    },
    Times(Box<Node>, f64),
    Largest(Vec<Node>),
    Mean {
        from: At,
        to: At,
        of: (Quantity, Quantity),
        sum: f64,
        looks: i32,
    },
    Heaviest {
        of: Sel,
        by: Vec<UnitId>,
        others: bool,
        causes: Vec<Cause>,
        looks: usize,
        from: At,
        to: At,
        /// Losses by cause of the last looks, oldest first, and the most so far.
        window: VecDeque<[i64; Cause::ALL.len()]>,
        most: i64,
    },
    Chosen {
        chosen: At,
        among: Sel,
        at: At,
        what: Count,
        companies: Option<Vec<CompanyId>>,
        value: Value,
    },
}

impl Probe {
    /// A probe for these gauges, each with the side that asks, if any; no gauge
    /// for a statement that is not measured.
    #[must_use]
    pub fn new<'a>(
        gauges: impl IntoIterator<Item = (Option<&'a Gauge>, Option<SideId>)>,
        pulse_s: i32,
    ) -> Self {
        let mut probe = Self { pulse_s, ..Self::default() };
        for (gauge, asks) in gauges {
            let node = gauge.map(|g| probe.node(g));
            probe.gauges.push(node);
            probe.asks.push(asks);
        }
        probe
    }

    /// Looks at the truth: once before the first pulse and after every pulse.
    pub fn look(&mut self, truth: &Truth<'_>) {
        let now = self.looks;
        self.settle(truth, now, false);
        self.read(truth, now, false);
        self.looks += 1;
    }

    /// The battle is over: values in the order of the gauges. `truth` is the last
    /// one that [`Self::look`] saw.
    #[must_use]
    pub fn finish(mut self, truth: &Truth<'_>) -> Vec<Value> {
        let last = self.looks.saturating_sub(1);
        self.settle(truth, last, true);
        let seconds = self.pulse_s;
        self.read(truth, last, true);
        let came = |at: At| self.moments[at].1.came;
        self.gauges
            .iter()
            .map(|g| g.as_ref().map_or(Value::Never, |g| g.value(&came, seconds)))
            .collect()
    }

    fn read(&mut self, truth: &Truth<'_>, now: u32, over: bool) {
        for (gauge, asks) in self.gauges.iter_mut().zip(&self.asks) {
            if let Some(gauge) = gauge {
                gauge.look(
                    &asks.map_or(*truth, |side| truth.asked_by(side)),
                    &self.moments,
                    now,
                    over,
                );
            }
        }
    }

    fn settle(&mut self, truth: &Truth<'_>, now: u32, over: bool) {
        for i in 0..self.moments.len() {
            let (before, rest) = self.moments.split_at_mut(i);
            let Some((_, watch)) = rest.first_mut() else { continue };
            if watch.came.is_none() {
                let came = |at: At| before.get(at).and_then(|(_, w)| w.came);
                watch.came = watch.rule.comes(truth, &came, now, over, self.pulse_s);
            }
        }
    }

    /// The index of a moment, added with all that it refers to if it is new.
    fn moment(&mut self, moment: &Moment) -> At {
        if let Some(at) = self.moments.iter().position(|(m, _)| m == moment) {
            return at;
        }
        let rule = match moment {
            Moment::Muster => Rule::Muster,
            Moment::End => Rule::End,
            Moment::First(when) => {
                Rule::First { after: None, when: when.clone(), memory: Memory::default() }
            }
            Moment::FirstAfter(m, when) => Rule::First {
                after: Some(self.moment(m)),
                when: when.clone(),
                memory: Memory::default(),
            },
            Moment::Later(seconds, m) => Rule::Later { seconds: *seconds, after: self.moment(m) },
            Moment::Sooner(a, b) => Rule::Sooner(self.moment(a), self.moment(b)),
            Moment::HitAfter(m, who) => Rule::Hit { after: self.moment(m), who: who.clone() },
            Moment::BreaksAfter(m, who) => {
                Rule::Breaks { after: self.moment(m), who: who.clone(), chosen: None }
            }
        };
        self.moments.push((moment.clone(), Watch { rule, came: None }));
        self.moments.len() - 1
    }

    fn node(&mut self, gauge: &Gauge) -> Node {
        let mut pair = |a: &Gauge, b: &Gauge, how| {
            Node::Of(Box::new(self.node(a)), Box::new(self.node(b)), how)
        };
        match gauge {
            Gauge::Percent(a, b) => pair(a, b, |a, b| (b != 0.0).then(|| 100.0 * a / b)),
            Gauge::Ratio(a, b) => pair(a, b, |a, b| (b != 0.0).then(|| a / b)),
            Gauge::Minus(a, b) => pair(a, b, |a, b| Some(a - b)),
            Gauge::At(m, what) => {
                Node::Read { at: self.moment(m), what: what.clone(), value: Value::Never }
            }
            Gauge::Apart(a, b) => Node::Apart(self.moment(a), self.moment(b)),
            Gauge::Seconds { from, to, holds } => Node::Seconds {
                from: self.moment(from),
                to: self.moment(to),
                holds: holds.clone(),
                memory: Memory::default(),
                looks: 0,
            },
            Gauge::Holds(m, when) => Node::Holds {
                at: self.moment(m),
                when: when.clone(),
                memory: Memory::default(),
                value: Value::Never,
            },
            Gauge::Before(a, b) => Node::Before(self.moment(a), self.moment(b)),
            Gauge::Sequence(all) => Node::Sequence(all.iter().map(|m| self.moment(m)).collect()),
            Gauge::All(all) => Node::All(all.iter().map(|g| self.node(g)).collect()),
            Gauge::Is(number, rel, value) => Node::Is(Box::new(self.node(number)), *rel, *value),
            Gauge::Swept { chosen, among, judged, beyond } => Node::Swept {
                chosen: self.moment(chosen),
                among: among.clone(),
                judged: self.moment(judged),
                beyond: *beyond,
                companies: Vec::new(),
                value: Value::Never,
            },
            Gauge::Times(number, by) => Node::Times(Box::new(self.node(number)), *by),
            Gauge::Largest(all) => Node::Largest(all.iter().map(|g| self.node(g)).collect()),
            Gauge::Mean { from, to, of } => Node::Mean {
                from: self.moment(from),
                to: self.moment(to),
                of: of.clone(),
                sum: 0.0,
                looks: 0,
            },
            Gauge::Heaviest { of, by, others, causes, within_s, from, to } => Node::Heaviest {
                of: of.clone(),
                by: by.clone(),
                others: *others,
                causes: causes.clone(),
                looks: (*within_s / self.pulse_s.max(1)).max(1) as usize,
                from: self.moment(from),
                to: self.moment(to),
                window: VecDeque::new(),
                most: 0,
            },
            Gauge::Chosen { chosen, among, at, what } => Node::Chosen {
                chosen: self.moment(chosen),
                among: among.clone(),
                at: self.moment(at),
                what: *what,
                companies: None,
                value: Value::Never,
            },
        }
    }
}

impl Rule {
    /// The look at which the moment comes, if it comes now.
    fn comes(
        &mut self,
        truth: &Truth<'_>,
        came: &impl Fn(At) -> Option<u32>,
        now: u32,
        over: bool,
        pulse_s: i32,
    ) -> Option<u32> {
        let here = match self {
            Self::Muster => now == 0,
            Self::End => over,
            // After the last pulse only the end itself, and what hangs on it, is new.
            Self::First { after: None, .. } if over => false,
            Self::First { after, when, memory } => {
                after.is_none_or(|m| came(m).is_some()) && judge::holds(when, truth, memory)
            }
            Self::Later { seconds, after } => {
                came(*after).is_some_and(|from| (now - from) as i32 * pulse_s >= *seconds)
            }
            Self::Sooner(a, b) => came(*a).is_some() || came(*b).is_some(),
            Self::Hit { after, who } => {
                came(*after).is_some()
                    && read::matching(truth, who).any(|c| truth.strength.shot_now[c.index()] > 0)
            }
            Self::Breaks { after, who, chosen } => {
                came(*after).is_some() && {
                    let sound = |c: &CompanyId| !read::beaten(truth.spirits.mind[c.index()]);
                    let chosen = chosen
                        .get_or_insert_with(|| read::matching(truth, who).filter(sound).collect());
                    chosen.iter().any(|c| truth.spirits.mind[c.index()] == Mind::Broken)
                }
            }
        };
        here.then_some(now)
    }
}

impl Node {
    fn look(&mut self, truth: &Truth<'_>, moments: &[(Moment, Watch)], now: u32, over: bool) {
        let came = |at: At| moments[at].1.came;
        match self {
            Self::Read { at, what, value } => {
                if *value == Value::Never && came(*at) == Some(now) {
                    *value = read::quantity(truth, what).map_or(Value::Never, Value::Number);
                }
            }
            Self::Holds { at, when, memory, value } => {
                // A condition that has to hold for a while needs to be seen before.
                if *value == Value::Never && !(over && came(*at) != Some(now)) {
                    let holds = judge::holds(when, truth, memory);
                    if came(*at) == Some(now) {
                        *value = Value::Truth(holds);
                    }
                }
            }
            Self::Seconds { from, to, holds, memory, looks } => {
                // A pulse counts by the truth at its end.
                let begun = came(*from).is_some_and(|from| now > from);
                let open = came(*to).is_none_or(|to| now <= to);
                if !over && begun && open && judge::holds(holds, truth, memory) {
                    *looks += 1;
                }
            }
            Self::Swept { chosen, among, judged, beyond, companies, value } => {
                if came(*chosen) == Some(now) && companies.is_empty() {
                    companies.extend(read::matching(truth, among));
                }
                if *value == Value::Never && came(*judged) == Some(now) && !companies.is_empty() {
                    let swept =
                        companies.iter().filter(|c| read::swept(truth, **c, *beyond)).count();
                    *value = Value::Number(100.0 * swept as f64 / companies.len() as f64);
                }
            }
            Self::Of(a, b, _) => {
                a.look(truth, moments, now, over);
                b.look(truth, moments, now, over);
            }
            Self::Mean { from, to, of, sum, looks } => {
                let begun = came(*from).is_some_and(|from| now > from);
                let open = came(*to).is_none_or(|to| now <= to);
                if !over && begun && open {
                    let read = |what| read::quantity(truth, what);
                    if let (Some(a), Some(b)) = (read(&of.0), read(&of.1)) {
                        *sum += a / if b > 0.0 { b } else { 1.0 };
                        *looks += 1;
                    }
                }
            }
            Self::Heaviest { of, by, others, causes, looks, from, to, window, most } => {
                let begun = came(*from).is_some_and(|from| now > from);
                let open = came(*to).is_none_or(|to| now <= to);
                if !over && begun && open {
                    if window.len() == *looks {
                        window.pop_front();
                    }
                    window.push_back(read::fell_now(truth, of, (by, *others)));
                    let meant = |c: &Cause| causes.is_empty() || causes.contains(c);
                    for cause in Cause::ALL.into_iter().filter(meant).map(|c| c as usize) {
                        *most = (*most).max(window.iter().map(|fell| fell[cause]).sum());
                    }
                }
            }
            Self::Chosen { chosen, among, at, what, companies, value } => {
                if companies.is_none() && came(*chosen) == Some(now) {
                    *companies = Some(read::matching(truth, among).collect());
                }
                if let Some(companies) = companies
                    && *value == Value::Never
                    && came(*at) == Some(now)
                {
                    *value = Value::Number(read::counted(truth, companies, *what));
                }
            }
            Self::Is(number, ..) | Self::Times(number, _) => {
                number.look(truth, moments, now, over);
            }
            Self::All(all) | Self::Largest(all) => {
                all.iter_mut().for_each(|g| g.look(truth, moments, now, over))
            }
            Self::Apart(..) | Self::Before(..) | Self::Sequence(_) => {}
        }
    }

    fn value(&self, came: &impl Fn(At) -> Option<u32>, pulse_s: i32) -> Value {
        match self {
            Self::Read { value, .. }
            | Self::Holds { value, .. }
            | Self::Swept { value, .. }
            | Self::Chosen { value, .. } => *value,
            Self::Times(number, by) => match number.value(came, pulse_s).number() {
                Some(n) => Value::Number(n * by),
                None => Value::Never,
            },
            Self::Largest(all) => {
                let numbers: Option<Vec<f64>> =
                    all.iter().map(|g| g.value(came, pulse_s).number()).collect();
                let most =
                    numbers.and_then(|n| n.into_iter().reduce(|a, b| if b > a { b } else { a }));
                most.map_or(Value::Never, Value::Number)
            }
            Self::Mean { sum, looks, .. } => {
                if *looks > 0 {
                    Value::Number(sum / f64::from(*looks))
                } else {
                    Value::Never
                }
            }
            Self::Heaviest { from, most, .. } => match came(*from) {
                Some(_) => Value::Number(*most as f64),
                None => Value::Never,
            },
            Self::Of(a, b, how) => {
                match (a.value(came, pulse_s).number(), b.value(came, pulse_s).number()) {
                    (Some(a), Some(b)) => how(a, b).map_or(Value::Never, Value::Number),
                    _ => Value::Never,
                }
            }
            Self::Is(number, rel, value) => number
                .value(came, pulse_s)
                .number()
                .map_or(Value::Never, |n| Value::Truth(rel.holds(n, *value))),
            Self::Apart(a, b) => match (came(*a), came(*b)) {
                (Some(a), Some(b)) => Value::Number(f64::from(a.abs_diff(b)) * f64::from(pulse_s)),
                _ => Value::Never,
            },
            Self::Seconds { from, to, looks, .. } => match (came(*from), came(*to)) {
                (Some(_), Some(_)) => Value::Number(f64::from(*looks) * f64::from(pulse_s)),
                _ => Value::Never,
            },
            Self::Before(a, b) => {
                Value::Truth(came(*a).is_some_and(|a| came(*b).is_none_or(|b| b > a)))
            }
            Self::Sequence(all) => {
                let times: Option<Vec<u32>> = all.iter().map(|m| came(*m)).collect();
                Value::Truth(times.is_some_and(|t| t.is_sorted()))
            }
            Self::All(all) => {
                Value::Truth(all.iter().all(|g| g.value(came, pulse_s) == Value::Truth(true)))
            }
        }
    }
}

#[cfg(test)]
mod tests;
