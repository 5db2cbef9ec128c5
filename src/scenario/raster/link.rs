//! Which node joins which.

use crate::core::ids::{NodeId, PortalId};
use crate::scenario::site::Portal;

use super::{Bar, Build};

/// Steps in the order E, NE, N, NW, W, SW, S, SE.
const STEPS: [(i64, i64); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// Neighbours of every node, and the rampart node of every cell.
///
/// On the ground a diagonal needs both cells beside it open, or walls would
/// leak at their corners; on a deck or a wall-walk, which are chains of cells,
/// one of the two is enough.
pub(super) fn neighbours(build: &Build<'_>) -> (Vec<[Option<NodeId>; 8]>, Vec<Option<NodeId>>) {
    let grid = build.grid;
    let cells = grid.cells();
    let mut rampart = vec![None; cells];
    for (i, wall) in build.rampart.iter().enumerate() {
        rampart[wall.0 as usize] = Some(NodeId::from_index(cells + i));
    }
    let place = |cell: usize| {
        ((cell % grid.columns as usize) as i64, (cell / grid.columns as usize) as i64)
    };
    let mut out = vec![[None; 8]; cells + build.rampart.len()];
    let open = |x: i64, y: i64| grid.index(x, y).filter(|c| build.bar[*c] == Bar::None);
    for (cell, links) in out.iter_mut().enumerate().take(cells) {
        if build.bar[cell] != Bar::None {
            continue;
        }
        let (x, y) = place(cell);
        for (d, (dx, dy)) in STEPS.iter().enumerate() {
            let Some(other) = open(x + dx, y + dy) else { continue };
            if d % 2 == 1 {
                let (one, two) = (open(x + dx, y), open(x, y + dy));
                let deck = |c: usize| build.work[c].is_some() && build.work[c] == build.work[cell];
                let chain = deck(other) && (one.is_some_and(deck) || two.is_some_and(deck));
                if !(chain || one.is_some() && two.is_some()) {
                    continue;
                }
            }
            links[d] = Some(NodeId::from_index(other));
        }
    }
    for (i, wall) in build.rampart.iter().enumerate() {
        let (x, y) = place(wall.0 as usize);
        let walk = |x: i64, y: i64| grid.index(x, y).and_then(|c| rampart[c]);
        for (d, (dx, dy)) in STEPS.iter().enumerate() {
            let other = walk(x + dx, y + dy);
            if other.is_some()
                && (d % 2 == 0 || walk(x + dx, y).is_some() || walk(x, y + dy).is_some())
            {
                out[cells + i][d] = other;
            }
        }
    }
    (out, rampart)
}

/// Portals from one of them on by the nodes that they touch, sorted by node.
pub(super) fn touching(portals: &[Portal], from: usize) -> Vec<(NodeId, PortalId)> {
    let mut list: Vec<(NodeId, PortalId)> = Vec::new();
    for (i, portal) in portals.iter().enumerate().skip(from) {
        let id = PortalId::from_index(i);
        list.extend(portal.outer.iter().chain(&portal.inner).map(|n| (*n, id)));
    }
    list.sort_unstable();
    list.dedup();
    list
}
