//! The room of shapes (L11): how companies stand.
//!
//! Decides when a shape is taken up and when a company is a crowd. Reads what
//! units have been told and who is broken; writes [`Forms`], drains [`OpenedRoofs`].
//! Never decides which shape is wanted, nor what a shape is worth. *Off*: everybody
//! stands in line. A shape that is being left covers nobody any more; a roof that was
//! broken open covers nobody until its shields are up again.

use bevy_ecs::prelude::*;

use crate::core::digest::Digest;
use crate::core::ids::{CompanyId, UnitId};
use crate::scenario::catalogue::{Catalogue, Shape};
use crate::sim::board::{Clock, Forms, Mind, OpenedRoofs, Roster, Setting, Spirits, Tasks};
use crate::sim::laws::Law;
use crate::sim::phases::Phase;

/// What the room keeps for itself: the shape that each company is taking up.
#[derive(Resource, Clone, Debug, Default)]
pub struct Wanted(Vec<Shape>);

/// Pulses to take up a shape, at least one.
#[must_use]
pub fn forming_pulses(rules: &Catalogue, shape: Shape, pulse_s: i32) -> u16 {
    let seconds = rules.shape(shape).form_s.v();
    let pulses = (seconds / f64::from(pulse_s.max(1))) as u16;
    pulses.saturating_add(1)
}

/// Inserts the shapes of the muster and adds the system, between steering and
/// movement.
pub fn install(world: &mut World, schedule: &mut Schedule) {
    let setting = world.resource::<Setting>();
    let roster = world.resource::<Roster>();
    let off = setting.off.is_off(Law::Shape);
    let shape: Vec<Shape> = roster
        .unit
        .iter()
        .map(|unit| if off { Shape::Line } else { setting.scenario.units[unit.index()].shape })
        .collect();
    world.init_resource::<OpenedRoofs>();
    world.insert_resource(Wanted(shape.clone()));
    world.insert_resource(Forms { forming: vec![0; shape.len()], shape });
    schedule.add_systems(form.after(Phase::Steer).before(Phase::Movement));
}

fn form(
    setting: Res<Setting>,
    clock: Res<Clock>,
    roster: Res<Roster>,
    spirits: Res<Spirits>,
    tasks: Res<Tasks>,
    mut wanted: ResMut<Wanted>,
    mut forms: ResMut<Forms>,
    mut opened: ResMut<OpenedRoofs>,
) {
    if setting.off.is_off(Law::Shape) {
        return;
    }
    let Forms { shape, forming } = &mut *forms;
    for c in opened.0.drain(..).map(CompanyId::index) {
        if shape[c] == Shape::Roof && wanted.0[c] == Shape::Roof {
            forming[c] = forming_pulses(&setting.rules, Shape::Roof, clock.pulse_s);
        }
    }
    for (c, unit) in roster.unit.iter().enumerate() {
        let told = told(&setting, &tasks, *unit);
        if !roster.mustered[c] {
            // A spare company is made out of men who stand like their unit.
            (shape[c], wanted.0[c]) = (told, told);
            continue;
        }
        if matches!(spirits.mind[c], Mind::Broken | Mind::Yielded) {
            (shape[c], wanted.0[c], forming[c]) = (Shape::Crowd, Shape::Crowd, 0);
            continue;
        }
        if told != wanted.0[c] {
            wanted.0[c] = told;
            // Shields that were let down take as long to go up again.
            forming[c] = if told == shape[c] && told != Shape::Roof {
                0
            } else {
                forming_pulses(&setting.rules, told, clock.pulse_s)
            };
        }
        if forming[c] > 0 {
            forming[c] -= 1;
            if forming[c] == 0 {
                shape[c] = wanted.0[c];
            }
        }
    }
}

fn told(setting: &Setting, tasks: &Tasks, unit: UnitId) -> Shape {
    tasks.shape[unit.index()].unwrap_or(setting.scenario.units[unit.index()].shape)
}

/// What the room writes.
pub fn digest(world: &World, d: &mut Digest) {
    let forms = world.resource::<Forms>();
    for (shape, forming) in forms.shape.iter().zip(&forms.forming) {
        d.u32(u32::from(*shape as u8) << 16 | u32::from(*forming));
    }
}
