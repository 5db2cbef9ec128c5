//! Conduct: where each company wants to go within its unit's task.
//!
//! Decides prey, way, gait and facing of every company, each pulse. Reads
//! `Tasks`, `Spirits`, `Contacts`, `Places`, `Roster`, `Gates`; asks `Fields`.
//! Writes `Intents` and `Havens`. Never moves anybody, never changes a task.
//!
//! A company chooses with its own eyes: the nearest enemy that its task means,
//! farther by so many metres for each company already after it. Broken men run
//! for the first refuge that is open to them. Those who come to an area take a
//! place of their own in it, so that the next ones find room.

mod hunt;
mod storm;

use bevy_ecs::prelude::*;

use crate::core::digest::Digest;
use crate::core::ids::{AreaId, CompanyId, NodeId, UnitId};
use crate::core::measure::{PointCm, metres_to_cm};
use crate::orders::ast::{Gait, Instruction, Place, Sel, Who};
use crate::scenario::site::Level;
use crate::sim::board::{
    Clock, Contacts, Escalade, Gates, Goal, Havens, Intents, Mind, Persons, Places, Roster,
    Setting, Spirits, Strength, Task, Tasks,
};
use crate::sim::field::{Aim, Fields, Step};
use crate::sim::lands::{self, Lands};
use crate::sim::phases::Phase;

use hunt::{Hunt, Hunters};
use storm::Storm;

/// A company within this of its own place in an area has arrived.
const ARRIVED_CM: i32 = 1000;
/// Pulses blocked after which a company in its area is content where it is.
const CONTENT: u16 = 8;

/// What the room keeps for itself.
#[derive(Resource, Clone, Debug, Default)]
pub struct Conduct {
    hunters: Hunters,
    storm: Storm,
    figures: Figures,
    /// Whether a company has come to the end of its way and stands.
    stands: Vec<bool>,
    /// The pulse from which the unit's task holds, as this room last saw it.
    since: Vec<u32>,
    /// Middle of a unit's companies that are still outside a refuge, and how many: of
    /// each that another one screens or follows.
    middle: Vec<(PointCm, i32)>,
    /// Jam area of a full company of each kind, square centimetres.
    area: Vec<i32>,
}

/// Distances and times in whole centimetres and pulses.
#[derive(Clone, Debug, Default)]
struct Figures {
    canter_cm: i32,
    gallop_cm: i32,
    crowding_cm: i32,
    look_again: u32,
    follows: u32,
    screen_cm: i32,
    screen_reach_cm: i32,
    meets_cm: i32,
    heads_cm: i32,
    sight_cm: i32,
    /// Share of a jam that men who keep order fill, in thousandths.
    order_share: i32,
}

/// Everything that a choice reads.
struct Eye<'a> {
    pulse: u32,
    setting: &'a Setting,
    roster: &'a Roster,
    places: &'a Places,
    spirits: &'a Spirits,
    contacts: &'a Contacts,
    strength: &'a Strength,
    escalade: Option<&'a Escalade>,
    gates: &'a Gates,
    persons: &'a Persons,
    lands: &'a Lands,
    tasks: &'a Tasks,
    figures: &'a Figures,
    /// Jam area of a full company of each kind, square centimetres.
    area: &'a [i32],
}

/// What one company wants.
#[derive(Clone, Copy, Debug, Default)]
struct Wish {
    goal: Goal,
    gait: Gait,
    attack: bool,
    face: PointCm,
}

impl Eye<'_> {
    /// The place as a goal of a field, and its point.
    fn aim(&self, place: Place) -> Option<(Aim, PointCm)> {
        let site = &self.setting.site;
        let node = |at: PointCm| site.node_at(at).map(Aim::Node);
        match place {
            Place::Area(area) => Some((Aim::Area(area), site.areas[area.index()].at)),
            Place::Work(work) => {
                let at = lands::work_at(site, work);
                match site.works[work.index()].form {
                    crate::scenario::site::WorkForm::Gate { portal, .. } => {
                        Some((Aim::Side(portal, false), at))
                    }
                    _ => Some((node(at)?, at)),
                }
            }
            Place::Point(at) => Some((node(at)?, at)),
            Place::Unit(unit) => {
                let company =
                    self.roster.of_unit[unit.index()].iter().find(|c| self.active(**c))?;
                let at = self.places.at[company.index()];
                Some((Aim::Node(self.places.node[company.index()]), at))
            }
            Place::Person(person) => {
                let company = self.persons.company[person.index()];
                Some((
                    Aim::Node(self.places.node[company.index()]),
                    self.places.at[company.index()],
                ))
            }
        }
    }

    /// Whether a company is on the field and under arms.
    fn active(&self, company: CompanyId) -> bool {
        let c = company.index();
        self.roster.mustered[c] && !matches!(self.spirits.mind[c], Mind::Gone | Mind::Yielded)
    }

    /// Whether a selector means a unit.
    fn means(&self, sel: &Sel, own: UnitId, unit: UnitId) -> bool {
        let scenario = &self.setting.scenario;
        let facts = &scenario.units[unit.index()];
        match sel.who {
            Who::Party(party) => facts.party == party,
            Who::Side(side) => scenario.side_of(unit) == side,
            Who::Enemy => {
                scenario.hostile[scenario.units[own.index()].party.index()][facts.party.index()]
            }
            Who::Friend => {
                !scenario.hostile[scenario.units[own.index()].party.index()][facts.party.index()]
            }
            Who::Corps(corps) => facts.corps == corps,
            Who::Unit(wanted) => wanted == unit,
            Who::Kind(kind) => facts.kind == kind,
            Who::Person(person) => scenario.persons[person.index()].unit == unit,
            Who::Own => unit == own,
        }
    }
}

impl Conduct {
    /// To a place by the ways that are open; stands when it is there.
    fn go(
        &mut self,
        eye: &Eye<'_>,
        fields: &mut Fields,
        c: usize,
        place: Place,
        gait: Gait,
    ) -> Option<Wish> {
        let (aim, point) = eye.aim(place)?;
        let site = &eye.setting.site;
        let here = eye.places.node[c];
        if let Place::Area(area) = place
            && eye.lands.holds(area, here)
        {
            return Some(self.settle(eye, c, area, gait));
        }
        let field = fields.handle(site, eye.gates, aim, eye.roster.mounted[c]);
        match fields.step(site, field, here) {
            Step::None => None,
            Step::Here if eye.places.at[c].distance_cm(point) <= ARRIVED_CM => {
                Some(Wish::default())
            }
            Step::Here if matches!(place, Place::Area(_)) => Some(Wish::default()),
            Step::Here => Some(Wish { goal: Goal::Toward(point), gait, ..Wish::default() }),
            _ => Some(Wish { goal: Goal::Field(field), gait, ..Wish::default() }),
        }
    }

    /// To its own place within an area.
    fn settle(&mut self, eye: &Eye<'_>, c: usize, area: AreaId, gait: Gait) -> Wish {
        if self.stands[c] {
            return Wish::default();
        }
        let nodes = &eye.setting.site.areas[area.index()].nodes;
        let mounted = eye.roster.mounted[c];
        let start = crate::core::dice::mix(c as u64) as usize % nodes.len().max(1);
        let fits = |n: &&NodeId| {
            let node = &eye.setting.site.nodes[n.index()];
            node.room_cm2 > 0 && (node.level == Level::Ground || !mounted)
        };
        let own = nodes[start..].iter().chain(&nodes[..start]).find(fits);
        let Some(at) = own.map(|n| eye.setting.site.centre(*n)) else { return Wish::default() };
        if eye.places.at[c].distance_cm(at) <= ARRIVED_CM || eye.places.blocked[c] >= CONTENT {
            self.stands[c] = true;
            return Wish::default();
        }
        let gait = if eye.places.blocked[c] > 0 { Gait::Walk } else { gait };
        Wish { goal: Goal::Toward(at), gait, ..Wish::default() }
    }

    /// Back to the first refuge that is open to it; tells whether there is one.
    fn back(
        &mut self,
        eye: &Eye<'_>,
        fields: &mut Fields,
        c: usize,
        refuges: &[Place],
        gait: Gait,
    ) -> (Wish, bool) {
        for place in refuges {
            if let Some(wish) = self.go(eye, fields, c, *place, gait) {
                // Whose way home is barred rides at those who bar it.
                let attack = eye.places.blocked[c] > 0 && wish.goal != Goal::Hold;
                return (Wish { attack, ..wish }, true);
            }
        }
        (Wish::default(), false)
    }

    /// Between the enemy and its charge, turning on what comes near that.
    fn screen(
        &mut self,
        eye: &Eye<'_>,
        fields: &mut Fields,
        hunt: &Hunt<'_>,
        c: usize,
        ward: UnitId,
    ) -> Wish {
        let (middle, left) = self.middle[ward.index()];
        if left == 0 {
            return Wish::default();
        }
        let reach = eye.figures.screen_reach_cm;
        let prey = hunt.nearest(eye, &mut self.hunters, c, Some((middle, reach)), |_| true);
        // An enemy who holds it too far from its charge is one to get away from.
        if let Some(prey) = prey
            && eye.places.at[prey.index()].distance_cm(eye.places.at[c]) <= reach
            && eye.places.at[c].distance_cm(middle) <= reach
        {
            return self.attack(eye, fields, c, prey);
        }
        let threat =
            prey.map(|p| eye.places.at[p.index()]).or_else(|| hunt.nearest_point(eye, c, middle));
        let Some(threat) = threat else { return Wish::default() };
        let far = middle.distance_cm(threat);
        let stand = middle.towards(threat, eye.figures.screen_cm.min(far / 2), far.max(1));
        let face = direction(eye.places.at[c], threat);
        // Each company keeps its own place along the screen.
        let side = PointCm { x: -face.y, y: face.x };
        let slot = (crate::core::dice::mix(c as u64 ^ 7) % 21) as i32 - 10;
        let step = eye.figures.screen_cm * slot / 5;
        let at = PointCm {
            x: stand.x + side.x * (step / 10) / 100,
            y: stand.y + side.y * (step / 10) / 100,
        };
        if eye.places.at[c].distance_cm(at) <= ARRIVED_CM {
            return Wish { face, ..Wish::default() };
        }
        let attack = eye.places.blocked[c] > 0 || eye.contacts.foe[c].is_none();
        Wish { goal: Goal::Toward(at), gait: Gait::Run, attack, face }
    }

    /// At a prey: trot, canter, gallop. Through a gate when the prey is beyond one.
    fn attack(&self, eye: &Eye<'_>, fields: &mut Fields, c: usize, prey: CompanyId) -> Wish {
        let (at, to) = (eye.places.at[c], eye.places.at[prey.index()]);
        let far = at.distance_cm(to);
        let face = direction_of(at, to, far);
        let gait = if far <= eye.figures.gallop_cm {
            Gait::Charge
        } else if far <= eye.figures.canter_cm {
            Gait::Run
        } else {
            Gait::Quick
        };
        let site = &eye.setting.site;
        if hunt::sees_way(site, at, to, far) {
            return match self.room_ahead(eye, c, (to, far), face) {
                Some(goal) => Wish { goal: Goal::Toward(goal), gait, attack: true, face },
                None => Wish { face, ..Wish::default() },
            };
        }
        let node = eye.places.node[prey.index()];
        // Beyond a wall: by the passage that lies nearest to the prey.
        let near =
            site.gates().map(|(_, p)| p).filter(|p| eye.gates.gap[p.index()] > 0).min_by_key(|p| {
                (
                    site.portals[p.index()]
                        .inner_at
                        .distance_cm(to)
                        .min(site.portals[p.index()].outer_at.distance_cm(to)),
                    *p,
                )
            });
        let aim = match near {
            Some(portal) => {
                let ends = &site.portals[portal.index()];
                Aim::Side(portal, ends.inner_at.distance_cm(to) < ends.outer_at.distance_cm(to))
            }
            None => Aim::Node(node),
        };
        let field = fields.handle(site, eye.gates, aim, eye.roster.mounted[c]);
        match fields.step(site, field, eye.places.node[c]) {
            Step::To(_) | Step::Through(..) => {
                Wish { goal: Goal::Field(field), gait, attack: true, face }
            }
            _ => Wish { goal: Goal::Toward(to), gait, attack: true, face },
        }
    }

    /// Where a formed company rides for its prey: straight on while it keeps room to
    /// move, else round its friends, else nowhere. Nobody packs himself into a jam
    /// in the open; only a mass that cannot stop, or a narrow way, does that.
    fn room_ahead(
        &self,
        eye: &Eye<'_>,
        c: usize,
        (to, far): (PointCm, i32),
        face: PointCm,
    ) -> Option<PointCm> {
        let site = &eye.setting.site;
        let at = eye.places.at[c];
        let step = site.cell_cm + site.cell_cm / 4;
        if far <= step || eye.contacts.foe[c].is_some() {
            return Some(to);
        }
        let area = eye.area[eye.roster.kind[c].index()];
        let fits = |x: i32, y: i32| {
            let point =
                PointCm { x: at.x + x * (step / 10) / 100, y: at.y + y * (step / 10) / 100 };
            let node = site.node_at(point)?;
            let taken = eye.places.taken_cm2[node.index()];
            let room = site.nodes[node.index()].room_cm2;
            let free = i64::from(taken + area) * 1000
                <= i64::from(room) * i64::from(eye.figures.order_share);
            (room > 0 && (node == eye.places.node[c] || taken == 0 || free)).then_some(point)
        };
        if fits(face.x, face.y).is_some() {
            return Some(to);
        }
        let hand = if crate::core::dice::mix(c as u64 ^ 3) & 1 == 0 { 1 } else { -1 };
        // A quarter right or left first, then straight to the side.
        let turned = [(707, 707 * hand), (707, -707 * hand), (0, 1000 * hand), (0, -1000 * hand)];
        turned.iter().find_map(|(cos, sin)| {
            fits((face.x * cos - face.y * sin) / 1000, (face.x * sin + face.y * cos) / 1000)
        })
    }

    /// What a company wants under its unit's task.
    fn wish(
        &mut self,
        eye: &Eye<'_>,
        fields: &mut Fields,
        hunt: &Hunt<'_>,
        c: usize,
        task: &Task,
    ) -> Wish {
        let unit = eye.roster.unit[c];
        match task {
            Task::Stand => self.meet(eye, fields, hunt, c),
            Task::Go(place, gait) => self.go(eye, fields, c, *place, *gait).unwrap_or_default(),
            Task::Hold(place) => match self.go(eye, fields, c, *place, Gait::Quick) {
                Some(wish) if wish.goal != Goal::Hold => wish,
                _ => self.meet(eye, fields, hunt, c),
            },
            Task::Charge(sel) => self.hunt(eye, fields, hunt, c, sel, unit, None),
            Task::Chase(sel, leash_cm, of) => {
                let from = eye.aim(*of).map(|(_, at)| (at, *leash_cm));
                self.hunt(eye, fields, hunt, c, sel, unit, from)
            }
            Task::Screen(ward) => self.screen(eye, fields, hunt, c, *ward),
            Task::Follow(leader, cm) => {
                let (middle, left) = self.middle[leader.index()];
                if left == 0 || eye.places.at[c].distance_cm(middle) <= *cm {
                    return Wish::default();
                }
                Wish { goal: Goal::Toward(middle), gait: Gait::Run, ..Wish::default() }
            }
            Task::Back(refuges, bound) => {
                // Flat out while an enemy could catch up, else sparing the horses.
                let here = eye.places.at[c];
                let chased = hunt.nearest(
                    eye,
                    &mut self.hunters,
                    c,
                    Some((here, eye.figures.gallop_cm)),
                    |_| true,
                );
                let gait = match chased {
                    _ if *bound => Gait::Quick,
                    Some(_) => Gait::Charge,
                    None => Gait::Run,
                };
                self.back(eye, fields, c, refuges, gait).0
            }
        }
    }

    /// Stands, and steps out to meet an enemy who comes very near.
    fn meet(&mut self, eye: &Eye<'_>, fields: &mut Fields, hunt: &Hunt<'_>, c: usize) -> Wish {
        let here = eye.places.at[c];
        match hunt.nearest(eye, &mut self.hunters, c, Some((here, eye.figures.meets_cm)), |_| true)
        {
            Some(prey) if !shooter(eye, c) && meets(eye, c) => self.attack(eye, fields, c, prey),
            Some(prey) => {
                Wish { face: direction(here, eye.places.at[prey.index()]), ..Wish::default() }
            }
            None => Wish::default(),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one call, all of it the task's words")]
    fn hunt(
        &mut self,
        eye: &Eye<'_>,
        fields: &mut Fields,
        hunt: &Hunt<'_>,
        c: usize,
        sel: &Sel,
        unit: UnitId,
        leash: Option<(PointCm, i32)>,
    ) -> Wish {
        let prey = hunt.nearest(eye, &mut self.hunters, c, leash, |u| eye.means(sel, unit, u));
        if let Some(prey) = prey {
            return self.attack(eye, fields, c, prey);
        }
        if let Some(last) = self.hunters.last_seen(c, eye.pulse, eye.figures.follows) {
            return Wish {
                goal: Goal::Toward(last),
                gait: Gait::Run,
                attack: true,
                face: direction(eye.places.at[c], last),
            };
        }
        let here = eye.places.at[c];
        match leash {
            // Back inside the leash, to a place of its own; not a step farther.
            Some((of, cm)) if here.distance_cm(of) > cm => {
                let share = 700 + (crate::core::dice::mix(c as u64 ^ 11) % 250) as i32;
                let at = of.towards(here, cm / 1000 * share, here.distance_cm(of).max(1));
                Wish { goal: Goal::Toward(at), gait: Gait::Run, ..Wish::default() }
            }
            _ => hunt.nearest_point(eye, c, here).map_or_else(Wish::default, |p| Wish {
                face: direction(here, p),
                ..Wish::default()
            }),
        }
    }
}

/// Whether a company without other orders steps out to an enemy who comes near.
fn meets(eye: &Eye<'_>, c: usize) -> bool {
    eye.tasks.stands(eye.roster.unit[c], Instruction::Meet)
}

/// Whether a company shoots for its living and does not step out of its place.
fn shooter(eye: &Eye<'_>, c: usize) -> bool {
    eye.setting.scenario.shoots(eye.roster.unit[c])
}

/// From one point to another, thousandths of a unit vector.
fn direction(from: PointCm, to: PointCm) -> PointCm {
    direction_of(from, to, from.distance_cm(to))
}

/// The same, where the distance is known.
fn direction_of(from: PointCm, to: PointCm, far_cm: i32) -> PointCm {
    let far = i64::from(far_cm.max(1));
    let part = |a: i32, b: i32| ((i64::from(b) - i64::from(a)) * 1000 / far) as i32;
    PointCm { x: part(from.x, to.x), y: part(from.y, to.y) }
}

#[expect(clippy::too_many_arguments, reason = "a system's parameters are what it reads")]
fn choose(
    clock: Res<Clock>,
    setting: Res<Setting>,
    roster: Res<Roster>,
    places: Res<Places>,
    spirits: Res<Spirits>,
    (contacts, strength, escalade): (Res<Contacts>, Res<Strength>, Option<Res<Escalade>>),
    gates: Res<Gates>,
    persons: Res<Persons>,
    lands: Res<Lands>,
    tasks: Res<Tasks>,
    mut fields: ResMut<Fields>,
    mut conduct: ResMut<Conduct>,
    mut intents: ResMut<Intents>,
    mut havens: ResMut<Havens>,
) {
    let figures = conduct.figures.clone();
    let area = std::mem::take(&mut conduct.area);
    let eye = Eye {
        pulse: clock.pulse,
        setting: &setting,
        roster: &roster,
        places: &places,
        spirits: &spirits,
        contacts: &contacts,
        strength: &strength,
        escalade: escalade.as_deref(),
        gates: &gates,
        persons: &persons,
        lands: &lands,
        tasks: &tasks,
        figures: &figures,
        area: &area,
    };
    let conduct = conduct.bypass_change_detection();
    conduct.refresh(&eye, &tasks);
    conduct.storm.refresh(&eye);
    let mut index = std::mem::take(&mut conduct.hunters.index);
    index.build(&eye);
    let hunt = Hunt { index: &index };
    for c in 0..roster.len() {
        let mind = spirits.mind[c];
        if !roster.mustered[c] || matches!(mind, Mind::Gone | Mind::Yielded) {
            intents.goal[c] = Goal::Hold;
            intents.attack[c] = false;
            continue;
        }
        let unit = roster.unit[c];
        let wish = match mind {
            Mind::Broken => {
                let refuges = &setting.scenario.units[unit.index()].refuges;
                let (wish, open) = conduct.back(&eye, &mut fields, c, refuges, Gait::Charge);
                let down = if open { None } else { storm::down(&eye, c) };
                havens.0[c] = open || down.is_some();
                down.unwrap_or(wish)
            }
            Mind::Rallying => Wish::default(),
            _ => {
                // On a walk with enemies a way down is not to be taken for granted.
                havens.0[c] = !conduct.storm.cut_off(&eye, c)
                    || conduct.has_way(&eye, &mut fields, c)
                    || storm::down(&eye, c).is_some();
                let task = &tasks.task[unit.index()];
                let at_walls = conduct.at_walls(&eye, &mut fields, c, task);
                at_walls.unwrap_or_else(|| conduct.wish(&eye, &mut fields, &hunt, c, task))
            }
        };
        intents.goal[c] = wish.goal;
        intents.gait[c] = wish.gait;
        intents.attack[c] = wish.attack;
        intents.face[c] = wish.face;
    }
    conduct.hunters.index = index;
    conduct.area = area;
}

impl Conduct {
    /// What changed since the last pulse: new tasks, middles of units that others keep to.
    fn refresh(&mut self, eye: &Eye<'_>, tasks: &Tasks) {
        for (unit, since) in tasks.since.iter().enumerate() {
            if self.since[unit] != *since {
                self.since[unit] = *since;
                for c in &eye.roster.of_unit[unit] {
                    self.stands[c.index()] = false;
                    self.hunters.forget(c.index());
                    self.storm.forget(c.index());
                }
            }
        }
        for task in &tasks.task {
            let (Task::Screen(unit) | Task::Follow(unit, _)) = task else { continue };
            let (mut x, mut y, mut n) = (0_i64, 0_i64, 0_i32);
            for c in &eye.roster.of_unit[unit.index()] {
                if !eye.active(*c) || self.stands[c.index()] {
                    continue;
                }
                let at = eye.places.at[c.index()];
                x += i64::from(at.x);
                y += i64::from(at.y);
                n += 1;
            }
            let mean = |sum: i64| (sum / i64::from(n.max(1))) as i32;
            self.middle[unit.index()] = (PointCm { x: mean(x), y: mean(y) }, n);
        }
    }
}

/// Inserts what the room writes and its system.
pub fn install(world: &mut World, schedule: &mut Schedule) {
    let setting = world.resource::<Setting>().clone();
    let n = world.resource::<Roster>().len();
    let units = setting.scenario.units.len();
    let law = &setting.rules.laws.conduct;
    let pulses = |s: f64| (s / f64::from(setting.scenario.pulse_s.max(1))) as u32;
    let figures = Figures {
        canter_cm: metres_to_cm(law.canter_from_m.v()),
        gallop_cm: metres_to_cm(law.gallop_from_m.v()),
        crowding_cm: metres_to_cm(law.crowding_m.v()),
        look_again: pulses(law.look_again_s.v()).max(1),
        follows: pulses(law.follows_s.v()),
        screen_cm: metres_to_cm(law.screen_m.v()),
        screen_reach_cm: metres_to_cm(law.screen_reach_m.v()),
        meets_cm: metres_to_cm(law.meets_m.v()),
        heads_cm: metres_to_cm(law.heads_m.v()),
        order_share: (law.order_share.v() * 1000.0) as i32,
        sight_cm: metres_to_cm(match setting.scenario.light {
            crate::scenario::battle::Light::Night => setting.rules.laws.knowledge.night_m.v(),
            _ => setting.rules.laws.knowledge.ground_day_m.v(),
        }),
    };
    world.insert_resource(Conduct {
        hunters: Hunters::new(n, &setting),
        storm: Storm::new(n, setting.site.portals.len() - setting.site.passages),
        figures,
        stands: vec![false; n],
        since: vec![0; units],
        middle: vec![(PointCm::default(), 0); units],
        area: setting
            .rules
            .units
            .iter()
            .map(|k| (k.jam_m2.v() * 10_000.0 * f64::from(k.company_size)) as i32)
            .collect(),
    });
    world.insert_resource(Intents {
        goal: vec![Goal::Hold; n],
        gait: vec![Gait::Quick; n],
        attack: vec![false; n],
        face: vec![PointCm::default(); n],
    });
    world.insert_resource(Havens(vec![true; n]));
    if world.get_resource::<Lands>().is_none() {
        world.insert_resource(Lands::of(&setting.site));
    }
    schedule.add_systems(choose.in_set(Phase::Steer));
}

/// Adds what the room writes.
pub fn digest(world: &World, d: &mut Digest) {
    let (intents, conduct) = (world.resource::<Intents>(), world.resource::<Conduct>());
    for c in 0..intents.goal.len() {
        match intents.goal[c] {
            Goal::Hold => d.u32(0),
            Goal::Field(field) => d.u32(1 << 16 | u32::from(field.0)),
            Goal::Climb(stretch) => d.u32(2 << 16 | u32::from(stretch.0)),
            Goal::Toward(at) => {
                d.i32(at.x);
                d.i32(at.y);
            }
        }
        d.u32(
            intents.gait[c] as u32
                | u32::from(intents.attack[c]) << 8
                | u32::from(conduct.stands[c]) << 9,
        );
    }
}
