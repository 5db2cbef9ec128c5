//! Maps: shapes that can be drawn, gates within walls, ramps that lead somewhere.

use std::collections::{BTreeMap, BTreeSet};

use crate::scenario::findings::Message;
use crate::scenario::raster::RasterFault;
use crate::scenario::raw::map::{Feature, RawMap, Xy};
use crate::scenario::resolve::{Pen, Table, Tables};
use crate::scenario::spans::Path;

/// Points of one feature; more is no feature of a siege.
const MOST_POINTS: usize = 2_000;
/// Features of one map.
const MOST_FEATURES: usize = 5_000;
/// Farthest from the map's origin.
const FARTHEST_M: f64 = 100_000.0;

/// What a feature is called.
fn id_of(feature: &Feature) -> &str {
    match feature {
        Feature::Ground { id, .. }
        | Feature::Block { id, .. }
        | Feature::Water { id, .. }
        | Feature::Street { id, .. }
        | Feature::Wall { id, .. }
        | Feature::Gate { id, .. }
        | Feature::Ramp { id, .. }
        | Feature::Bridge { id, .. }
        | Feature::Area { id, .. }
        | Feature::Sector { id, .. } => id,
    }
}

/// All features one by one, and against each other; tells which are at fault.
pub fn features(raw: &RawMap, tables: &Tables, pen: &mut Pen<'_>) -> BTreeSet<usize> {
    let mut faulty = BTreeSet::new();
    let list = Path::ROOT.field("features");
    if raw.features.len() > MOST_FEATURES {
        pen.error(
            "E0501",
            &list,
            Message::new(
                "the map has {0} features; {1} are the most",
                [raw.features.len().to_string(), MOST_FEATURES.to_string()],
            ),
        );
    }
    pen.look(&tables.ground, &raw.ground, &Path::ROOT.field("ground"));
    let walls: BTreeMap<&str, (&Vec<Xy>, f64)> = raw
        .features
        .iter()
        .filter_map(|f| match f {
            Feature::Wall { id, line, thickness_m, .. } => {
                Some((id.as_str(), (line, *thickness_m)))
            }
            _ => None,
        })
        .collect();
    let wall_names = Table::new("wall", true, walls.keys().copied());
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (i, feature) in raw.features.iter().enumerate() {
        let here = list.index(i);
        let before = pen.count();
        let id = id_of(feature);
        if id.is_empty() {
            pen.error("E0303", &here.field("id"), Message::new("an id must not be empty", []));
        } else if let Some(first) = seen.insert(id, i) {
            pen.error(
                "E0302",
                &here.field("id"),
                Message::new("there are two of {0} `{1}`", ["feature".to_string(), id.to_string()]),
            );
            pen.relate(&list.index(first).field("id"), Message::new("the first one", []));
        }
        shape(feature, pen, &here);
        match feature {
            Feature::Ground { kind, .. } => {
                pen.look(&tables.ground, kind, &here.field("kind"));
            }
            Feature::Wall { kind, .. } | Feature::Bridge { kind, .. } => {
                pen.look(&tables.works_kinds, kind, &here.field("kind"));
            }
            Feature::Gate { kind, wall, at, passages, passage_m, .. } => {
                pen.look(&tables.works_kinds, kind, &here.field("kind"));
                if pen.look(&wall_names, wall, &here.field("wall")).is_some()
                    && let Some((line, thickness)) = walls.get(wall.as_str())
                {
                    gate(id, *at, f64::from(*passages) * passage_m, line, *thickness, pen, &here);
                }
            }
            Feature::Ramp { kind, wall, at, length_m, .. } => {
                pen.look(&tables.works_kinds, kind, &here.field("kind"));
                if pen.look(&wall_names, wall, &here.field("wall")).is_some()
                    && let Some((line, thickness)) = walls.get(wall.as_str())
                {
                    let off = distance(*at, line);
                    if off > thickness / 2.0 + length_m {
                        let words = [id.to_string(), rounded(off), wall.clone()];
                        pen.error(
                            "E0504",
                            &here.field("at"),
                            Message::new(
                                "the ramp `{0}` leads nowhere: it is {1} m from the wall `{2}`",
                                words,
                            ),
                        );
                    }
                }
            }
            Feature::Sector { wall, .. } => {
                pen.look(&wall_names, wall, &here.field("wall"));
            }
            _ => {}
        }
        if pen.count() > before {
            faulty.insert(i);
        }
    }
    faulty
}

fn gate(
    id: &str,
    at: Xy,
    width: f64,
    line: &[Xy],
    thickness: f64,
    pen: &mut Pen<'_>,
    here: &Path<'_>,
) {
    let off = distance(at, line);
    // Half the thickness, and half a metre for rounded coordinates.
    if off > thickness / 2.0 + 0.5 {
        let words = [id.to_string(), rounded(off)];
        pen.error(
            "E0502",
            &here.field("at"),
            Message::new(
                "the gate `{0}` is in no wall: it is {1} m from the line of its wall",
                words,
            ),
        );
    }
    let length = line.windows(2).map(|p| far(p[0], p[1])).sum::<f64>();
    if width > length {
        let words = [id.to_string(), rounded(width), rounded(length)];
        pen.error(
            "E0503",
            &here.field("passages"),
            Message::new("the gate `{0}` is {1} m wide, wider than its wall of {2} m", words),
        );
    }
}

fn rounded(metres: f64) -> String {
    format!("{metres:.1}")
}

fn far(a: Xy, b: Xy) -> f64 {
    let (x, y) = (b.0 - a.0, b.1 - a.1);
    (x * x + y * y).sqrt()
}

/// Metres from a point to the nearest point of a line.
fn distance(at: Xy, line: &[Xy]) -> f64 {
    let mut best = line.first().map_or(f64::MAX, |p| far(at, *p));
    for pair in line.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let square = dx * dx + dy * dy;
        if square <= 0.0 {
            continue;
        }
        let part = (((at.0 - a.0) * dx + (at.1 - a.1) * dy) / square).clamp(0.0, 1.0);
        best = best.min(far(at, (a.0 + dx * part, a.1 + dy * part)));
    }
    best
}

/// Whether a feature has a shape at all.
fn shape(feature: &Feature, pen: &mut Pen<'_>, here: &Path<'_>) {
    let points = |name: &str, points: &[Xy], least: usize, pen: &mut Pen<'_>| {
        let path = here.field(name);
        if points.len() < least {
            pen.error(
                "E0501",
                &path,
                Message::new(
                    "`{0}` needs {1} points or more",
                    [name.to_string(), least.to_string()],
                ),
            );
        } else if points.len() > MOST_POINTS {
            pen.error(
                "E0501",
                &path,
                Message::new(
                    "`{0}` has more than {1} points",
                    [name.to_string(), MOST_POINTS.to_string()],
                ),
            );
        }
        for (i, (x, y)) in points.iter().enumerate() {
            if x.abs() > FARTHEST_M || y.abs() > FARTHEST_M {
                pen.error(
                    "E0402",
                    &path.index(i),
                    Message::new(
                        "a point lies within {0} m of the map's origin",
                        [FARTHEST_M.to_string()],
                    ),
                );
            }
        }
    };
    let one = |name: &str, (x, y): Xy, pen: &mut Pen<'_>| {
        if x.abs() > FARTHEST_M || y.abs() > FARTHEST_M {
            pen.error(
                "E0402",
                &here.field(name),
                Message::new(
                    "a point lies within {0} m of the map's origin",
                    [FARTHEST_M.to_string()],
                ),
            );
        }
    };
    let metres = |name: &str, value: f64, least: f64, most: f64, pen: &mut Pen<'_>| {
        if !(least..=most).contains(&value) {
            let words = [name.to_string(), least.to_string(), most.to_string(), value.to_string()];
            pen.error(
                "E0402",
                &here.field(name),
                Message::new("`{0}` goes from {1} to {2}, not {3}", words),
            );
        }
    };
    match feature {
        Feature::Ground { area, .. } | Feature::Block { area, .. } | Feature::Area { area, .. } => {
            points("area", area, 3, pen)
        }
        Feature::Water { line, area, width_m, depth_m, .. } => {
            metres("depth_m", *depth_m, 0.0, 1000.0, pen);
            match (line.is_empty(), area.is_empty()) {
                (false, true) => {
                    points("line", line, 2, pen);
                    metres("width_m", *width_m, 0.5, 5000.0, pen);
                }
                (true, false) => points("area", area, 3, pen),
                _ => pen.error(
                    "E0501",
                    here,
                    Message::new("water has either a `line` with a `width_m` or an `area`", []),
                ),
            }
        }
        Feature::Street { line, width_m, .. } | Feature::Bridge { line, width_m, .. } => {
            points("line", line, 2, pen);
            metres("width_m", *width_m, 0.5, 1000.0, pen);
        }
        Feature::Wall { line, thickness_m, height_m, walk_m, .. } => {
            points("line", line, 2, pen);
            metres("thickness_m", *thickness_m, 0.2, 200.0, pen);
            metres("height_m", *height_m, 0.5, 100.0, pen);
            metres("walk_m", *walk_m, 0.0, 200.0, pen);
        }
        Feature::Gate { at, passages, passage_m, depth_m, .. } => {
            one("at", *at, pen);
            metres("passages", f64::from(*passages), 1.0, 20.0, pen);
            metres("passage_m", *passage_m, 0.5, 100.0, pen);
            metres("depth_m", *depth_m, 0.2, 200.0, pen);
        }
        Feature::Ramp { at, width_m, length_m, .. } => {
            one("at", *at, pen);
            metres("width_m", *width_m, 0.5, 100.0, pen);
            metres("length_m", *length_m, 0.5, 500.0, pen);
        }
        Feature::Sector { from, to, .. } => {
            one("from", *from, pen);
            one("to", *to, pen);
        }
    }
}

/// What drawing the map in this window found.
pub fn drawn(
    raw: &RawMap,
    window: (f64, f64, f64, f64),
    faults: &[RasterFault],
    pen: &mut Pen<'_>,
) {
    let list = Path::ROOT.field("features");
    for fault in faults {
        let Some(feature) = raw.features.get(fault.feature) else { continue };
        let here = list.index(fault.feature);
        let code = match feature {
            Feature::Ramp { .. } => "E0504",
            Feature::Gate { .. } => "E0506",
            Feature::Area { area, .. } if outside(area, window) => continue,
            Feature::Sector { from, to, .. } if outside(&[*from, *to], window) => continue,
            _ => "E0505",
        };
        pen.error(code, &here.field("id"), Message::new("{0}", [fault.message.clone()]));
    }
}

/// Whether points lie wholly on one outer side of a window.
fn outside(points: &[Xy], (west, south, east, north): (f64, f64, f64, f64)) -> bool {
    points.iter().all(|p| p.0 <= west)
        || points.iter().all(|p| p.0 >= east)
        || points.iter().all(|p| p.1 <= south)
        || points.iter().all(|p| p.1 >= north)
}
