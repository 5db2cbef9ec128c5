//! Small battles built in code, for tests and benchmarks. No part of the game.
//!
//! A [`Kit`] holds a scenario under construction: a map, a side or two, and
//! units that are set down company by company. [`Kit::field`] makes of it a
//! world with the board of muster; tests install the rooms they want, set
//! intents by hand, and run the schedule pulse by pulse.

use std::sync::Arc;

use bevy_ecs::prelude::*;

use crate::core::dice::Dice;
use crate::core::ids::{
    CompanyId, CorpsId, NodeId, PartyId, PostId, SideId, UnitId, UnitKindId, WeaponId,
};
use crate::core::measure::PointCm;
use crate::orders::ast::Gait;
use crate::scenario::battle::{Corps, Light, Party, Post, Scenario, Side, Stands, Unit};
use crate::scenario::catalogue::{Catalogue, EngineKind, Name, Shape, UnitKind};
use crate::scenario::raster::raster;
use crate::scenario::raw::map::{Feature, RawMap, Xy};
use crate::scenario::raw::rules::RawRules;
use crate::scenario::site::{Level, Site};

use super::board::*;
use super::journal::Journal;
use super::laws::LawSet;

/// The shipped rules, put together without any check.
///
/// # Panics
/// If the shipped rules cannot be read: a fault of the program, not of a person.
#[must_use]
pub fn catalogue() -> Catalogue {
    let files = [
        include_str!("../../assets/rules/ground.ron"),
        include_str!("../../assets/rules/arms.ron"),
        include_str!("../../assets/rules/units.ron"),
        include_str!("../../assets/rules/laws.ron"),
    ];
    let reader =
        ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    let mut all = RawRules::default();
    for text in files {
        let one: RawRules = reader.from_str(text).unwrap_or_else(|e| panic!("shipped rules: {e}"));
        all.ground.extend(one.ground);
        all.armour.extend(one.armour);
        all.weapons.extend(one.weapons);
        all.engines.extend(one.engines);
        all.units.extend(one.units);
        all.works.extend(one.works);
        all.shapes.extend(one.shapes);
        all.foot = one.foot.or(all.foot);
        all.horse = one.horse.or(all.horse);
        all.laws = one.laws.or(all.laws);
    }
    let weapons = all.weapons;
    let weapon = |id: &str| weapons.iter().position(|w| w.id == id).map(WeaponId::from_index);
    let known = |id: &str| weapon(id).unwrap_or_else(|| panic!("no weapon {id}"));
    let armour = all.armour;
    let worn = |id: &str| {
        let found =
            armour.iter().position(|a| a.id == id).map(crate::core::ids::ArmourId::from_index);
        found.unwrap_or_else(|| panic!("no armour {id}"))
    };
    let units = all.units.into_iter().map(|u| UnitKind {
        hand: known(&u.hand),
        missile: u.missile.as_deref().map(known),
        armour: worn(&u.armour),
        id: u.id,
        name: u.name,
        sign: u.sign,
        mounted: u.mounted,
        company_size: u.company_size,
        quality: u.quality,
        steadiness: u.steadiness,
        pace: u.pace,
        jam_m2: u.jam_m2,
        mass_kg: u.mass_kg,
        standing: u.standing,
    });
    let units: Vec<UnitKind> = units.collect();
    let engines = all.engines.into_iter().map(|e| EngineKind {
        weapon: e.weapon.as_deref().map(known),
        id: e.id,
        name: e.name,
        crew: e.crew,
        loads_back: e.loads_back,
        load_s: e.load_s,
        draw_back_s: e.draw_back_s,
        emplace_s: e.emplace_s,
        breaks_j: e.breaks_j,
        depress_s: e.depress_s,
        depressed: e.depressed,
        speed_m_s: e.speed_m_s,
        width_m: e.width_m,
        length_m: e.length_m,
        ram: e.ram,
    });
    let engines: Vec<EngineKind> = engines.collect();
    Catalogue {
        ground: all.ground,
        armour,
        weapons,
        engines,
        units,
        works: all.works,
        shapes: all.shapes,
        foot: all.foot.unwrap_or_else(|| panic!("no gaits on foot")),
        horse: all.horse.unwrap_or_else(|| panic!("no gaits of horse")),
        laws: all.laws.unwrap_or_else(|| panic!("no laws")),
    }
}

fn name(en: &str) -> Name {
    Name { en: en.into(), zh: en.into() }
}

/// A straight east-west wall at `y`, its inside to the north.
#[must_use]
pub fn wall(y: f64, west: f64, east: f64) -> Feature {
    Feature::Wall {
        id: "wall".into(),
        name: name("wall"),
        kind: "city_wall".into(),
        line: vec![(west, y), (east, y)],
        inside_left: true,
        thickness_m: 10.0,
        height_m: 10.0,
        walk_m: 8.0,
        source: "made".into(),
    }
}

/// A gate in [`wall`] with one passage.
#[must_use]
pub fn gate(x: f64, y: f64, width_m: f64) -> Feature {
    Feature::Gate {
        id: "gate".into(),
        name: name("gate"),
        kind: "city_gate".into(),
        wall: "wall".into(),
        at: (x, y),
        passages: 1,
        passage_m: width_m,
        depth_m: 10.0,
        source: "made".into(),
    }
}

/// Houses over a rectangle.
#[must_use]
pub fn block(west: f64, south: f64, east: f64, north: f64) -> Feature {
    Feature::Block {
        id: "block".into(),
        name: None,
        area: vec![(west, south), (east, south), (east, north), (west, north)],
        source: "made".into(),
    }
}

/// A street.
#[must_use]
pub fn street(line: Vec<Xy>, width_m: f64) -> Feature {
    Feature::Street { id: "street".into(), name: None, line, width_m, source: "made".into() }
}

/// A river running east and west, and a bridge of `width_m` over it at `x`.
#[must_use]
pub fn river_and_bridge(x: f64, y: f64, breadth_m: f64, width_m: f64) -> Vec<Feature> {
    let bank = breadth_m / 2.0 + 1.0;
    vec![
        Feature::Water {
            id: "river".into(),
            name: None,
            line: vec![(-1000.0, y), (5000.0, y)],
            area: vec![],
            width_m: breadth_m,
            depth_m: 4.0,
            source: "made".into(),
        },
        Feature::Bridge {
            id: "bridge".into(),
            name: name("bridge"),
            kind: "bridge".into(),
            line: vec![(x, y - bank), (x, y + bank)],
            width_m,
            source: "made".into(),
        },
    ]
}

/// A named area.
#[must_use]
pub fn area(id: &str, west: f64, south: f64, east: f64, north: f64) -> Feature {
    Feature::Area {
        id: id.into(),
        name: name(id),
        area: vec![(west, south), (east, south), (east, north), (west, north)],
        source: "made".into(),
    }
}

/// A small battle under construction.
#[derive(Clone, Debug)]
pub struct Kit {
    /// Its rules; change them before `field`.
    pub rules: Catalogue,
    /// Features of its map.
    pub features: Vec<Feature>,
    /// Its window in metres, from 0, 0.
    pub size_m: (f64, f64),
    /// Side of a cell in metres.
    pub cell_m: f64,
    /// Seconds of a pulse.
    pub pulse_s: i32,
    /// Seed of the dice.
    pub seed: u64,
    /// What is switched off.
    pub off: LawSet,
    units: Vec<(Unit, Vec<(PointCm, i32)>)>,
}

impl Kit {
    /// An open plain of firm ground, two hostile sides.
    #[must_use]
    pub fn plain(width_m: f64, height_m: f64) -> Self {
        Self {
            rules: catalogue(),
            features: Vec::new(),
            size_m: (width_m, height_m),
            cell_m: 15.0,
            pulse_s: 3,
            seed: 7,
            off: LawSet::default(),
            units: Vec::new(),
        }
    }

    /// The same with other features, cell and pulse.
    #[must_use]
    pub fn with(mut self, features: Vec<Feature>, cell_m: f64, pulse_s: i32) -> Self {
        self.features = features;
        self.cell_m = cell_m;
        self.pulse_s = pulse_s;
        self
    }

    /// The id of a kind of unit; the first kind for an unknown name.
    #[must_use]
    pub fn kind(&self, id: &str) -> UnitKindId {
        UnitKindId::from_index(self.rules.units.iter().position(|u| u.id == id).unwrap_or(0))
    }

    /// A unit of side 0 or 1 with companies of `men` each at these metres.
    pub fn unit(&mut self, side: u8, kind: &str, level: Level, companies: &[(Xy, i32)]) -> UnitId {
        let id = UnitId::from_index(self.units.len());
        let places: Vec<(PointCm, i32)> =
            companies.iter().map(|(at, men)| (PointCm::from_metres(at.0, at.1), *men)).collect();
        let unit = Unit {
            id: format!("unit{}", id.0),
            name: name("unit"),
            kind: self.kind(kind),
            party: PartyId(side),
            corps: CorpsId(u16::from(side)),
            men: places.iter().map(|p| p.1).sum(),
            stands: Stands {
                at: places.first().map_or_else(PointCm::default, |p| p.0),
                level,
                front_cm: 1000,
                facing: PointCm { x: 0, y: 1000 },
            },
            shape: Shape::Line,
            engines: Vec::new(),
            supply: 1.0,
            ladders: 0,
            logs: 0,
            refuges: Vec::new(),
        };
        self.units.push((unit, places));
        id
    }

    /// A unit of `men` in companies of its kind's size, ranked southwards from
    /// the middle of its front, so many abreast, `apart_m` from each other.
    pub fn body(
        &mut self,
        side: u8,
        kind: &str,
        front: Xy,
        men: i32,
        abreast: i32,
        apart_m: f64,
    ) -> UnitId {
        let size = self.rules.units[self.kind(kind).index()].company_size.max(1);
        let mut places = Vec::new();
        let mut left = men;
        let mut i = 0;
        while left > 0 {
            let (file, rank) = (i % abreast, i / abreast);
            let x = front.0 + (f64::from(file) - f64::from(abreast - 1) / 2.0) * apart_m;
            places.push(((x, front.1 - f64::from(rank) * apart_m), left.min(size)));
            left -= size;
            i += 1;
        }
        self.unit(side, kind, Level::Ground, &places)
    }

    /// The site alone.
    #[must_use]
    pub fn site(&self) -> Site {
        let map = RawMap {
            id: "kit".into(),
            name: name("kit"),
            ground: "firm".into(),
            features: self.features.clone(),
        };
        let (site, faults) =
            raster(&map, &self.rules, (0.0, 0.0, self.size_m.0, self.size_m.1), self.cell_m);
        assert!(faults.is_empty(), "{faults:?}");
        site
    }

    /// The scenario.
    #[must_use]
    pub fn scenario(&self) -> Scenario {
        let side = |i: u8| Side {
            id: format!("side{i}"),
            name: name("side"),
            slot: i + 1,
            post: PostId(u16::from(i)),
        };
        let post = |i: u8| Post {
            id: format!("post{i}"),
            name: name("post"),
            holder: None,
            side: SideId(i),
            superior: None,
            at: None,
            eyes_cm: 0,
            players: true,
        };
        let corps = |i: u8| Corps {
            id: format!("corps{i}"),
            name: name("corps"),
            side: SideId(i),
            post: PostId(u16::from(i)),
            units: (0..self.units.len())
                .filter(|u| self.units[*u].0.party == PartyId(i))
                .map(UnitId::from_index)
                .collect(),
        };
        Scenario {
            id: "kit".into(),
            name: name("kit"),
            about: name("kit"),
            document: None,
            rules: Arc::new(self.rules.clone()),
            site: Arc::new(self.site()),
            pulse_s: self.pulse_s,
            starts_min: 600,
            max_s: 3600,
            max_turn_s: 120,
            light: Light::Day,
            sides: vec![side(0), side(1)],
            parties: (0..2).map(|i| Party { id: format!("party{i}"), side: SideId(i) }).collect(),
            hostile: vec![vec![false, true], vec![true, false]],
            posts: vec![post(0), post(1)],
            corps: vec![corps(0), corps(1)],
            units: self.units.iter().map(|u| u.0.clone()).collect(),
            persons: Vec::new(),
            gates: Vec::new(),
            standing: Vec::new(),
            ends: Vec::new(),
            objectives: Vec::new(),
            statements: Vec::new(),
            record: None,
        }
    }

    /// A world with the whole board set up as muster leaves it: each unit's
    /// companies, then two spare ones, all spawned in id order.
    #[must_use]
    pub fn field(&self) -> World {
        let mut world = World::new();
        let scenario = Arc::new(self.scenario());
        let site = scenario.site.clone();
        let mut roster = Roster::default();
        let mut places = Places::default();
        let mut strength = Strength::default();
        for (i, (unit, companies)) in self.units.iter().enumerate() {
            let kind = &self.rules.units[unit.kind.index()];
            let spare = [(unit.stands.at, 0); 2];
            let mut ids = Vec::new();
            for (at, men) in companies.iter().chain(&spare) {
                let id = CompanyId::from_index(roster.unit.len());
                ids.push(id);
                roster.unit.push(UnitId::from_index(i));
                roster.kind.push(unit.kind);
                roster.side.push(SideId(unit.party.0));
                roster.party.push(unit.party);
                roster.corps.push(unit.corps);
                roster.mounted.push(kind.mounted);
                roster.mustered.push(*men > 0);
                let node = site.node_on(*at, unit.stands.level).unwrap_or(NodeId(0));
                assert!(
                    *men == 0 || site.nodes[node.index()].room_cm2 > 0,
                    "{at:?} is no place to stand"
                );
                places.node.push(node);
                places.at.push(*at);
                strength.men.push(*men);
                world.spawn(Company(id));
            }
            roster.of_unit.push(ids);
        }
        let n = roster.len();
        let (nodes, portals, units) = (site.nodes.len(), site.portals.len(), self.units.len());
        places.heading = vec![PointCm { x: 0, y: 1000 }; n];
        places.speed_cm_s = vec![0; n];
        places.blocked = vec![0; n];
        places.wants = vec![None; n];
        places.passed = vec![0; n];
        places.straddles = vec![None; n];
        places.head = vec![None; nodes];
        places.next = vec![None; n];
        places.taken_cm2 = vec![0; nodes];
        places.crossed_in = vec![vec![0; units]; portals];
        places.crossed_out = vec![vec![0; units]; portals];
        places.flow = vec![0; portals];
        places.pushing = vec![0; portals];
        strength.muster = strength.men.clone();
        strength.lost = vec![0; n];
        strength.lost_to_shot = vec![0; n];
        strength.captive = vec![0; n];
        strength.lost_now = vec![0; n];
        strength.shot_now = vec![0; n];
        strength.tally = vec![vec![0; units]; Cause::ALL.len()];
        let minds =
            roster.mustered.iter().map(|m| if *m { Mind::Steady } else { Mind::Gone }).collect();
        let hearts =
            roster.kind.iter().map(|k| self.rules.units[k.index()].steadiness.v() as i32).collect();
        world.insert_resource(Spirits {
            heart: hearts,
            mind: minds,
            stamina: vec![1000; n],
            loss_rate: vec![0; n],
        });
        world.insert_resource(Forms { shape: vec![Shape::Line; n], forming: vec![0; n] });
        world.insert_resource(Contacts {
            foe: vec![None; n],
            front: vec![0; n],
            against: vec![0; n],
            sides: vec![0; n],
            free: vec![true; n],
            push_cm: vec![0; n],
            push_dir: vec![PointCm::default(); n],
            pairs: Vec::new(),
        });
        world.insert_resource(Intents {
            goal: vec![Goal::Hold; n],
            gait: vec![Gait::Quick; n],
            attack: vec![false; n],
            face: vec![PointCm::default(); n],
        });
        world.insert_resource(Gates {
            gap: vec![1000; portals],
            leaf: vec![Leaf::Still; portals],
            barred: vec![false; portals],
            shut_at: vec![None; portals],
            version: 0,
        });
        world.insert_resource(Litter {
            men: vec![0; nodes],
            horses: vec![0; nodes],
            loose: vec![0; nodes],
        });
        world.insert_resource(Engines { of_company: vec![Vec::new(); n], ..Default::default() });
        world.insert_resource(Stores { missiles: vec![0; n], full: vec![0; n] });
        world.insert_resource(Wounds::default());
        world.insert_resource(Shocks::default());
        world.insert_resource(Tidings::default());
        world.insert_resource(Journal::default());
        world.insert_resource(Persons::default());
        world.insert_resource(Rolls(Dice::new(self.seed)));
        world.insert_resource(Clock { pulse: 0, pulse_s: self.pulse_s });
        world.insert_resource(Setting {
            rules: scenario.rules.clone(),
            site,
            scenario,
            off: self.off.clone(),
        });
        world.insert_resource(roster);
        world.insert_resource(places);
        world.insert_resource(strength);
        world
    }
}

/// Runs one pulse and moves the clock on.
pub fn pulse(world: &mut World, schedule: &mut Schedule) {
    schedule.run(world);
    world.resource_mut::<Clock>().pulse += 1;
}
