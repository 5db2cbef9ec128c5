//! One pulse as the screen needs it: at most 20 bytes a company, so that a whole
//! battle can be kept and scrubbed both ways.

use crate::core::ids::{CompanyId, PersonId, SideId, UnitId};
use crate::core::measure::PointCm;
use crate::orders::ast::Instructions;
use crate::scenario::battle::Scenario;
use crate::scenario::catalogue::Shape;
use crate::scenario::site::Level;
use crate::sim::board::{Fire, Leaf, Mind, Task};
use crate::sim::truth::Truth;

use super::works::{self, EngineMark, LadderMark};

/// A company at one pulse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Middle of its front, map centimetres.
    pub at: PointCm,
    /// Which one.
    pub company: CompanyId,
    /// Men alive.
    pub men: u16,
    /// Heading in 256ths of a full turn, anticlockwise from east.
    pub heading: u8,
    /// Shape.
    pub shape: Shape,
    /// State of mind.
    pub mind: Mind,
    /// Heart, 0 to 255.
    pub heart: u8,
    /// One bit a side that sees it (bit = side id; its own side always).
    pub seen: u8,
    /// [`Mark::MOUNTED`] and its neighbours.
    flags: u8,
}

impl Mark {
    const MOUNTED: u8 = 1;
    const RAMPART: u8 = 2;
    const CONTACT: u8 = 4;
    const MOVING: u8 = 8;

    /// Whether it rides.
    #[must_use]
    pub const fn mounted(&self) -> bool {
        self.flags & Self::MOUNTED != 0
    }

    /// Its level.
    #[must_use]
    pub const fn level(&self) -> Level {
        if self.flags & Self::RAMPART != 0 { Level::Rampart } else { Level::Ground }
    }

    /// Whether it touches an enemy.
    #[must_use]
    pub const fn fights(&self) -> bool {
        self.flags & Self::CONTACT != 0
    }

    /// Whether it moves.
    #[must_use]
    pub const fn moves(&self) -> bool {
        self.flags & Self::MOVING != 0
    }
}

/// What a unit is about, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Doing {
    /// Stands.
    #[default]
    Stand,
    /// Goes somewhere.
    Go,
    /// Holds a place.
    Hold,
    /// Attacks.
    Charge,
    /// Hunts.
    Chase,
    /// Screens.
    Screen,
    /// Follows.
    Follow,
    /// Falls back.
    Back,
}

/// How a unit shoots, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Shooting {
    /// Holds its fire.
    #[default]
    Held,
    /// At will.
    Will,
    /// At an order.
    Ordered,
}

/// A unit at one pulse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct UnitMark {
    /// Men alive.
    pub men: i32,
    /// Men lost since muster.
    pub lost: i32,
    /// Middle of its men.
    pub at: PointCm,
    /// Heart in percent.
    pub heart: u8,
    /// Stamina in percent.
    pub stamina: u8,
    /// Missiles left in percent; none where it carries none.
    pub ammo: Option<u8>,
    /// What it does.
    pub doing: Doing,
    /// Its standing instructions in force.
    pub standing: Instructions,
    /// How it shoots.
    pub fire: Shooting,
    /// Its companies in the field, and how many of these are broken.
    pub companies: u16,
    /// Broken ones.
    pub broken: u16,
    /// Companies in contact.
    pub fighting: u16,
    /// Sides that see any of it, as in [`Mark::seen`].
    pub seen: u8,
    /// Engines that work, and of these loaded.
    pub engines: u16,
    /// Loaded ones.
    pub loaded: u16,
    /// Whether it stands on the rampart.
    pub rampart: bool,
}

/// A portal at one pulse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct GateMark {
    /// How far open, 0 to 1000.
    pub gap: u16,
    /// What the leaves do.
    pub leaf: Leaf,
    /// Whether it is barred.
    pub barred: bool,
    /// Men that passed in this pulse.
    pub flow: i32,
    /// Men inside since muster, all units.
    pub crossed_in: i32,
}

/// A side at one pulse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SideMark {
    /// Men alive.
    pub men: i32,
    /// Lost since muster.
    pub lost: i32,
}

/// A whole pulse.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Pulses since muster.
    pub pulse: u32,
    /// Companies in the field, ascending.
    pub marks: Box<[Mark]>,
    /// Units, by id.
    pub units: Box<[UnitMark]>,
    /// Portals, by id.
    pub gates: Box<[GateMark]>,
    /// Sides, by id.
    pub sides: Box<[SideMark]>,
    /// Where each person is, if he lives and is in the field.
    pub persons: Box<[Option<CompanyId>]>,
    /// Engines, ascending by the company that serves them.
    pub engines: Box<[EngineMark]>,
    /// Stretches of wall where ladders stand or lie, ascending.
    pub ladders: Box<[LadderMark]>,
}

impl Frame {
    /// The mark of a company, if it is in the field.
    #[must_use]
    pub fn mark(&self, company: CompanyId) -> Option<&Mark> {
        let found = self.marks.binary_search_by_key(&company, |m| m.company).ok()?;
        self.marks.get(found)
    }

    /// The company that a person is with.
    #[must_use]
    pub fn with(&self, person: PersonId) -> Option<CompanyId> {
        self.persons.get(person.index()).copied().flatten()
    }
}

/// Who sees which company, asked for each side: `sees(side, company)`.
pub trait Sight {
    /// Whether a side sees a company now.
    fn sees(&self, side: SideId, company: CompanyId) -> bool;
}

/// The direction of a vector in 256ths of a turn.
#[must_use]
#[allow(clippy::disallowed_methods, reason = "for drawing; no rule reads it")]
pub fn turn_of(dir: PointCm) -> u8 {
    if dir == PointCm::default() {
        return 0;
    }
    let angle = f64::from(dir.y).atan2(f64::from(dir.x)) / std::f64::consts::TAU;
    (angle.rem_euclid(1.0) * 256.0).round() as i32 as u8
}

fn doing(task: &Task) -> Doing {
    match task {
        Task::Stand => Doing::Stand,
        Task::Go(..) => Doing::Go,
        Task::Hold(_) => Doing::Hold,
        Task::Charge(_) => Doing::Charge,
        Task::Chase(..) => Doing::Chase,
        Task::Screen(_) => Doing::Screen,
        Task::Follow(..) => Doing::Follow,
        Task::Back(..) => Doing::Back,
    }
}

fn percent(part: i64, whole: i64) -> u8 {
    if whole <= 0 { 0 } else { (part * 100 / whole).clamp(0, 100) as u8 }
}

/// Takes the truth of a pulse into a frame. `sight` marks who is seen by whom.
#[must_use]
pub fn capture(truth: &Truth<'_>, scenario: &Scenario, sight: &impl Sight) -> Frame {
    let (roster, places, strength, spirits) =
        (truth.roster, truth.places, truth.strength, truth.spirits);
    let mut units = vec![UnitMark::default(); scenario.units.len()];
    let mut sums = vec![[0_i64; 6]; scenario.units.len()];
    let mut sides = vec![SideMark::default(); scenario.sides.len()];
    let mut marks = Vec::new();
    for index in 0..roster.len() {
        let unit = roster.unit[index];
        let side = roster.side[index];
        let out = &mut units[unit.index()];
        out.lost += strength.lost[index] + strength.captive[index];
        sides[side.index()].lost += strength.lost[index] + strength.captive[index];
        let men = strength.men[index];
        if !roster.mustered[index] || men <= 0 || spirits.mind[index] == Mind::Gone {
            continue;
        }
        let company = CompanyId::from_index(index);
        let node = &scenario.site.nodes[places.node[index].index()];
        let mut flags = 0;
        flags |= if roster.mounted[index] { Mark::MOUNTED } else { 0 };
        flags |= if node.level == Level::Rampart { Mark::RAMPART } else { 0 };
        flags |= if truth.contacts.foe[index].is_some() { Mark::CONTACT } else { 0 };
        flags |= if places.speed_cm_s[index] > 30 { Mark::MOVING } else { 0 };
        let mut seen = 0_u8;
        for other in 0..scenario.sides.len().min(8) {
            let watcher = SideId::from_index(other);
            if watcher == side || sight.sees(watcher, company) {
                seen |= 1 << other;
            }
        }
        marks.push(Mark {
            at: places.at[index],
            company,
            men: men.clamp(0, i32::from(u16::MAX)) as u16,
            heading: turn_of(places.heading[index]),
            shape: truth.forms.shape[index],
            mind: spirits.mind[index],
            heart: (spirits.heart[index].clamp(0, 1000) * 255 / 1000) as u8,
            seen,
            flags,
        });
        out.men += men;
        out.companies += 1;
        out.seen |= seen;
        out.broken += u16::from(spirits.mind[index] == Mind::Broken);
        out.fighting += u16::from(flags & Mark::CONTACT != 0);
        out.rampart |= node.level == Level::Rampart;
        sides[side.index()].men += men;
        let sum = &mut sums[unit.index()];
        let weight = i64::from(men);
        sum[0] += weight * i64::from(places.at[index].x);
        sum[1] += weight * i64::from(places.at[index].y);
        sum[2] += weight * i64::from(spirits.heart[index]);
        sum[3] += weight * i64::from(spirits.stamina[index]);
        sum[4] += i64::from(truth.stores.missiles[index]);
        sum[5] += i64::from(truth.stores.full[index]);
    }
    let now = truth.clock.pulse;
    let mut stocks = vec![(0_i64, 0_i64); scenario.units.len()];
    for index in 0..truth.engines.kind.len() {
        let unit = roster.unit[truth.engines.company[index].index()];
        if truth.engines.works[index] {
            units[unit.index()].engines += 1;
            units[unit.index()].loaded += u16::from(truth.engines.ready_at[index] <= now);
        }
        let carried = scenario.rules.engines[truth.engines.kind[index].index()]
            .weapon
            .and_then(|w| scenario.rules.weapons[w.index()].shot.as_ref())
            .map_or(0.0, |shot| shot.carried.v());
        let stock = &mut stocks[unit.index()];
        stock.0 += i64::from(truth.engines.store[index]);
        stock.1 += carried as i64;
    }
    for (index, out) in units.iter_mut().enumerate() {
        let sum = sums[index];
        let men = i64::from(out.men);
        if men > 0 {
            out.at = PointCm { x: (sum[0] / men) as i32, y: (sum[1] / men) as i32 };
            out.heart = percent(sum[2], men * 1000);
            out.stamina = percent(sum[3], men * 1000);
        }
        let (left, full) = (sum[4] + stocks[index].0, sum[5] + stocks[index].1);
        out.ammo = (full > 0).then(|| percent(left, full));
        let unit = UnitId::from_index(index);
        out.standing = truth.tasks.standing.get(unit.index()).copied().unwrap_or_default();
        out.doing = truth.tasks.task.get(unit.index()).map_or(Doing::Stand, doing);
        out.fire = match truth.tasks.fire.get(unit.index()) {
            None | Some(Fire::Hold) => Shooting::Held,
            Some(Fire::Will) => Shooting::Will,
            Some(Fire::At(..) | Fire::Volley(_)) => Shooting::Ordered,
        };
    }
    let gates = (0..scenario.site.passages)
        .map(|p| GateMark {
            gap: truth.gates.gap.get(p).copied().unwrap_or(1000).clamp(0, 1000) as u16,
            leaf: truth.gates.leaf.get(p).copied().unwrap_or_default(),
            barred: truth.gates.barred.get(p).copied().unwrap_or_default(),
            flow: places.flow.get(p).copied().unwrap_or_default(),
            crossed_in: places.crossed_in.get(p).map_or(0, |units| units.iter().sum()),
        })
        .collect();
    let persons = (0..scenario.persons.len())
        .map(|p| {
            let up = truth.persons.alive[p] && !truth.persons.captive[p];
            up.then_some(truth.persons.company[p])
        })
        .collect();
    Frame {
        pulse: now,
        marks: marks.into(),
        units: units.into(),
        gates,
        sides: sides.into(),
        persons,
        engines: works::engines(truth, scenario),
        ladders: works::ladders(truth, scenario),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_company_is_twenty_bytes_or_fewer() {
        assert!(size_of::<Mark>() <= 20, "{} bytes", size_of::<Mark>());
    }

    #[test]
    fn headings_go_round_from_east() {
        assert_eq!(turn_of(PointCm { x: 1000, y: 0 }), 0);
        assert_eq!(turn_of(PointCm { x: 0, y: 1000 }), 64);
        assert_eq!(turn_of(PointCm { x: -1000, y: 0 }), 128);
        assert_eq!(turn_of(PointCm { x: 0, y: -1000 }), 192);
    }
}
