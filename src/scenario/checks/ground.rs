//! The order of battle on its ground: who stands where, who belongs to whom, and
//! whether anybody can get to where he should.

use crate::core::ids::{AreaId, NodeId, SideId, UnitId};
use crate::orders::ast::{Act, Place, Subject};
use crate::scenario::battle::{Scenario, Unit};
use crate::scenario::findings::Message;
use crate::scenario::raw::battle::RawScenario;
use crate::scenario::resolve::Pen;
use crate::scenario::site::{Level, Site};
use crate::scenario::spans::Path;

/// Sides that contradict each other.
pub fn sides(raw: &RawScenario, pen: &mut Pen<'_>) {
    let party = |name: &str| raw.parties.iter().find(|p| p.id == name).map(|p| p.side.as_str());
    let corps = |name: &str| raw.corps.iter().find(|c| c.id == name).map(|c| c.side.as_str());
    let post = |name: &str| raw.posts.iter().find(|p| p.id == name).map(|p| p.side.as_str());
    let unit = |name: &str| raw.units.iter().find(|u| u.id == name).and_then(|u| party(&u.party));
    let mut differ = |a: Option<&str>, b: Option<&str>, path: &Path<'_>, what: &'static str| {
        if let (Some(a), Some(b)) = (a, b)
            && a != b
        {
            pen.error("E0606", path, Message::new(what, [a.to_string(), b.to_string()]));
        }
    };
    let list = Path::ROOT.field("sides");
    for (i, side) in raw.sides.iter().enumerate() {
        differ(
            Some(&side.id),
            post(&side.post),
            &list.index(i).field("post"),
            "the headquarters of `{0}` answers to `{1}`",
        );
    }
    let list = Path::ROOT.field("corps");
    for (i, own) in raw.corps.iter().enumerate() {
        differ(
            Some(&own.side),
            post(&own.post),
            &list.index(i).field("post"),
            "the corps is of `{0}`, its post of `{1}`",
        );
    }
    let list = Path::ROOT.field("units");
    for (i, own) in raw.units.iter().enumerate() {
        differ(
            party(&own.party),
            corps(&own.corps),
            &list.index(i).field("corps"),
            "the unit is of `{0}`, its corps of `{1}`",
        );
    }
    let list = Path::ROOT.field("gates");
    for (i, gate) in raw.gates.iter().enumerate() {
        differ(
            post(&gate.keeper),
            unit(&gate.crew),
            &list.index(i).field("crew"),
            "the gate's keeper is of `{0}`, its crew of `{1}`",
        );
    }
    let list = Path::ROOT.field("posts");
    for (i, own) in raw.posts.iter().enumerate() {
        let holder = own
            .holder
            .as_ref()
            .and_then(|name| raw.persons.iter().find(|p| p.id == *name))
            .and_then(|p| unit(&p.unit));
        differ(
            Some(&own.side),
            holder,
            &list.index(i).field("holder"),
            "the post is of `{0}`, its holder of `{1}`",
        );
    }
}

/// Parties, corps and posts that do nothing.
pub fn unused(raw: &RawScenario, pen: &mut Pen<'_>) {
    let list = Path::ROOT.field("parties");
    for (i, party) in raw.parties.iter().enumerate() {
        if !raw.units.iter().any(|u| u.party == party.id) {
            pen.warning(
                "W0305",
                &list.index(i).field("id"),
                Message::new("nobody uses the {0} `{1}`", ["party".to_string(), party.id.clone()]),
            );
        }
    }
    let list = Path::ROOT.field("corps");
    for (i, corps) in raw.corps.iter().enumerate() {
        if !raw.units.iter().any(|u| u.corps == corps.id) {
            pen.warning(
                "W0305",
                &list.index(i).field("id"),
                Message::new("nobody uses the {0} `{1}`", ["corps".to_string(), corps.id.clone()]),
            );
        }
    }
    let list = Path::ROOT.field("posts");
    for (i, post) in raw.posts.iter().enumerate() {
        let used = raw.corps.iter().any(|c| c.post == post.id)
            || raw.sides.iter().any(|s| s.post == post.id)
            || raw.gates.iter().any(|g| g.keeper == post.id)
            || raw.posts.iter().any(|p| p.superior.as_ref() == Some(&post.id))
            || raw.standing.iter().any(|l| l.by.as_ref() == Some(&post.id));
        if !used {
            pen.warning(
                "W0305",
                &list.index(i).field("id"),
                Message::new("nobody uses the {0} `{1}`", ["post".to_string(), post.id.clone()]),
            );
        }
    }
}

/// Whether every unit can stand where it is set down.
pub fn stands(battle: &Scenario, raw: &RawScenario, pen: &mut Pen<'_>) -> bool {
    let site = &battle.site;
    let list = Path::ROOT.field("units");
    let mut good = true;
    let mut loads = vec![0.0_f64; site.nodes.len()];
    let mut spreads: Vec<Vec<NodeId>> = Vec::new();
    for (i, unit) in battle.units.iter().enumerate() {
        spreads.push(Vec::new());
        let Some(written) = raw.units.get(i) else { continue };
        let at = list.index(i);
        let name = written.id.clone();
        let Some(ground) = site.node_at(unit.stands.at) else {
            pen.error(
                "E0607",
                &at.field("at"),
                Message::new("the unit `{0}` stands outside the battle's window", [name]),
            );
            good = false;
            continue;
        };
        let kind = &battle.rules.units[unit.kind.index()];
        if unit.stands.level == Level::Rampart && kind.mounted {
            pen.error(
                "E0608",
                &at.field("level"),
                Message::new("the unit `{0}` rides and cannot stand on a rampart", [name]),
            );
            good = false;
            continue;
        }
        match site.node_on(unit.stands.at, unit.stands.level) {
            None => {
                pen.error(
                    "E0608",
                    &at.field("at"),
                    Message::new("the unit `{0}` stands where there is no rampart", [name]),
                );
                good = false;
            }
            Some(node) if site.nodes[node.index()].room_cm2 <= 0 => {
                let what = under(battle, ground);
                pen.error(
                    "E0608",
                    &at.field("at"),
                    Message::new("the unit `{0}` stands in {1}, where nobody can", [name, what]),
                );
                good = false;
            }
            Some(_) => {
                let nodes = spread(battle, unit);
                let each =
                    f64::from(unit.men) * kind.jam_m2.v() * 10_000.0 / nodes.len().max(1) as f64;
                for node in &nodes {
                    loads[node.index()] += each;
                }
                spreads[i] = nodes;
            }
        }
    }
    for (i, nodes) in spreads.iter().enumerate().filter(|(_, nodes)| !nodes.is_empty()) {
        let room: f64 = nodes.iter().map(|n| f64::from(site.nodes[n.index()].room_cm2)).sum();
        let load: f64 = nodes.iter().map(|n| loads[n.index()]).sum();
        if load > room {
            let words = [
                raw.units.get(i).map(|u| u.id.clone()).unwrap_or_default(),
                format!("{:.0}", load / 10_000.0),
                format!("{:.0}", room / 10_000.0),
            ];
            pen.error("E0609", &list.index(i).field("at"), Message::new("there is no room for `{0}` and who else stands there: {1} m2 are taken of {2} m2", words));
            good = false;
        }
    }
    good
}

/// What lies under a point, for people.
fn under(battle: &Scenario, node: NodeId) -> String {
    let facts = &battle.site.nodes[node.index()];
    match facts.work.and_then(|w| battle.site.works.get(w.index())) {
        Some(work) => format!("`{}`", work.id),
        None => battle
            .rules
            .ground
            .get(facts.ground.index())
            .map_or_else(String::new, |g| format!("`{}`", g.id)),
    }
}

/// The nodes that a unit covers when it is set down.
fn spread(battle: &Scenario, unit: &Unit) -> Vec<NodeId> {
    let site = &battle.site;
    let kind = &battle.rules.units[unit.kind.index()];
    let shape = battle.rules.shape(unit.shape);
    let (front, depth) = if kind.mounted {
        (&shape.horse_front_m, &shape.horse_depth_m)
    } else {
        (&shape.front_m, &shape.depth_m)
    };
    let size = f64::from(kind.company_size.max(1));
    let pitch = (size * front.v() * depth.v()).sqrt().max(1.0) * 100.0;
    let companies = (f64::from(unit.men) / size).ceil().max(1.0);
    let columns = (f64::from(unit.stands.front_cm) / pitch).floor().clamp(1.0, companies);
    let half_deep = (companies / columns).ceil() * pitch / 2.0 + f64::from(site.cell_cm) / 2.0;
    let half_wide =
        f64::from(unit.stands.front_cm).max(pitch) / 2.0 + f64::from(site.cell_cm) / 2.0;
    let reach = (half_deep + half_wide).min(1e8) as i32;
    let (x, y) =
        (f64::from(unit.stands.facing.x) / 1000.0, f64::from(unit.stands.facing.y) / 1000.0);
    let clamp = |v: i32, most: u32| v.div_euclid(site.cell_cm).clamp(0, most as i32 - 1);
    let (at, origin) = (unit.stands.at, site.origin);
    let (west, east) = (
        clamp(at.x.saturating_sub(reach) - origin.x, site.columns),
        clamp(at.x.saturating_add(reach) - origin.x, site.columns),
    );
    let (south, north) = (
        clamp(at.y.saturating_sub(reach) - origin.y, site.rows),
        clamp(at.y.saturating_add(reach) - origin.y, site.rows),
    );
    let mut nodes = Vec::new();
    for row in south..=north {
        for column in west..=east {
            let ground = NodeId((row * site.columns as i32 + column) as u32);
            let node = match unit.stands.level {
                Level::Ground => Some(ground),
                Level::Rampart => site.rampart_of[ground.index()],
            };
            let Some(node) = node.filter(|n| site.nodes[n.index()].room_cm2 > 0) else { continue };
            let centre = site.centre(node);
            let (dx, dy) = (f64::from(centre.x - at.x), f64::from(centre.y - at.y));
            if (dx * x + dy * y).abs() <= half_deep && (dy * x - dx * y).abs() <= half_wide {
                nodes.push(node);
            }
        }
    }
    if nodes.is_empty() {
        nodes.extend(site.node_on(at, unit.stands.level));
    }
    nodes
}

/// Areas that an aim or an order names and that its side cannot get to, with
/// every gate open.
pub fn reach(battle: &Scenario, raw: &RawScenario, pen: &mut Pen<'_>) {
    let site = &battle.site;
    let reached: Vec<Vec<bool>> =
        (0..battle.sides.len()).map(|side| flood(battle, SideId::from_index(side))).collect();
    let open = |side: SideId, area: AreaId| {
        let mask = reached.get(side.index());
        site.areas
            .get(area.index())
            .is_none_or(|a| a.nodes.iter().any(|n| mask.is_some_and(|m| m[n.index()])))
    };
    let list = Path::ROOT.field("objectives");
    for (i, aim) in battle.objectives.iter().enumerate() {
        if let Some(area) = aim.area
            && !open(aim.side, area)
        {
            let words = [
                raw.sides.get(aim.side.index()).map(|s| s.id.clone()).unwrap_or_default(),
                site.areas[area.index()].id.clone(),
            ];
            pen.error(
                "E0611",
                &list.index(i).field("area"),
                Message::new("nobody of `{0}` can get to `{1}`", words),
            );
        }
    }
    let list = Path::ROOT.field("standing");
    for (i, line) in battle.standing.iter().enumerate() {
        let here = list.index(i);
        let acts = here.field("do");
        for (k, act) in line.acts.iter().enumerate() {
            let (Act::Go { to: Place::Area(area), .. } | Act::Stand(Place::Area(area))) = act
            else {
                continue;
            };
            for subject in &line.who {
                if let Subject::Unit(unit) = subject
                    && !open(battle.side_of(*unit), *area)
                {
                    let words = [
                        battle.units[unit.index()].id.clone(),
                        site.areas[area.index()].id.clone(),
                    ];
                    pen.error(
                        "E0611",
                        &acts.index(k),
                        Message::new("nobody of `{0}` can get to `{1}`", words),
                    );
                    break;
                }
            }
        }
    }
}

/// Nodes that units of a side can get to.
fn flood(battle: &Scenario, side: SideId) -> Vec<bool> {
    let site: &Site = &battle.site;
    let mut seen = vec![false; site.nodes.len()];
    let mut open: Vec<NodeId> = Vec::new();
    for (i, unit) in battle.units.iter().enumerate() {
        if battle.side_of(UnitId::from_index(i)) == side {
            open.extend(site.node_on(unit.stands.at, unit.stands.level));
        }
    }
    for node in &open {
        seen[node.index()] = true;
    }
    while let Some(node) = open.pop() {
        let mut step = |next: NodeId| {
            if !seen[next.index()] && site.nodes[next.index()].room_cm2 > 0 {
                seen[next.index()] = true;
                open.push(next);
            }
        };
        for next in site.neighbours[node.index()].iter().flatten() {
            step(*next);
        }
        for portal in site.portals_at(node) {
            let portal = &site.portals[portal.index()];
            for next in portal.outer.iter().chain(&portal.inner) {
                step(*next);
            }
        }
    }
    seen
}
