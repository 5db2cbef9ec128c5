//! What the shape of a company keeps off, by direction and angle of fall (MS-16).

use super::{Field, Gun, metres};
use crate::core::ids::CompanyId;
use crate::scenario::catalogue::ShapeKind;
use crate::sim::body::{Spacing, free_cm};

/// Share of missiles kept off by a shape. Those that fall at a tangent of `fall` on a body
/// `depth_m` deep and `height_m` high come down on its face and on its top in proportion to
/// what each of them shows; the face covers only against what comes from in front.
pub(super) fn kept_off(
    shape: &ShapeKind,
    from_front: bool,
    fall: f64,
    depth_m: f64,
    height_m: f64,
) -> f64 {
    let (face, top) = (height_m.max(0.1), (depth_m * fall).max(0.0));
    let on_face = if from_front { shape.cover_front.v() } else { 0.0 };
    ((on_face * face + shape.cover_top.v() * top) / (face + top)).clamp(0.0, 1.0)
}

/// Share of a weapon's missiles that the shape of a company keeps off; `facing` is the
/// cosine between its heading and the way to the shooter. A shape that is being left or
/// closed again covers nobody; aimed shooting finds some of its gaps.
pub(super) fn of_company(
    gun: &Gun<'_>,
    c: CompanyId,
    spacing: &Spacing,
    fall: f64,
    facing: f64,
    field: &Field<'_>,
) -> f64 {
    let i = c.index();
    let rules = &*field.setting.rules;
    let shape = rules.shape(field.forms.shape[i]);
    if field.forms.forming[i] > 0 || (shape.cover_front.v() <= 0.0 && shape.cover_top.v() <= 0.0) {
        return 0.0;
    }
    let law = &rules.laws.shot;
    let mounted = field.roster.mounted[i];
    let body = spacing.body(
        field.forms.shape[i],
        mounted,
        field.strength.men[i],
        free_cm(&field.setting.site, field.places.node[i], field.places.heading[i]),
        field.places.at[i],
        field.places.heading[i],
    );
    let height = if mounted { law.rider_height_m.v() } else { law.man_height_m.v() };
    let kept = kept_off(shape, facing > 0.0, fall, metres(body.depth), height);
    if gun.aimed { kept * (1.0 - law.gaps.v()) } else { kept }
}

/// Share of its harm that a missile of this weapon would still do to a company for all the
/// cover of its shape, as the shooter sees it: shape, distance and which way it faces.
/// What ploughs through ranks is stopped by no shield.
pub(super) fn left_of(gun: &Gun<'_>, c: CompanyId, spacing: &Spacing, field: &Field<'_>) -> f64 {
    if gun.shot.swath_m.v() > 0.0 {
        return 1.0;
    }
    let i = c.index();
    let (at, heading) = (field.places.at[i], field.places.heading[i]);
    let far = f64::from(gun.from.distance_cm(at).max(1));
    let (ux, uy) = (f64::from(at.x - gun.from.x) / far, f64::from(at.y - gun.from.y) / far);
    let facing = -(f64::from(heading.x) * ux + f64::from(heading.y) * uy) / 1000.0;
    let floor = field.setting.site.nodes[field.places.node[i].index()].height_cm;
    let fall = gun.fall(far / 100.0, floor, field);
    1.0 - of_company(gun, c, spacing, fall, facing, field)
}
