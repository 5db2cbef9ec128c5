//! Things lying there (L3).
//!
//! Decides what lies on each node: fallen men and horses, and loose horses until
//! they have wandered off. Reads the pulse's losses from `Strength` and
//! what `job` dragged off; writes `Litter`. Never slows or blocks by itself: `passage` and `job` read it.
//!
//! Off: nothing lies.

use bevy_ecs::prelude::*;

use crate::core::digest::Digest;
use crate::core::ids::NodeId;
use crate::core::measure::chance;
use crate::sim::board::{Clock, Dragged, Litter, Places, Rolls, Roster, Setting, Strength};
use crate::sim::laws::Law;
use crate::sim::phases::Phase;

/// The room's number for the dice.
const ROOM: u8 = 10;

/// Nodes where anything lies, in the order in which it fell there first, and
/// those with loose horses, ascending.
#[derive(Resource, Clone, Debug, Default)]
pub struct Strewn {
    nodes: Vec<NodeId>,
    loose: Vec<NodeId>,
}

/// Inserts what the room writes, and its system.
pub fn install(world: &mut World, schedule: &mut Schedule) {
    let nodes = world.resource::<Setting>().site.nodes.len();
    world.insert_resource(Litter {
        men: vec![0; nodes],
        horses: vec![0; nodes],
        loose: vec![0; nodes],
    });
    world.insert_resource(Strewn::default());
    world.init_resource::<Dragged>();
    schedule.add_systems(lie.after(Phase::Casualties).before(Phase::Persons));
}

/// Adds what the room writes.
pub fn digest(world: &World, d: &mut Digest) {
    let litter = world.resource::<Litter>();
    for node in &world.resource::<Strewn>().nodes {
        d.u32(node.0);
        d.i32(litter.men[node.index()]);
        d.i32(litter.horses[node.index()]);
        d.i32(litter.loose[node.index()]);
    }
}

#[allow(clippy::too_many_arguments, reason = "a system's parameters are what it reads and writes")]
fn lie(
    setting: Res<Setting>,
    clock: Res<Clock>,
    roster: Res<Roster>,
    places: Res<Places>,
    strength: Res<Strength>,
    dragged: Res<Dragged>,
    mut litter: ResMut<Litter>,
    mut strewn: ResMut<Strewn>,
    mut rolls: ResMut<Rolls>,
) {
    if setting.off.is_off(Law::Lying) {
        return;
    }
    let law = &setting.rules.laws.lying;
    let (litter, strewn) = (&mut *litter, &mut *strewn);
    for (node, men, horses) in &dragged.0 {
        let n = node.index();
        litter.men[n] = (litter.men[n] - men).max(0);
        litter.horses[n] = (litter.horses[n] - horses).max(0);
    }
    let mut dice = rolls.0.room(clock.pulse, ROOM);
    let falls = chance(law.horse_falls.v());
    for c in 0..roster.len() {
        let lost = strength.lost_now[c];
        if lost <= 0 {
            continue;
        }
        let node = places.node[c];
        let n = node.index();
        if litter.men[n] == 0
            && litter.horses[n] == 0
            && litter.loose[n] == 0
            && !strewn.nodes.contains(&node)
        {
            strewn.nodes.push(node);
        }
        litter.men[n] += lost;
        if roster.mounted[c] {
            let down = dice.of(c).binomial(lost, falls);
            litter.horses[n] += down;
            if lost > down {
                litter.loose[n] += lost - down;
                if let Err(at) = strewn.loose.binary_search(&node) {
                    strewn.loose.insert(at, node);
                }
            }
        }
    }
    let leaves = chance(clock.dt() / law.horse_wanders_s.v().max(1.0));
    for node in &strewn.loose {
        // Nodes come after all companies in this room's order.
        let gone =
            dice.of(roster.len() + node.index()).binomial(litter.loose[node.index()], leaves);
        litter.loose[node.index()] -= gone;
    }
    strewn.loose.retain(|node| litter.loose[node.index()] > 0);
    rolls.0.count(&dice);
}
