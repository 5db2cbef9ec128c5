//! The room of jobs and leaves (L4).
//!
//! Decides how far gates are open, when they are barred, when jobs at engines are
//! done, and what is dragged out of a passage. Reads orders for leaves and jobs,
//! crews, who pushes and what lies in the passage; writes [`Gates`] and asks `shot`
//! through [`EngineJobs`] and `lying` through [`Dragged`]. Never decides when a gate
//! is to be shut. *Off*: every job is done at once.
//!
//! Leaves need hands: they move in proportion to the men at them, up to the crew
//! that they ask for. Men who press on take from that, in proportion to how far the
//! leaf already stands in their way: an open leaf is in nobody's. As many as those
//! behind the leaf can hold stop it, more push it open again. What lies in the
//! passage jams a closing leaf until the crew has dragged enough of it away, which
//! nobody does in a fight.
//!
//! At walls it writes [`Escalade`]: ladders carried, raised and thrown down, logs and
//! stones thrown on those below, for whom it asks `casualties` through `Wounds`.

mod ladders;
mod parapet;
mod ram;

use bevy_ecs::prelude::*;

use crate::core::digest::Digest;
use crate::core::ids::{CompanyId, PortalId, UnitId, WorkId};
use crate::core::measure::{PointCm, metres_to_cm};
use crate::orders::ast::{Job, Place};
use crate::scenario::catalogue::{JobLaw, WorkKind};
use crate::sim::board::{
    AtEngines, Clock, Contacts, Dragged, EngineJobs, Engines, Escalade, Gates, Leaf, LeafOrders,
    Litter, Mind, News, Places, Roster, Setting, Spirits, Strength, Tasks, Tiding, Tidings,
    VolleyOrders,
};
use crate::sim::journal::{Happening, Journal};
use crate::sim::lands::leaf_at;
use crate::sim::laws::Law;
use crate::sim::phases::Phase;

mod engines;

/// Thousandths of the way that the leaves are counted in; finer parts are carried.
const WHOLE: f64 = 1000.0;

/// What the room keeps for itself.
#[derive(Resource, Clone, Debug, Default)]
pub struct Labour {
    /// One a gate.
    gates: Vec<GateLabour>,
    /// Acts at engines, oldest first.
    steps: Vec<engines::Step>,
    /// Companies that have done their act of this pulse, for one look.
    served: Vec<CompanyId>,
    /// Units that ram a gate.
    rams: Vec<(UnitId, WorkId)>,
}

/// The work at one gate.
#[derive(Clone, Debug)]
struct GateLabour {
    work: WorkId,
    portal: PortalId,
    crew: Option<UnitId>,
    /// What was ordered: open or shut.
    wish: Option<bool>,
    /// Seconds until hands are on the leaf.
    wait_s: f64,
    /// Part of a thousandth that is carried over.
    carry: f64,
    /// Whether it is to be barred once shut.
    bar: bool,
    /// Man-seconds left at the bar.
    bar_left: f64,
    /// Who was told to clear the passage.
    clearers: Option<UnitId>,
    /// Man-seconds spent on what is dragged out next.
    dragging: f64,
    /// Kilojoules of rams' blows that the leaves have taken.
    worn_kj: f64,
}

/// Thousandths a second by which leaves close with so many hands at `width_m` metres
/// of leaf, at that gap in thousandths and with so many men pressing on; negative
/// when they are pushed open.
#[must_use]
pub fn leaf_rate(
    kind: &WorkKind,
    law: &JobLaw,
    hands: f64,
    width_m: f64,
    gap: i32,
    pressing: f64,
) -> f64 {
    let full = WHOLE / kind.leaf_s.v().max(f64::MIN_POSITIVE);
    let crew = kind.crew.v();
    let against = pressing.max(0.0) * (1.0 - f64::from(gap) / WHOLE);
    if hands <= 0.0 && crew > 0.0 {
        return if against > 0.0 { -full } else { 0.0 };
    }
    let share = if crew > 0.0 { (hands / crew).min(1.0) } else { 1.0 };
    // More hands than the crew do not swing it faster, but they hold it.
    let shoulders = hands.min((law.leaf_hands_per_m.v() * width_m).max(crew)).max(1.0);
    // As many as hold it still stop it; twice as many swing it back.
    full * share * (1.0 - (against / (shoulders * law.leaf_pressed.v())).min(2.0))
}

/// Inserts the gates and adds the system.
pub fn install(world: &mut World, schedule: &mut Schedule) {
    let setting = world.resource::<Setting>().clone();
    let site = &setting.site;
    let portals = site.portals.len();
    let mut gates = Gates {
        gap: vec![1000; portals],
        leaf: vec![Leaf::Still; portals],
        barred: vec![false; portals],
        shut_at: vec![None; portals],
        version: 0,
    };
    let mut labour = Labour::default();
    for (work, portal) in site.gates() {
        let start = setting.scenario.gates.iter().find(|g| g.work == work);
        if start.is_some_and(|g| !g.open) {
            gates.gap[portal.index()] = 0;
            gates.shut_at[portal.index()] = Some(0);
            gates.barred[portal.index()] = true;
        }
        labour.gates.push(GateLabour {
            work,
            portal,
            crew: start.map(|g| g.crew),
            wish: None,
            wait_s: 0.0,
            carry: 0.0,
            bar: false,
            bar_left: 0.0,
            clearers: None,
            dragging: 0.0,
            worn_kj: 0.0,
        });
    }
    world.insert_resource(gates);
    world.insert_resource(labour);
    world.init_resource::<LeafOrders>();
    world.init_resource::<EngineJobs>();
    world.init_resource::<AtEngines>();
    world.init_resource::<VolleyOrders>();
    world.init_resource::<Dragged>();
    world.init_resource::<Tidings>();
    ladders::install(world);
    let jobs = (toil, engines::serve, swing, ladders::raise, parapet::defend, ram::batter);
    schedule.add_systems(jobs.chain().in_set(Phase::Jobs));
}

/// Takes up jobs, and volleys in their turn.
fn toil(
    setting: Res<Setting>,
    roster: Res<Roster>,
    tasks: Res<Tasks>,
    engines: Res<Engines>,
    volleys: Res<VolleyOrders>,
    mut labour: ResMut<Labour>,
) {
    let off = setting.off.is_off(Law::Job);
    let labour = &mut *labour;
    let mut volleys = volleys.0.iter().peekable();
    for (n, (unit, job, place)) in tasks.jobs.iter().enumerate() {
        while let Some((unit, volleys, _)) = volleys.next_if(|v| v.2 <= n) {
            engines::add_volley(&mut labour.steps, *unit, *volleys, &roster);
        }
        match job {
            Job::Bar => {
                let Place::Work(work) = *place else { continue };
                let bar_s = setting.rules.works[setting.site.works[work.index()].kind.index()]
                    .bar_man_s
                    .v();
                if let Some(gate) = labour.gates.iter_mut().find(|g| g.work == work) {
                    gate.bar = true;
                    gate.bar_left = if off { 0.0 } else { bar_s };
                }
            }
            Job::Depress | Job::Load | Job::Emplace | Job::DrawBack => {
                engines::add_job(&mut labour.steps, *unit, *job, &roster, &engines);
            }
            Job::Clear => {
                let Place::Work(work) = *place else { continue };
                if let Some(gate) = labour.gates.iter_mut().find(|g| g.work == work) {
                    gate.clearers = Some(*unit);
                }
            }
            // Taken up where ladders and rams are.
            Job::Raise | Job::Ram | Job::CastDown | Job::Drop => {}
            // Nothing on the board answers to these yet.
            Job::Mount | Job::Dismount => {}
        }
    }
    for (unit, n, _) in volleys {
        engines::add_volley(&mut labour.steps, *unit, *n, &roster);
    }
}

/// Moves the leaves.
#[expect(
    clippy::too_many_arguments,
    reason = "one parameter for each resource of the board that it reads"
)]
fn swing(
    setting: Res<Setting>,
    clock: Res<Clock>,
    roster: Res<Roster>,
    places: Res<Places>,
    strength: Res<Strength>,
    spirits: Res<Spirits>,
    (contacts, litter): (Res<Contacts>, Res<Litter>),
    mut orders: ResMut<LeafOrders>,
    mut labour: ResMut<Labour>,
    mut dragged: ResMut<Dragged>,
    mut gates: ResMut<Gates>,
    mut journal: ResMut<Journal>,
    mut tidings: ResMut<Tidings>,
) {
    let off = setting.off.is_off(Law::Job);
    let law = &setting.rules.laws.job;
    for (work, open) in orders.0.drain(..) {
        // The leaves of a kind that is off stay as they are.
        if setting.off.works.contains(&setting.site.works[work.index()].kind) {
            continue;
        }
        if let Some(gate) = labour.gates.iter_mut().find(|g| g.work == work)
            && gate.wish != Some(open)
        {
            gate.wish = Some(open);
            gate.wait_s = law.begins_s.v();
            gate.carry = 0.0;
            if open {
                gate.bar = false;
            }
        }
    }
    dragged.0.clear();
    let near = metres_to_cm(law.crew_near_m.v());
    for gate in &mut labour.gates {
        let p = gate.portal.index();
        let idle = gate.wish.is_none() && !gate.bar && gate.clearers.is_none();
        if gates.leaf[p] == Leaf::Broken || idle {
            continue;
        }
        let kind = &setting.rules.works[setting.site.works[gate.work.index()].kind.index()];
        let leaf = leaf_at(&setting.site, gate.portal);
        let men_of = |unit, free| {
            hands(unit, &roster, &places, &strength, &spirits, &contacts, (leaf, near), free)
        };
        let at_leaf = men_of(gate.crew, false);
        let hands = at_leaf.min(kind.crew.v());
        if let Some(unit) = gate.clearers {
            let work = if off { f64::MAX } else { men_of(Some(unit), true) * clock.dt() };
            if !drag(&setting, law, &litter, gate, work, &mut dragged) {
                gate.clearers = None;
            }
        }
        let mut tell = |what: Happening, event: Option<Tiding>| {
            journal.add(clock.pulse, what);
            tidings.0.extend(event.map(|event| News { event, at: leaf }));
        };
        if let Some(open) = gate.wish {
            let mut left_s = clock.dt();
            if !off {
                let waits = gate.wait_s.min(left_s);
                gate.wait_s -= waits;
                left_s -= waits;
            }
            if open && gates.barred[p] {
                // The bar comes up first.
                gate.bar_left =
                    if gate.bar_left > 0.0 { gate.bar_left } else { kind.bar_man_s.v() };
                gate.bar_left -= hands * left_s;
                if off || gate.bar_left <= 0.0 {
                    gates.barred[p] = false;
                    gate.bar_left = 0.0;
                    tell(Happening::Barred { work: gate.work, barred: false }, None);
                }
                if gates.barred[p] || !off {
                    continue;
                }
            }
            let before = gates.gap[p];
            if left_s > 0.0 && before != if open { 1000 } else { 0 } {
                let moving = if open { Leaf::Opening } else { Leaf::Closing };
                let jams = !open && !off && covered(&setting, &litter, gate.portal) > law.jams.v();
                if jams {
                    if gate.clearers.is_none() {
                        let work = men_of(gate.crew, true) * clock.dt();
                        drag(&setting, law, &litter, gate, work, &mut dragged);
                    }
                    if gates.leaf[p] != Leaf::Jammed {
                        gates.leaf[p] = Leaf::Jammed;
                        tell(
                            Happening::GateJammed { work: gate.work },
                            Some(Tiding::Jammed(gate.work)),
                        );
                    }
                    continue;
                }
                if gates.leaf[p] != moving {
                    gates.leaf[p] = moving;
                    tell(Happening::LeafMoves { work: gate.work, opening: open }, None);
                }
                // Who presses on hinders closing, and is no help with opening.
                let pressing = if open { 0 } else { places.pushing[p] };
                let width_m = f64::from(setting.site.portals[p].width_cm) / 100.0;
                let rate = leaf_rate(kind, law, at_leaf, width_m, before, f64::from(pressing));
                let by = gate.carry + if off { WHOLE } else { rate * left_s };
                let whole = by as i32;
                gate.carry = by - f64::from(whole);
                gates.gap[p] = (before + if open { whole } else { -whole }).clamp(0, 1000);
            }
            let now = gates.gap[p];
            if before == 0 && now > 0 {
                gates.shut_at[p] = None;
                gates.version += 1;
            }
            if !open && now == 0 {
                gates.leaf[p] = Leaf::Still;
                gate.wish = None;
                if before > 0 {
                    gates.shut_at[p] = Some(clock.pulse);
                    gates.version += 1;
                    tell(Happening::GateShut { work: gate.work }, Some(Tiding::Shut(gate.work)));
                }
            } else if open && now == 1000 {
                gates.leaf[p] = Leaf::Still;
                gate.wish = None;
                if before < 1000 {
                    tell(
                        Happening::GateOpened { work: gate.work },
                        Some(Tiding::Opened(gate.work)),
                    );
                }
            }
        }
        if gate.bar && gates.gap[p] == 0 && !gates.barred[p] {
            gate.bar_left -= hands * clock.dt();
            if off || gate.bar_left <= 0.0 {
                gates.barred[p] = true;
                gate.bar = false;
                gate.bar_left = 0.0;
                tell(Happening::Barred { work: gate.work, barred: true }, None);
            }
        }
    }
}

/// Men of a unit who stand by the leaves and obey; with `free`, only those whose
/// company is in no fight.
#[expect(
    clippy::too_many_arguments,
    reason = "one parameter for each resource of the board that it reads"
)]
fn hands(
    unit: Option<UnitId>,
    roster: &Roster,
    places: &Places,
    strength: &Strength,
    spirits: &Spirits,
    contacts: &Contacts,
    (leaf, near_cm): (PointCm, i32),
    free: bool,
) -> f64 {
    let Some(unit) = unit else { return 0.0 };
    let men: i32 = roster.of_unit[unit.index()]
        .iter()
        .map(|c| c.index())
        .filter(|c| {
            roster.mustered[*c] && matches!(spirits.mind[*c], Mind::Steady | Mind::Desperate)
        })
        .filter(|c| !free || contacts.front[*c] == 0)
        .filter(|c| places.at[*c].distance_cm(leaf) <= near_cm)
        .map(|c| strength.men[c])
        .sum();
    f64::from(men)
}

/// Drags what lies in a passage out of it, as soon as its work is done, with so many
/// man-seconds of work; false once nothing lies there.
fn drag(
    setting: &Setting,
    law: &JobLaw,
    litter: &Litter,
    gate: &mut GateLabour,
    work_man_s: f64,
    dragged: &mut Dragged,
) -> bool {
    gate.dragging += work_man_s;
    let portal = &setting.site.portals[gate.portal.index()];
    let mut left = false;
    for node in portal.outer.iter().chain(&portal.inner) {
        let n = node.index();
        let (mut men, mut horses) = (0, 0);
        while horses < litter.horses[n] && gate.dragging >= law.drag_horse_s.v() {
            gate.dragging -= law.drag_horse_s.v();
            horses += 1;
        }
        while men < litter.men[n] && gate.dragging >= law.drag_man_s.v() {
            gate.dragging -= law.drag_man_s.v();
            men += 1;
        }
        if men + horses > 0 {
            dragged.0.push((*node, men, horses));
        }
        left |= men < litter.men[n] || horses < litter.horses[n];
    }
    if !left {
        gate.dragging = 0.0;
    }
    left
}

/// Share of a passage's floor that is covered, as its mouths are on the average.
fn covered(setting: &Setting, litter: &Litter, portal: PortalId) -> f64 {
    let law = &setting.rules.laws.lying;
    let portal = &setting.site.portals[portal.index()];
    let (mut lies, mut room) = (0.0, 0.0);
    for node in portal.outer.iter().chain(&portal.inner).map(|n| n.index()) {
        if let (Some(men), Some(horses)) = (litter.men.get(node), litter.horses.get(node)) {
            lies += f64::from(*men) * law.man_m2.v() + f64::from(*horses) * law.horse_m2.v();
        }
        room += f64::from(setting.site.nodes[node].room_cm2) / 10_000.0;
    }
    if room > 0.0 { lies / room } else { 0.0 }
}

/// What the room writes.
pub fn digest(world: &World, d: &mut Digest) {
    let gates = world.resource::<Gates>();
    let passages = world.resource::<Setting>().site.passages;
    for p in 0..passages {
        d.i32(gates.gap[p]);
        d.u32(u32::from(gates.leaf[p] as u8) << 1 | u32::from(gates.barred[p]));
        d.u32(gates.shut_at[p].unwrap_or(u32::MAX));
    }
    d.u32(gates.version);
    let labour = world.resource::<Labour>();
    engines::digest(&labour.steps, d);
    for gate in &labour.gates {
        d.u64(gate.carry.to_bits());
        d.u64(gate.wait_s.to_bits());
        d.u64(gate.bar_left.to_bits());
        d.u64(gate.dragging.to_bits());
        if gate.worn_kj > 0.0 {
            d.u64(gate.worn_kj.to_bits());
        }
    }
    let board = world.resource::<Escalade>();
    for values in [&board.carried, &board.logs] {
        for (c, number) in values.iter().enumerate().filter(|(_, n)| **n > 0) {
            d.u32(c as u32);
            d.i32(*number);
        }
    }
    for (at, stand) in board.stands.iter().enumerate().filter(|(_, s)| s.side.is_some()) {
        d.u32(at as u32);
        d.i32(stand.up << 16 | stand.lying);
    }
}
