//! A map in metres into cells, portals and areas. Pure: no files, no dice.
//!
//! Order of the layers: ground, blocks, water and streets as they are drawn;
//! then bridges over the water, walls over everything, gates and ramps through
//! the walls, and last the named areas. What lies outside the window is cut off.

mod draw;
mod link;
mod works;

use crate::core::ids::{GroundId, NodeId, WorkId};
use crate::core::measure::{PointCm, metres_to_cm};

use super::catalogue::Catalogue;
use super::raw::map::{Feature, RawMap, Xy};
use super::site::{Area, Drawn, DrawnForm, Level, Node, Site};

use draw::Grid;

/// Most ground cells that a window may have: above it a map is a mistake.
const MOST_CELLS: f64 = 4_000_000.0;
/// Kind of ground that streets are made of, where the rules have it.
const STREET: &str = "street";
/// Kind of ground under water.
const WATER: &str = "water";
/// Kind of ground under houses.
const BUILT: &str = "built";

/// What is wrong with a feature of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RasterFault {
    /// Index of the feature; the number of features for the map as a whole.
    pub feature: usize,
    /// What is wrong, in a sentence.
    pub message: String,
}

/// Rasterises what lies in `window` (west, south, east, north in metres) to cells
/// of `cell_m` metres. The site is whole even where there are faults, without
/// the features at fault; a window or cell that makes no sense gives one cell.
#[must_use]
pub fn raster(
    map: &RawMap,
    catalogue: &Catalogue,
    window: (f64, f64, f64, f64),
    cell_m: f64,
) -> (Site, Vec<RasterFault>) {
    let mut faults = Vec::new();
    let whole = map.features.len();
    let (west, south, east, north) = window;
    let finite = [west, south, east, north, cell_m].iter().all(|v| v.is_finite() && v.abs() < 1e6);
    let sound = finite && (1.0..=200.0).contains(&cell_m) && east > west && north > south;
    let cells = (east - west) / cell_m * ((north - south) / cell_m);
    let grid = if sound && cells <= MOST_CELLS {
        let cell_cm = metres_to_cm(cell_m).max(100);
        let count =
            |from: f64, to: f64| ((metres_to_cm(to - from) + cell_cm - 1) / cell_cm).max(1) as u32;
        Grid::new(
            PointCm::from_metres(west, south),
            cell_cm,
            count(west, east),
            count(south, north),
        )
    } else {
        let message = format!(
            "a window of {west}, {south} to {east}, {north} m in cells of {cell_m} m cannot be drawn"
        );
        faults.push(RasterFault { feature: whole, message });
        Grid::new(PointCm::default(), 1000, 1, 1)
    };
    let default = ground_of(catalogue, &map.ground).unwrap_or_else(|| {
        faults.push(RasterFault {
            feature: whole,
            message: format!("no kind of ground `{}`", map.ground),
        });
        GroundId(0)
    });
    let mut build = Build::new(grid, catalogue, default, faults);
    for (index, feature) in map.features.iter().enumerate() {
        build.surface(index, feature);
    }
    works::bridges(&mut build, map);
    works::walls(&mut build, map);
    let (neighbours, ramparts) = link::neighbours(&build);
    let mut site = build.into_site(neighbours);
    works::openings(&mut site, &ramparts, map, catalogue);
    areas(&mut site, map);
    site.site.passages = site.portals.len();
    site.portals_of = link::touching(&site.portals, 0);
    let stretches = works::stretches(&site, map);
    let from = site.portals.len();
    site.portals.extend(stretches);
    site.stretches_of = link::touching(&site.portals, from);
    (site.site, site.faults)
}

/// The id of a kind of ground.
fn ground_of(catalogue: &Catalogue, id: &str) -> Option<GroundId> {
    catalogue.ground.iter().position(|g| g.id == id).map(GroundId::from_index)
}

/// What keeps men off a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bar {
    None,
    Houses,
    Water,
    Wall,
}

/// The cells while they are being drawn.
struct Build<'a> {
    grid: Grid,
    catalogue: &'a Catalogue,
    ground: Vec<GroundId>,
    bar: Vec<Bar>,
    /// Free width in centimetres.
    width: Vec<i32>,
    /// Square centimetres to stand on.
    room: Vec<i32>,
    work: Vec<Option<WorkId>>,
    /// Ground cells that carry a rampart: wall, height, walk's room and breadth.
    rampart: Vec<(u32, WorkId, i32, i32, i32)>,
    works: Vec<super::site::Work>,
    drawn: Vec<Drawn>,
    faults: Vec<RasterFault>,
}

/// A site in the making, with its faults.
struct Made {
    site: Site,
    faults: Vec<RasterFault>,
}

impl std::ops::Deref for Made {
    type Target = Site;
    fn deref(&self) -> &Site {
        &self.site
    }
}

impl std::ops::DerefMut for Made {
    fn deref_mut(&mut self) -> &mut Site {
        &mut self.site
    }
}

impl<'a> Build<'a> {
    fn new(
        grid: Grid,
        catalogue: &'a Catalogue,
        default: GroundId,
        faults: Vec<RasterFault>,
    ) -> Self {
        let cells = grid.cells();
        let cell = grid.cell_cm;
        Self {
            grid,
            catalogue,
            ground: vec![default; cells],
            bar: vec![Bar::None; cells],
            width: vec![cell; cells],
            room: vec![cell * cell; cells],
            work: vec![None; cells],
            rampart: Vec::new(),
            works: Vec::new(),
            drawn: Vec::new(),
            faults,
        }
    }

    fn fault(&mut self, feature: usize, message: String) {
        self.faults.push(RasterFault { feature, message });
    }

    /// Whether the points make a line or polygon of at least `least` corners.
    fn sound(&mut self, feature: usize, id: &str, points: &[Xy], least: usize) -> bool {
        if points.len() < least {
            self.fault(feature, format!("`{id}` has {} points and needs {least}", points.len()));
            return false;
        }
        if points.iter().any(|p| !(p.0.abs() < 1e6 && p.1.abs() < 1e6)) {
            self.fault(feature, format!("`{id}` has a point that is no place within 1,000 km"));
            return false;
        }
        true
    }

    /// Whether a measure is a number above `least`.
    fn measure(&mut self, feature: usize, id: &str, what: &str, value: f64, least: f64) -> bool {
        if value > least && value < 1e5 {
            return true;
        }
        self.fault(
            feature,
            format!("`{id}`: {what} of {value} m is not above {least} and below 100,000"),
        );
        false
    }

    fn open(&mut self, cell: usize, ground: GroundId) {
        self.ground[cell] = ground;
        self.bar[cell] = Bar::None;
        self.width[cell] = self.grid.cell_cm;
        self.room[cell] = self.grid.cell_cm * self.grid.cell_cm;
    }

    /// Draws ground, blocks, water and streets.
    fn surface(&mut self, index: usize, feature: &Feature) {
        let named = |id: &str, of: &Catalogue| ground_of(of, id).unwrap_or(GroundId(0));
        match feature {
            Feature::Ground { id, kind, area, .. } => {
                let Some(ground) = ground_of(self.catalogue, kind) else {
                    return self.fault(index, format!("`{id}`: no kind of ground `{kind}`"));
                };
                if self.sound(index, id, area, 3) {
                    for cell in self.grid.polygon(area) {
                        self.open(cell, ground);
                    }
                    self.draw(DrawnForm::Ground(ground), None, area, 0.0);
                }
            }
            Feature::Block { id, name, area, .. } => {
                if !self.sound(index, id, area, 3) {
                    return;
                }
                let ground = named(BUILT, self.catalogue);
                for cell in self.grid.polygon(area) {
                    self.ground[cell] = ground;
                    self.bar[cell] = Bar::Houses;
                }
                self.draw(DrawnForm::Ward, name.clone(), area, 0.0);
            }
            Feature::Water { id, name, line, area, width_m, .. } => {
                let (points, least) = if area.is_empty() { (line, 2) } else { (area, 3) };
                if !self.sound(index, id, points, least) {
                    return;
                }
                let by_line = area.is_empty();
                if by_line && !self.measure(index, id, "a width", *width_m, 0.0) {
                    return;
                }
                let cells = if by_line {
                    self.grid.band(line, *width_m, true)
                } else {
                    self.grid.polygon(area)
                };
                let ground = named(WATER, self.catalogue);
                for cell in cells {
                    self.ground[cell] = ground;
                    self.bar[cell] = Bar::Water;
                }
                self.draw(
                    DrawnForm::Water,
                    name.clone(),
                    points,
                    if by_line { *width_m } else { 0.0 },
                );
            }
            Feature::Street { id, name, line, width_m, .. } => {
                if !self.sound(index, id, line, 2)
                    || !self.measure(index, id, "a width", *width_m, 0.0)
                {
                    return;
                }
                let ground = named(STREET, self.catalogue);
                self.lane(line, *width_m, Bar::Houses, ground);
                self.draw(DrawnForm::Street, name.clone(), line, *width_m);
            }
            _ => {}
        }
    }

    /// Opens a lane `width_m` wide through what `bars` the way, and gives other
    /// open ground under it its surface. Returns the cells that it opened.
    ///
    /// The width is shared out over the cells abreast, so that what flows through
    /// the lane does not depend on how it falls on the grid.
    fn lane(&mut self, line: &[Xy], width_m: f64, bars: Bar, ground: GroundId) -> Vec<usize> {
        let mut opened = Vec::new();
        for (cell, width_cm, room_cm2) in self.grid.lane(line, width_m) {
            if self.bar[cell] == bars {
                self.open(cell, ground);
                self.width[cell] = width_cm;
                self.room[cell] = room_cm2;
                opened.push(cell);
            } else if self.bar[cell] == Bar::None && bars == Bar::Houses {
                // A second street over the first: the wider one counts.
                if self.width[cell] < width_cm && self.width[cell] < self.grid.cell_cm {
                    self.width[cell] = width_cm;
                    self.room[cell] = self.room[cell].max(room_cm2);
                }
                self.ground[cell] = ground;
            }
        }
        opened
    }

    fn draw(
        &mut self,
        form: DrawnForm,
        name: Option<super::catalogue::Name>,
        points: &[Xy],
        width_m: f64,
    ) {
        let points = points.iter().map(|p| PointCm::from_metres(p.0, p.1)).collect();
        self.drawn.push(Drawn { form, name, points, width_cm: metres_to_cm(width_m) });
    }

    fn into_site(self, neighbours: Vec<[Option<NodeId>; 8]>) -> Made {
        let mut nodes: Vec<Node> = (0..self.grid.cells())
            .map(|cell| Node {
                level: Level::Ground,
                cell: cell as u32,
                ground: self.ground[cell],
                room_cm2: if self.bar[cell] == Bar::None { self.room[cell] } else { 0 },
                width_cm: if self.bar[cell] == Bar::None { self.width[cell] } else { 0 },
                height_cm: 0,
                runs: PointCm::default(),
                work: self.work[cell],
            })
            .collect();
        let mut rampart_of = vec![None; self.grid.cells()];
        for (cell, work, height_cm, room_cm2, width_cm) in &self.rampart {
            rampart_of[*cell as usize] = Some(NodeId::from_index(nodes.len()));
            nodes.push(Node {
                level: Level::Rampart,
                cell: *cell,
                ground: GroundId(0),
                room_cm2: *room_cm2,
                width_cm: *width_cm,
                height_cm: *height_cm,
                runs: works::runs(&self.works[work.index()], centre(&self.grid, *cell)),
                work: Some(*work),
            });
        }
        let site = Site {
            cell_cm: self.grid.cell_cm,
            columns: self.grid.columns,
            rows: self.grid.rows,
            origin: self.grid.origin,
            nodes,
            rampart_of,
            neighbours,
            portals: Vec::new(),
            passages: 0,
            portals_of: Vec::new(),
            stretches_of: Vec::new(),
            works: self.works,
            areas: Vec::new(),
            drawn: self.drawn,
        };
        Made { site, faults: self.faults }
    }
}

/// The middle of a cell.
fn centre(grid: &Grid, cell: u32) -> PointCm {
    let (x, y) = ((cell % grid.columns) as i32, (cell / grid.columns) as i32);
    let half = grid.cell_cm / 2;
    PointCm {
        x: grid.origin.x + x * grid.cell_cm + half,
        y: grid.origin.y + y * grid.cell_cm + half,
    }
}

/// Named areas on the ground and stretches of wall-walk.
fn areas(made: &mut Made, map: &RawMap) {
    let grid = Grid::new(made.origin, made.cell_cm, made.columns, made.rows);
    for (index, feature) in map.features.iter().enumerate() {
        let (id, name, nodes, middle) = match feature {
            Feature::Area { id, name, area, .. } => {
                if area.len() < 3 || area.iter().any(|p| !(p.0.abs() < 1e6 && p.1.abs() < 1e6)) {
                    let message = format!("area `{id}` is no polygon of three points or more");
                    made.faults.push(RasterFault { feature: index, message });
                    continue;
                }
                let mut nodes: Vec<NodeId> =
                    grid.polygon(area).into_iter().map(NodeId::from_index).collect();
                let n = area.len() as f64;
                let sum = area.iter().fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
                let middle = PointCm::from_metres(sum.0 / n, sum.1 / n);
                if nodes.is_empty() {
                    nodes.extend(made.node_at(middle));
                }
                nodes.retain(|n| made.nodes[n.index()].room_cm2 > 0);
                (id, name, nodes, middle)
            }
            Feature::Sector { id, name, wall, from, to, .. } => {
                match works::stretch(made, wall, *from, *to) {
                    Ok((nodes, middle)) => (id, name, nodes, middle),
                    Err(why) => {
                        let message = format!("sector `{id}`: {why}");
                        made.faults.push(RasterFault { feature: index, message });
                        continue;
                    }
                }
            }
            _ => continue,
        };
        let nearest =
            nodes.iter().copied().min_by_key(|n| (made.centre(*n).distance_cm(middle), *n));
        let Some(centre) = nearest else {
            let message = format!("`{id}` holds no ground inside the window that men can stand on");
            made.faults.push(RasterFault { feature: index, message });
            continue;
        };
        let at = made.centre(centre);
        let mut nodes = nodes;
        nodes.sort_unstable();
        nodes.dedup();
        made.site.areas.push(Area { id: id.clone(), name: name.clone(), nodes, centre, at });
    }
}

#[cfg(test)]
mod tests;
