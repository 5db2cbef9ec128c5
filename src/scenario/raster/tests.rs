use super::*;
use crate::scenario::catalogue::Name;
use crate::sim::kit;

fn name() -> Name {
    Name::default()
}

fn src() -> String {
    "test".into()
}

fn wall(line: Vec<Xy>) -> Feature {
    Feature::Wall {
        id: "w".into(),
        name: name(),
        kind: "city_wall".into(),
        line,
        inside_left: true,
        thickness_m: 10.0,
        height_m: 10.0,
        walk_m: 8.0,
        source: src(),
    }
}

fn gate(at: Xy, passages: i32) -> Feature {
    Feature::Gate {
        id: "g".into(),
        name: name(),
        kind: "city_gate".into(),
        wall: "w".into(),
        at,
        passages,
        passage_m: 5.8,
        depth_m: 14.0,
        source: src(),
    }
}

fn map(features: Vec<Feature>) -> RawMap {
    RawMap { id: "m".into(), name: name(), ground: "firm".into(), features }
}

/// Nodes reachable on the ground from the south-west corner.
fn reached(site: &Site) -> Vec<bool> {
    let mut seen = vec![false; site.nodes.len()];
    let mut stack = vec![NodeId(0)];
    while let Some(node) = stack.pop() {
        if std::mem::replace(&mut seen[node.index()], true) {
            continue;
        }
        stack.extend(site.neighbours[node.index()].iter().flatten());
    }
    seen
}

#[test]
fn no_wall_or_ditch_leaks_at_any_angle_or_cell() {
    let catalogue = kit::catalogue();
    for cell in [5.0, 10.0, 15.0, 20.0] {
        for (a, b) in [
            ((-50.0, 7.0), (650.0, 600.0)),
            ((-10.0, 333.0), (610.0, 299.0)),
            ((300.0, -5.0), (301.0, 700.0)),
        ] {
            let ditch = Feature::Water {
                id: "d".into(),
                name: None,
                line: vec![a, b],
                area: vec![],
                width_m: 2.0,
                depth_m: 2.0,
                source: src(),
            };
            for feature in [wall(vec![a, b]), ditch] {
                let (site, faults) =
                    raster(&map(vec![feature]), &catalogue, (0.0, 0.0, 600.0, 600.0), cell);
                assert!(faults.is_empty(), "{faults:?}");
                let seen = reached(&site);
                let open = (0..site.cells()).filter(|n| site.nodes[*n].room_cm2 > 0).count();
                let inside = seen.iter().filter(|s| **s).count();
                assert!(
                    inside > 10 && inside + 10 < open,
                    "cell {cell}: {inside} of {open} from {a:?} to {b:?}"
                );
            }
        }
    }
}

#[test]
fn a_gate_is_one_portal_and_its_wall_walk_goes_on_over_it() {
    let catalogue = kit::catalogue();
    for cell in [10.0, 15.0, 20.0] {
        let features = vec![gate((302.0, 151.0), 3), wall(vec![(0.0, 140.0), (600.0, 165.0)])];
        let (site, faults) = raster(&map(features), &catalogue, (0.0, 0.0, 600.0, 300.0), cell);
        assert!(faults.is_empty(), "{faults:?}");
        assert_eq!(site.passages, 1);
        let portal = &site.portals[0];
        assert_eq!(portal.width_cm, 1740);
        assert!(!portal.outer.is_empty() && !portal.inner.is_empty());
        // The wall runs east with its inside on the left: outside is south.
        assert!(portal.outer_at.y < portal.inner_at.y);
        assert_eq!(portal.outer_at.distance_cm(portal.inner_at) / 10, 139);
        let seen = reached(&site);
        assert!(portal.outer.iter().all(|n| seen[n.index()]));
        assert!(portal.inner.iter().all(|n| !seen[n.index()]));
        // From one end of the walk to the other without leaving it.
        let first = NodeId::from_index(site.cells());
        let mut walk = vec![false; site.nodes.len()];
        let mut stack = vec![first];
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut walk[node.index()], true) {
                stack.extend(site.neighbours[node.index()].iter().flatten());
            }
        }
        assert!(walk[site.cells()..].iter().all(|w| *w));
        assert!(walk[..site.cells()].iter().all(|w| !w));
    }
}

#[test]
fn lanes_keep_their_width_on_any_grid() {
    let catalogue = kit::catalogue();
    for cell in [10.0, 15.0, 20.0] {
        for width in [4.0, 12.0, 15.0, 17.4, 30.0, 60.0] {
            for y in [100.0, 103.0, 107.5] {
                let block = Feature::Block {
                    id: "b".into(),
                    name: None,
                    area: vec![(-10.0, -10.0), (400.0, -10.0), (400.0, 310.0), (-10.0, 310.0)],
                    source: src(),
                };
                let street = Feature::Street {
                    id: "s".into(),
                    name: None,
                    line: vec![(-10.0, y), (400.0, y)],
                    width_m: width,
                    source: src(),
                };
                let (site, faults) =
                    raster(&map(vec![block, street]), &catalogue, (0.0, 0.0, 300.0, 300.0), cell);
                assert!(faults.is_empty(), "{faults:?}");
                let x = site.columns / 2;
                let total: i32 = (0..site.rows)
                    .map(|r| site.nodes[(r * site.columns + x) as usize].width_cm)
                    .sum();
                let off = (f64::from(total) / 100.0 - width).abs();
                assert!(off < 0.1, "cell {cell}, {width} m at {y}: {total} cm");
            }
        }
    }
}

#[test]
fn faults_are_found_all_at_once_and_the_rest_stands() {
    let catalogue = kit::catalogue();
    let bad = vec![
        wall(vec![(0.0, 150.0), (600.0, 150.0)]),
        Feature::Gate {
            id: "x".into(),
            name: name(),
            kind: "city_gate".into(),
            wall: "nowhere".into(),
            at: (10.0, 10.0),
            passages: 1,
            passage_m: 5.0,
            depth_m: 10.0,
            source: src(),
        },
        gate((300.0, 250.0), 1),
        Feature::Ground {
            id: "y".into(),
            kind: "cheese".into(),
            area: vec![(0.0, 0.0); 3],
            source: src(),
        },
        Feature::Area {
            id: "a".into(),
            name: name(),
            area: vec![(9000.0, 9000.0), (9001.0, 9000.0), (9001.0, 9001.0)],
            source: src(),
        },
        Feature::Street {
            id: "n".into(),
            name: None,
            line: vec![(f64::NAN, 0.0), (1.0, 1.0)],
            width_m: 3.0,
            source: src(),
        },
    ];
    let (site, faults) = raster(&map(bad), &catalogue, (0.0, 0.0, 600.0, 300.0), 15.0);
    let mut at: Vec<usize> = faults.iter().map(|f| f.feature).collect();
    at.sort_unstable();
    assert_eq!(at, [1, 2, 3, 4, 5], "{faults:?}");
    assert_eq!(site.works.len(), 1);
    for window in [(0.0, 0.0, 0.0, 0.0), (0.0, 0.0, f64::NAN, 1.0), (0.0, 0.0, 1e5, 1e5)] {
        let (site, faults) = raster(&map(vec![]), &catalogue, window, 1.0);
        assert_eq!((site.cells(), faults.len()), (1, 1));
    }
}

#[test]
fn a_ramp_leads_from_the_ground_inside_to_the_walk_and_a_sector_lies_on_it() {
    let catalogue = kit::catalogue();
    let features = vec![
        wall(vec![(0.0, 150.0), (600.0, 150.0)]),
        Feature::Ramp {
            id: "r".into(),
            name: name(),
            kind: "ramp".into(),
            wall: "w".into(),
            at: (200.0, 155.0),
            width_m: 5.0,
            length_m: 40.0,
            horse: true,
            source: src(),
        },
        Feature::Sector {
            id: "s".into(),
            name: name(),
            wall: "w".into(),
            from: (150.0, 150.0),
            to: (250.0, 150.0),
            source: src(),
        },
    ];
    let (site, faults) = raster(&map(features), &catalogue, (0.0, 0.0, 600.0, 300.0), 15.0);
    assert!(faults.is_empty(), "{faults:?}");
    let portal = &site.portals[0];
    assert!(portal.outer.iter().all(|n| n.index() < site.cells() && site.centre(*n).y > 15_000));
    assert!(portal.inner.iter().all(|n| n.index() >= site.cells()));
    assert!((6..=8).contains(&site.areas[0].nodes.len()));
    assert!(site.areas[0].nodes.iter().all(|n| n.index() >= site.cells()));
}

#[test]
fn a_whole_city_is_set_up_within_a_breath() {
    let catalogue = kit::catalogue();
    let mut features = vec![
        Feature::Water {
            id: "river".into(),
            name: None,
            line: vec![(-100.0, 3900.0), (3000.0, 4100.0), (6500.0, 3800.0)],
            area: vec![],
            width_m: 200.0,
            depth_m: 5.0,
            source: src(),
        },
        wall(vec![
            (100.0, 100.0),
            (6300.0, 120.0),
            (6250.0, 7100.0),
            (120.0, 7050.0),
            (100.0, 100.0),
        ]),
    ];
    for i in 0..100 {
        let (x, y) = (200.0 + f64::from(i % 10) * 600.0, 200.0 + f64::from(i / 10) * 680.0);
        features.push(Feature::Block {
            id: format!("b{i}"),
            name: None,
            area: vec![(x, y), (x + 500.0, y), (x + 500.0, y + 500.0), (x, y + 500.0)],
            source: src(),
        });
        features.push(Feature::Street {
            id: format!("s{i}"),
            name: None,
            line: vec![(x, y + 250.0), (x + 500.0, y + 260.0)],
            width_m: 30.0,
            source: src(),
        });
    }
    let began = std::time::Instant::now();
    let (site, faults) = raster(&map(features), &catalogue, (0.0, 0.0, 6400.0, 7200.0), 15.0);
    let took = began.elapsed();
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!(site.cells(), 427 * 480);
    // Debug builds and busy machines included; an optimised one needs a tenth.
    assert!(took.as_millis() < 3000, "{took:?}");
    println!("{took:?}");
}
