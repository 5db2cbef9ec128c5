//! Ladders at the stretches of a wall: those that stand reach from its outer foot
//! over the parapet, those that were thrown down lie flat and dim along the foot.

use crate::scenario::battle::Scenario;
use crate::scenario::site::WorkForm;
use crate::view::works::LadderMark;

use super::canvas::{Canvas, P, dir, far, mix, step};
use super::land::{Land, tint};
use super::theme::Theme;
use super::walk::nearest;

/// Metres a pixel beyond which a ladder would be a speck.
const FAR: f32 = 6.0;
/// Most ladders drawn at one stretch.
const MOST: u16 = 6;

/// Where ladders lean: the foot and the head of the middle one, and along the wall.
#[derive(Clone, Copy)]
struct Place {
    foot: P,
    head: P,
    room: f32,
}

/// Draws the ladders of a frame within a window of the map.
pub fn draw(
    canvas: &mut Canvas,
    battle: &Scenario,
    theme: &Theme,
    land: Land,
    marks: &[LadderMark],
    px: f32,
    (low, high): (P, P),
) {
    if px > FAR {
        return;
    }
    for mark in marks {
        let Some(place) = place(battle, land, mark) else { continue };
        if (0..2).any(|k| place.foot[k] < low[k] || place.foot[k] > high[k]) {
            continue;
        }
        let up = dir(place.foot, place.head);
        let wide = (1.0_f32).max(px * 4.2);
        let fit = ((place.room / (wide * 1.5)) as u16).clamp(1, MOST);
        // What lies there first, along the foot of the wall.
        let lies = mark.lying.min(fit.min(3));
        let long = far(place.foot, place.head).max(px * 12.0);
        for i in 0..lies {
            let off = (f32::from(i) + 0.8) * wide * 1.25;
            let slide = (f32::from(i) - f32::from(lies - 1) / 2.0) * wide;
            let mid = step(place.foot, up, -off, slide);
            let along = [-up[1], up[0]];
            let ends = (step(mid, along, -long / 2.0, 0.0), step(mid, along, long / 2.0, 0.0));
            ladder(canvas, theme, ends, wide * 0.8, px, 0.42);
        }
        let stand = mark.up.min(fit);
        for i in 0..stand {
            let apart = place.room / f32::from(stand + 1);
            let off = (f32::from(i) - f32::from(stand - 1) / 2.0) * apart;
            // Its head is at the parapet at any distance; what it lacks it has below.
            let (foot, head) = (step(place.head, up, -long, off), step(place.head, up, 0.0, off));
            ladder(canvas, theme, (foot, head), wide, px, 1.0);
        }
    }
}

/// Rails and rungs; beyond the distance of rungs a pale bar edged with ink.
fn ladder(
    canvas: &mut Canvas,
    theme: &Theme,
    (foot, head): (P, P),
    wide: f32,
    px: f32,
    alpha: f32,
) {
    let d = dir(foot, head);
    let long = far(foot, head);
    let mid = mix(foot, head, 0.5);
    let ink = tint(theme.map("ink0"), alpha);
    let wood = tint(theme.map("timber_hi"), alpha);
    if alpha > 0.9 {
        let shade = tint(theme.map("shadow"), 0.3);
        canvas.bar([mid[0] + wide * 0.3, mid[1] - wide * 0.4], d, long, wide, shade);
        canvas.bar(mid, d, long + px * 2.0, wide + px * 3.0, ink);
        canvas.bar(mid, d, long + px, wide + px * 1.2, tint(theme.map("head_1"), 0.92));
    }
    let rail = (0.16_f32).max(px * 0.9);
    for side in [-0.5, 0.5] {
        let (a, b) = (step(foot, d, 0.0, side * wide), step(head, d, 0.0, side * wide));
        canvas.line(a, b, rail * 1.9, ink);
        canvas.line(a, b, rail, wood);
    }
    let apart = (0.9_f32).max(px * 2.8);
    let mut at = apart * 0.6;
    while at < long {
        let (a, b) = (step(foot, d, at, -wide * 0.5), step(foot, d, at, wide * 0.5));
        canvas.line(a, b, (0.14_f32).max(px * 0.8), ink);
        at += apart;
    }
}

/// Where the ladders of a stretch stand: across the outer face of its wall.
fn place(battle: &Scenario, land: Land, mark: &LadderMark) -> Option<Place> {
    let site = &battle.site;
    let portal = site.portals.get(mark.stretch.index())?;
    let WorkForm::Wall { line, thickness_cm, walk_cm, .. } = &site.works[portal.work.index()].form
    else {
        return None;
    };
    let outer = land.m(portal.outer_at);
    let (near, _) = nearest(line, land, outer)?;
    let out = dir(near, outer);
    let metres = |cm: i32| cm as f32 / 100.0;
    Some(Place {
        foot: step(near, out, metres(*thickness_cm) / 2.0 + 3.4, 0.0),
        head: step(near, out, metres(*walk_cm) / 2.0 - 0.9, 0.0),
        room: metres(site.cell_cm),
    })
}
