//! What stands at the walls as the screen needs it: engines in their stands, ladders
//! at stretches, how far an engine reaches, and who holds each sector of a walk.

use crate::core::ids::{AreaId, CompanyId, EngineKindId, PortalId, SideId};
use crate::core::measure::PointCm;
use crate::scenario::battle::Scenario;
use crate::scenario::site::Level;
use crate::sim::board::Emplaced;
use crate::sim::truth::Truth;

use super::frame::{Frame, Mark, turn_of};

/// An engine at one pulse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineMark {
    /// Where it was emplaced; what is pushed goes with its company.
    pub stood_at: PointCm,
    /// The company that serves it.
    pub company: CompanyId,
    /// Its kind.
    pub kind: EngineKindId,
    /// How far it is loaded, in percent.
    pub load: u8,
    /// Where it is.
    pub stand: Emplaced,
    /// Whether it is depressed by its handle.
    pub depressed: bool,
    /// Whether it works.
    pub works: bool,
}

/// The ladders of one stretch of wall at one pulse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LadderMark {
    /// The stretch.
    pub stretch: PortalId,
    /// Up against the wall.
    pub up: u16,
    /// Thrown down, at its foot.
    pub lying: u16,
    /// Whose they are.
    pub side: Option<SideId>,
}

/// Engines of all companies, ascending by company.
pub(super) fn engines(truth: &Truth<'_>, scenario: &Scenario) -> Box<[EngineMark]> {
    let all = truth.engines;
    let now = truth.clock.pulse;
    let mut out = Vec::with_capacity(all.kind.len());
    for (index, kind) in all.kind.iter().enumerate() {
        let whole = scenario.rules.engines.get(kind.index()).map_or(0.0, |k| k.load_s.v());
        let left =
            f64::from(all.ready_at[index].saturating_sub(now)) * f64::from(truth.clock.pulse_s);
        let load = if left <= 0.0 { 100.0 } else { 100.0 - 100.0 * left / whole.max(left) };
        out.push(EngineMark {
            stood_at: all.stood_at[index],
            company: all.company[index],
            kind: *kind,
            load: load.clamp(0.0, 100.0) as u8,
            stand: all.stand[index],
            depressed: all.depressed[index],
            works: all.works[index],
        });
    }
    out.sort_by_key(|e| e.company);
    out.into()
}

/// Stretches where ladders stand or lie, ascending.
pub(super) fn ladders(truth: &Truth<'_>, scenario: &Scenario) -> Box<[LadderMark]> {
    let Some(board) = truth.escalade else { return Box::default() };
    let few = |n: i32| n.clamp(0, i32::from(u16::MAX)) as u16;
    let marks = board.stands.iter().enumerate().filter(|(_, s)| s.up > 0 || s.lying > 0);
    marks
        .map(|(at, stand)| LadderMark {
            stretch: PortalId::from_index(scenario.site.passages + at),
            up: few(stand.up),
            lying: few(stand.lying),
            side: stand.side,
        })
        .collect()
}

impl Frame {
    /// The engines that a company serves.
    #[must_use]
    pub fn engines_of(&self, company: CompanyId) -> &[EngineMark] {
        let from = self.engines.partition_point(|e| e.company < company);
        let rest = &self.engines[from..];
        &rest[..rest.partition_point(|e| e.company == company)]
    }
}

/// How far the engines of a unit reach from where they stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    /// The two outermost of its companies along its front.
    pub ends: [PointCm; 2],
    /// Heading, as in [`Mark::heading`].
    pub heading: u8,
    /// Farthest reach.
    pub far_cm: i32,
    /// Nearest ground it can be pointed at, as most of its engines are now.
    pub near_cm: i32,
    /// The same depressed by the handle, where its kind has one and it is not.
    pub low_cm: Option<i32>,
}

/// The reach of the engines that the companies of one unit serve; none where they
/// serve none that shoot.
#[must_use]
pub fn reach(scenario: &Scenario, frame: &Frame, marks: &[Mark]) -> Option<Reach> {
    let served: Vec<(&Mark, &EngineMark)> = marks
        .iter()
        .flat_map(|m| frame.engines_of(m.company).iter().map(move |e| (m, e)))
        .filter(|(_, e)| e.works && e.stand != Emplaced::Left)
        .collect();
    let (first, engine) = served.first()?;
    let kind = scenario.rules.engines.get(engine.kind.index())?;
    let weapon = scenario.rules.weapons.get(kind.weapon?.index())?;
    let shot = weapon.shot.as_ref()?;
    let site = &scenario.site;
    let node = site.node_on(first.at, first.level()).map(|n| site.nodes[n.index()]);
    let floor = node.map_or(0, |n| n.height_cm);
    let wall = node.filter(|n| n.level == Level::Rampart).and_then(|n| n.work);
    let outward = wall.map(|w| site.works[w.index()].outward).unwrap_or_default();
    let above = if floor > 0 {
        f64::from(floor) + scenario.rules.laws.shot.muzzle_m.v() * 100.0
    } else {
        0.0
    };
    let dead = |tangent: f64| if tangent > 0.0 { (above / tangent) as i32 } else { 0 };
    let low = served.iter().filter(|(_, e)| e.depressed).count() * 2 > served.len();
    let handle = kind.depress_s.v() > 0.0 && kind.depressed.v() > 0.0;
    let plain = dead(shot.depression.v());
    let down = if handle { dead(kind.depressed.v()) } else { plain };
    // Along the front: the heading's left-hand normal.
    let mut sum = PointCm::default();
    for (mark, _) in &served {
        let (x, y) = way(mark.heading);
        sum.x += x;
        sum.y += y;
    }
    // On a walk an engine stands at the parapet, wherever its crew looks.
    let heading = turn_of(if outward == PointCm::default() { sum } else { outward });
    let (x, y) = way(heading);
    let along = |m: &Mark| i64::from(m.at.y) * i64::from(x) - i64::from(m.at.x) * i64::from(y);
    let left = served.iter().max_by_key(|(m, _)| along(m))?.0.at;
    let right = served.iter().min_by_key(|(m, _)| along(m))?.0.at;
    Some(Reach {
        ends: [left, right],
        heading,
        far_cm: (shot.range_m.v() * 100.0) as i32,
        near_cm: if low { down } else { plain },
        low_cm: (handle && !low && down < plain).then_some(down),
    })
}

/// A heading in 256ths of a turn as thousandths.
#[allow(clippy::disallowed_methods, reason = "for drawing; no rule reads it")]
fn way(heading: u8) -> (i32, i32) {
    let angle = f64::from(heading) / 256.0 * std::f64::consts::TAU;
    ((angle.cos() * 1000.0) as i32, (angle.sin() * 1000.0) as i32)
}

/// A named area of a walk, and who is known to stand on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectorMark {
    /// The area.
    pub area: AreaId,
    /// Men of each side, by id: of the watcher's side all, of others those it sees.
    pub men: Box<[i32]>,
}

/// All sectors of walks, as a side sees them; all of it where nobody watches.
/// `side_of` tells whose a company is.
#[must_use]
pub fn sectors(
    scenario: &Scenario,
    frame: &Frame,
    watcher: Option<SideId>,
    side_of: impl Fn(CompanyId) -> SideId,
) -> Vec<SectorMark> {
    let site = &scenario.site;
    let walk = |n: &crate::core::ids::NodeId| site.nodes[n.index()].level == Level::Rampart;
    let areas = site.areas.iter().enumerate().filter(|(_, a)| a.nodes.iter().all(walk));
    let mut out: Vec<SectorMark> = areas
        .map(|(i, _)| SectorMark {
            area: AreaId::from_index(i),
            men: vec![0; scenario.sides.len()].into(),
        })
        .collect();
    for mark in frame.marks.iter().filter(|m| m.level() == Level::Rampart) {
        if watcher.is_some_and(|s| mark.seen >> s.0 & 1 == 0) {
            continue;
        }
        let Some(node) = site.node_on(mark.at, Level::Rampart) else { continue };
        let side = side_of(mark.company).index();
        for sector in out.iter_mut().filter(|s| site.in_area(s.area, node)) {
            if let Some(men) = sector.men.get_mut(side) {
                *men += i32::from(mark.men);
            }
        }
    }
    out
}

/// Where men of a side have come up by its ladders: the side, and the walk's stretch.
pub(super) fn heads(
    scenario: &Scenario,
    frame: &Frame,
    side_of: &[SideId],
) -> Vec<(SideId, PortalId)> {
    const NEAR_CM: i32 = 2500;
    let mut out: Vec<(SideId, PortalId)> = Vec::new();
    if frame.ladders.iter().all(|l| l.up == 0) {
        return out;
    }
    for mark in frame.marks.iter().filter(|m| m.level() == Level::Rampart) {
        let Some(side) = side_of.get(mark.company.index()).copied() else { continue };
        let up = frame.ladders.iter().filter(|l| l.up > 0 && l.side == Some(side));
        out.extend(up.map(|l| (side, l.stretch)).filter(|(_, stretch)| {
            let at = scenario.site.portals[stretch.index()].inner_at;
            (at.x - mark.at.x).abs() < NEAR_CM && (at.y - mark.at.y).abs() < NEAR_CM
        }));
    }
    out.sort_unstable();
    out.dedup();
    out
}
