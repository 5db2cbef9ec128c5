//! Walls, gates, ramps and bridges.

use crate::core::ids::{NodeId, PortalId, WorkId, WorkKindId};
use crate::core::measure::{PointCm, metres_to_cm};
use crate::scenario::catalogue::Catalogue;
use crate::scenario::raw::map::{Feature, RawMap, Xy};
use crate::scenario::site::{DrawnForm, Portal, Site, Work, WorkForm};

use super::{Bar, Build, Made, RasterFault, STREET, ground_of};

/// How many cells beyond its mouth a gate looks for ground to stand on.
const REACH_CELLS: f64 = 4.0;

fn kind_of(catalogue: &Catalogue, kind: &str) -> Option<WorkKindId> {
    catalogue.works.iter().position(|w| w.id == kind).map(WorkKindId::from_index)
}

fn cm(p: Xy) -> PointCm {
    PointCm::from_metres(p.0, p.1)
}

/// Bridges: decks over water, a chain of cells that carries the whole breadth.
pub(super) fn bridges(build: &mut Build<'_>, map: &RawMap) {
    for (index, feature) in map.features.iter().enumerate() {
        let Feature::Bridge { id, name, kind, line, width_m, .. } = feature else { continue };
        let Some(kind) = kind_of(build.catalogue, kind) else {
            build.fault(index, format!("`{id}`: no kind of work `{kind}`"));
            continue;
        };
        if !build.sound(index, id, line, 2) || !build.measure(index, id, "a width", *width_m, 0.0) {
            continue;
        }
        let ground = ground_of(build.catalogue, STREET).unwrap_or(crate::core::ids::GroundId(0));
        let deck = build.lane(line, *width_m, Bar::Water, ground);
        if deck.is_empty() {
            if !build.grid.supercover(line).is_empty() {
                build.fault(index, format!("bridge `{id}` crosses no water"));
            }
            continue;
        }
        let work = WorkId::from_index(build.works.len());
        for cell in deck {
            build.work[cell] = Some(work);
        }
        let points: Vec<PointCm> = line.iter().map(|p| cm(*p)).collect();
        let at = points[0].towards(points[points.len() - 1], 1, 2);
        build.draw(DrawnForm::Bridge, Some(name.clone()), line, *width_m);
        build.works.push(Work {
            id: id.clone(),
            name: name.clone(),
            kind,
            form: WorkForm::Bridge { line: points, width_cm: metres_to_cm(*width_m) },
            at,
            outward: PointCm::default(),
            within: None,
        });
    }
}

/// Walls: every cell that the centre line touches, with a walk on top.
pub(super) fn walls(build: &mut Build<'_>, map: &RawMap) {
    for (index, feature) in map.features.iter().enumerate() {
        let Feature::Wall {
            id, name, kind, line, inside_left, thickness_m, height_m, walk_m, ..
        } = feature
        else {
            continue;
        };
        let Some(kind) = kind_of(build.catalogue, kind) else {
            build.fault(index, format!("`{id}`: no kind of work `{kind}`"));
            continue;
        };
        let sound = build.sound(index, id, line, 2)
            & build.measure(index, id, "a thickness", *thickness_m, 0.0)
            & build.measure(index, id, "a height", *height_m, 0.0)
            & build.measure(index, id, "a walk", *walk_m, 0.0);
        if !sound {
            continue;
        }
        let cells = build.grid.supercover(line);
        if cells.is_empty() {
            continue;
        }
        let work = WorkId::from_index(build.works.len());
        let (height, width) = (metres_to_cm(*height_m), metres_to_cm(*walk_m));
        for (cell, metres) in cells {
            if build.bar[cell] == Bar::Wall {
                // A corner or a crossing: the walk of the first wall goes on.
                continue;
            }
            build.bar[cell] = Bar::Wall;
            build.work[cell] = Some(work);
            // A cell that the line only clips still carries a man or two.
            let room = metres_to_cm((walk_m * metres).max(1.0) * 100.0);
            build.rampart.push((cell as u32, work, height, room, width));
        }
        let points: Vec<PointCm> = line.iter().map(|p| cm(*p)).collect();
        let middle = points[points.len() / 2];
        let outward =
            outward(&points, *inside_left, middle).map_or_else(PointCm::default, |(_, n)| n);
        let at = if points.len() == 2 { points[0].towards(points[1], 1, 2) } else { middle };
        build.works.push(Work {
            id: id.clone(),
            name: name.clone(),
            kind,
            form: WorkForm::Wall {
                line: points,
                thickness_cm: metres_to_cm(*thickness_m),
                height_cm: height,
                walk_cm: width,
            },
            at,
            outward,
            within: None,
        });
    }
}

/// The point of a line nearest to `at`, and the unit normal to the side that is
/// not inside, in thousandths.
fn outward(line: &[PointCm], inside_left: bool, at: PointCm) -> Option<(PointCm, PointCm)> {
    let mut best: Option<(i32, PointCm, PointCm)> = None;
    for pair in line.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        // Wide enough for any coordinate that a file can hold.
        let part = |to: i32, from: i32| i128::from(to) - i128::from(from);
        let (dx, dy) = (part(b.x, a.x), part(b.y, a.y));
        let square = dx * dx + dy * dy;
        let length = square.isqrt();
        if length == 0 {
            continue;
        }
        let along = (dx * part(at.x, a.x) + dy * part(at.y, a.y)).clamp(0, square);
        let foot = PointCm {
            x: a.x.saturating_add((dx * along / square) as i32),
            y: a.y.saturating_add((dy * along / square) as i32),
        };
        let sign = if inside_left { 1 } else { -1 };
        let normal = PointCm {
            x: (sign * dy * 1000 / length) as i32,
            y: (-sign * dx * 1000 / length) as i32,
        };
        let far = foot.distance_cm(at);
        if best.is_none_or(|(d, _, _)| far < d) {
            best = Some((far, foot, normal));
        }
    }
    best.map(|(_, foot, normal)| (foot, normal))
}

/// Which way a wall runs where it lies nearest to a point, in thousandths.
pub(super) fn runs(work: &Work, at: PointCm) -> PointCm {
    let WorkForm::Wall { line, .. } = &work.form else { return PointCm::default() };
    let normal = outward(line, true, at).map_or_else(PointCm::default, |(_, normal)| normal);
    PointCm { x: -normal.y, y: normal.x }
}

/// A wall of the map and what an opening needs of it.
struct Host<'a> {
    work: WorkId,
    line: Vec<PointCm>,
    inside_left: bool,
    thickness_m: f64,
    walk: &'a [Option<NodeId>],
}

/// The wall of that name, if it stands in the window.
fn host<'a>(
    site: &Site,
    map: &RawMap,
    wall: &str,
    walk: &'a [Option<NodeId>],
) -> Result<Option<Host<'a>>, String> {
    let found = map.features.iter().find_map(|f| match f {
        Feature::Wall { id, inside_left, thickness_m, .. } if id == wall => {
            Some((*inside_left, *thickness_m))
        }
        _ => None,
    });
    let Some((inside_left, thickness_m)) = found else {
        return Err(format!("there is no wall `{wall}`"));
    };
    let work =
        site.works.iter().position(|w| w.id == wall && matches!(w.form, WorkForm::Wall { .. }));
    Ok(work.and_then(|i| match &site.works[i].form {
        WorkForm::Wall { line, .. } => Some(Host {
            work: WorkId::from_index(i),
            line: line.clone(),
            inside_left,
            thickness_m,
            walk,
        }),
        _ => None,
    }))
}

/// Gates and ramps, once the ground is linked.
pub(super) fn openings(
    made: &mut Made,
    ramparts: &[Option<NodeId>],
    map: &RawMap,
    catalogue: &Catalogue,
) {
    for (index, feature) in map.features.iter().enumerate() {
        let made_of = match feature {
            Feature::Gate { .. } => gate(made, ramparts, map, catalogue, feature),
            Feature::Ramp { .. } => ramp(made, ramparts, map, catalogue, feature),
            _ => continue,
        };
        match made_of {
            Ok(Some((work, portal))) => {
                made.site.works.push(work);
                made.site.portals.push(portal);
            }
            Ok(None) => {}
            Err(message) => made.faults.push(RasterFault { feature: index, message }),
        }
    }
}

fn positive(id: &str, values: &[(&str, f64)]) -> Result<(), String> {
    match values.iter().find(|(_, v)| !(*v > 0.0 && *v < 1e4)) {
        Some((what, v)) => Err(format!("`{id}`: {what} of {v} is not above 0 and below 10,000")),
        None => Ok(()),
    }
}

/// Moves a point by metres along a direction in thousandths.
fn shifted(at: PointCm, dir: PointCm, cm: f64) -> PointCm {
    let go = |from: i32, d: i32| from.saturating_add((f64::from(d) / 1000.0 * cm) as i32);
    PointCm { x: go(at.x, dir.x), y: go(at.y, dir.y) }
}

/// Ground nodes along a front of `span_cm`, on the side that `out` points to:
/// from each point of the front the first open cell within reach.
fn front(site: &Site, at: PointCm, along: PointCm, out: PointCm, span_cm: f64) -> Vec<NodeId> {
    let cell = f64::from(site.cell_cm);
    let mut nodes = Vec::new();
    let half = span_cm / 2.0 + cell / 2.0;
    let count = (half / (cell / 4.0)).ceil() as i32;
    for k in -count..=count {
        let side = f64::from(k) / f64::from(count.max(1)) * half;
        let foot = shifted(at, along, side);
        let mut far = 0.0;
        let mut met = false;
        while far <= REACH_CELLS * cell {
            if let Some(node) = site.node_at(shifted(foot, out, far)) {
                let open = site.nodes[node.index()].room_cm2 > 0;
                // Before it has met the wall it may be on the wrong side of it.
                let wall = site.rampart_of[node.index()].is_some();
                met |= wall;
                if met && !wall {
                    // Water or houses right before the mouth: nobody passes there.
                    if open {
                        nodes.push(node);
                    }
                    break;
                }
            }
            far += cell / 4.0;
        }
    }
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

type Opening = Result<Option<(Work, Portal)>, String>;

fn gate(
    made: &Made,
    walk: &[Option<NodeId>],
    map: &RawMap,
    catalogue: &Catalogue,
    feature: &Feature,
) -> Opening {
    let Feature::Gate { id, name, kind, wall, at, passages, passage_m, depth_m, .. } = feature
    else {
        return Ok(None);
    };
    let kind =
        kind_of(catalogue, kind).ok_or_else(|| format!("`{id}`: no kind of work `{kind}`"))?;
    positive(
        id,
        &[
            ("a passage", *passage_m),
            ("a depth", *depth_m),
            ("a number of passages", f64::from(*passages)),
        ],
    )?;
    let host = host(made, map, wall, walk).map_err(|e| format!("gate `{id}`: {e}"))?;
    if made.node_at(cm(*at)).is_none() {
        return Ok(None);
    }
    let Some(host) = host else { return Ok(None) };
    let Some((foot, out)) = outward(&host.line, host.inside_left, cm(*at)) else { return Ok(None) };
    let off = foot.distance_cm(cm(*at));
    if f64::from(off) > host.thickness_m * 50.0 + f64::from(made.cell_cm) {
        return Err(format!("gate `{id}` stands {} m from the line of wall `{wall}`", off / 100));
    }
    let width = f64::from(*passages) * passage_m;
    let along = PointCm { x: -out.y, y: out.x };
    let inward = PointCm { x: -out.x, y: -out.y };
    let outer = front(made, foot, along, out, width * 100.0);
    let inner = front(made, foot, along, inward, width * 100.0);
    if outer.is_empty() || inner.is_empty() {
        let side = if outer.is_empty() { "outside" } else { "inside" };
        return Err(format!("gate `{id}` has no open ground {side} that men could stand on"));
    }
    let portal = PortalId::from_index(made.portals.len());
    let work = Work {
        id: id.clone(),
        name: name.clone(),
        kind,
        form: WorkForm::Gate { portal, passages: *passages },
        at: foot,
        outward: out,
        within: Some(host.work),
    };
    Ok(Some((
        work,
        Portal {
            work: WorkId::from_index(made.works.len()),
            width_cm: metres_to_cm(width),
            length_cm: metres_to_cm(*depth_m),
            outer,
            inner,
            outer_at: shifted(foot, out, depth_m * 50.0),
            inner_at: shifted(foot, inward, depth_m * 50.0),
            leaves: true,
            horse: true,
            speed: catalogue.works[kind.index()].speed(),
        },
    )))
}

fn ramp(
    made: &Made,
    walk: &[Option<NodeId>],
    map: &RawMap,
    catalogue: &Catalogue,
    feature: &Feature,
) -> Opening {
    let Feature::Ramp { id, name, kind, wall, at, width_m, length_m, horse, .. } = feature else {
        return Ok(None);
    };
    let kind =
        kind_of(catalogue, kind).ok_or_else(|| format!("`{id}`: no kind of work `{kind}`"))?;
    positive(id, &[("a width", *width_m), ("a length", *length_m)])?;
    let host = host(made, map, wall, walk).map_err(|e| format!("ramp `{id}`: {e}"))?;
    if made.node_at(cm(*at)).is_none() {
        return Ok(None);
    }
    let Some(host) = host else { return Ok(None) };
    let Some((foot, out)) = outward(&host.line, host.inside_left, cm(*at)) else { return Ok(None) };
    let along = PointCm { x: -out.y, y: out.x };
    let inward = PointCm { x: -out.x, y: -out.y };
    let lower = front(made, foot, along, inward, width_m * 100.0);
    if lower.is_empty() {
        return Err(format!("ramp `{id}` has no open ground at its foot"));
    }
    let mut upper: Vec<NodeId> = Vec::new();
    let half = width_m * 50.0 + f64::from(made.cell_cm) / 2.0;
    for k in -4..=4 {
        let point = shifted(foot, along, f64::from(k) / 4.0 * half);
        upper.extend(made.node_at(point).and_then(|n| host.walk[n.index()]));
    }
    upper.sort_unstable();
    upper.dedup();
    if upper.is_empty() {
        return Err(format!("ramp `{id}` does not reach the walk of wall `{wall}`"));
    }
    let portal = PortalId::from_index(made.portals.len());
    let work = Work {
        id: id.clone(),
        name: name.clone(),
        kind,
        form: WorkForm::Ramp { portal },
        at: foot,
        outward: out,
        within: Some(host.work),
    };
    Ok(Some((
        work,
        Portal {
            work: WorkId::from_index(made.works.len()),
            width_cm: metres_to_cm(*width_m),
            length_cm: metres_to_cm(*length_m),
            outer: lower,
            inner: upper,
            outer_at: shifted(foot, inward, host.thickness_m * 50.0),
            inner_at: foot,
            leaves: false,
            horse: *horse,
            speed: catalogue.works[kind.index()].speed(),
        },
    )))
}

/// The latent portals of the walls: one for each cell of open ground at the outer
/// foot, up to the cell of the walk nearest to it.
pub(super) fn stretches(made: &Made, map: &RawMap) -> Vec<Portal> {
    let cell = f64::from(made.cell_cm);
    let mut found: Vec<(NodeId, i32, NodeId, WorkId)> = Vec::new();
    for (i, node) in made.nodes.iter().enumerate().skip(made.cells()) {
        let Some(work) = node.work else { continue };
        let WorkForm::Wall { line, .. } = &made.works[work.index()].form else { continue };
        let inside_left = map.features.iter().find_map(|f| match f {
            Feature::Wall { id, inside_left, .. } if *id == made.works[work.index()].id => {
                Some(*inside_left)
            }
            _ => None,
        });
        let walk = NodeId::from_index(i);
        let centre = made.centre(walk);
        let Some((_, out)) = inside_left.and_then(|left| outward(line, left, centre)) else {
            continue;
        };
        let mut far = cell / 4.0;
        while far <= REACH_CELLS * cell / 2.0 {
            let Some(foot) = made.node_at(shifted(centre, out, far)) else { break };
            if made.rampart_of[foot.index()].is_none() {
                // Water or houses at the foot: no ladder stands there.
                if made.nodes[foot.index()].room_cm2 > 0 {
                    found.push((foot, made.centre(foot).distance_cm(centre), walk, work));
                }
                break;
            }
            far += cell / 4.0;
        }
    }
    found.sort_unstable();
    found.dedup_by_key(|(foot, ..)| *foot);
    let portal = |(foot, far, walk, work): (NodeId, i32, NodeId, WorkId)| {
        let (low, high) = (made.centre(foot), made.centre(walk));
        Portal {
            work,
            width_cm: made.cell_cm,
            length_cm: made.nodes[walk.index()].height_cm,
            outer: vec![foot],
            inner: vec![walk],
            // The foot of the ladders: the edge of the cell, on the wall's side.
            outer_at: low.towards(high, (far / 2 - 100).max(0), far.max(1)),
            inner_at: low.towards(high, (far / 2 + 100).min(far), far.max(1)),
            leaves: false,
            horse: false,
            speed: 1.0,
        }
    };
    found.into_iter().map(portal).collect()
}

/// The walk between two points of a wall: its nodes and its middle.
pub(super) fn stretch(
    made: &Made,
    wall: &str,
    from: Xy,
    to: Xy,
) -> Result<(Vec<NodeId>, PointCm), String> {
    let work = made
        .works
        .iter()
        .position(|w| w.id == wall)
        .ok_or_else(|| format!("there is no wall `{wall}`"))?;
    let WorkForm::Wall { line, .. } = &made.works[work].form else {
        return Err(format!("`{wall}` is no wall"));
    };
    let place = |p: Xy| along(line, cm(p));
    let (mut low, mut high) = (place(from), place(to));
    if low > high {
        std::mem::swap(&mut low, &mut high);
    }
    let own = Some(WorkId::from_index(work));
    let nodes = (made.cells()..made.nodes.len())
        .map(NodeId::from_index)
        .filter(|n| {
            made.nodes[n.index()].work == own
                && (low..=high).contains(&along(line, made.centre(*n)))
        })
        .collect();
    Ok((nodes, cm(((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0))))
}

/// How far along a line its point nearest to `at` lies, in centimetres.
fn along(line: &[PointCm], at: PointCm) -> i64 {
    let (mut best, mut found, mut before) = (i64::MAX, 0, 0);
    for pair in line.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let (dx, dy) = (i64::from(b.x - a.x), i64::from(b.y - a.y));
        let square = (dx * dx + dy * dy).max(1);
        let part = (dx * i64::from(at.x - a.x) + dy * i64::from(at.y - a.y)).clamp(0, square);
        let foot =
            PointCm { x: a.x + (dx * part / square) as i32, y: a.y + (dy * part / square) as i32 };
        let far = i64::from(foot.distance_cm(at));
        if far < best {
            best = far;
            found = before + square.isqrt() * part / square;
        }
        before += square.isqrt();
    }
    found
}
