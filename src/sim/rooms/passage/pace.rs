//! Pure rules of speed and flow.

use crate::core::ids::{GroundId, UnitKindId};
use crate::orders::ast::Gait;
use crate::scenario::catalogue::Shape;
use crate::sim::board::Setting;
use crate::sim::laws::Law;

/// Speeds by kind, mount, shape and gait, worked out once.
#[derive(Clone, Debug, Default)]
pub struct Paces {
    /// Centimetres a second.
    speed: Vec<i32>,
    /// Per ground and mount, thousandths.
    ground: Vec<[i32; 2]>,
    /// Jam area of a man of each kind.
    jam: Vec<i32>,
    /// Metres a second lost or won in a second, in centimetres: foot, horse.
    pub(super) turn: [i32; 2],
    /// Stamina below which nobody runs.
    winded: i32,
    /// Speed of a crowd through what is narrow, in centimetres a second.
    pub(super) crowd: [i32; 2],
}

impl Paces {
    /// The table of a battle.
    #[must_use]
    pub fn new(setting: &Setting) -> Self {
        let rules = &setting.rules;
        let mut speed = Vec::new();
        for kind in &rules.units {
            for mounted in [false, true] {
                let gaits = rules.gaits(mounted);
                for shape in Shape::ALL {
                    for gait in [&gaits.walk, &gaits.quick, &gaits.run, &gaits.charge] {
                        let v = gait.v() * kind.pace.v() * rules.shape(shape).speed.v();
                        speed.push((v * 100.0 + 0.5) as i32);
                    }
                }
            }
        }
        let firm = setting.off.is_off(Law::Ground);
        let factor = |v: f64| if firm && v > 0.0 { 1000 } else { (v * 1000.0 + 0.5) as i32 };
        let law = &rules.laws.passage;
        Self {
            speed,
            ground: rules
                .ground
                .iter()
                .map(|g| [factor(g.foot.v()), factor(g.horse.v())])
                .collect(),
            jam: rules.units.iter().map(|u| ((u.jam_m2.v() * 10_000.0) as i32).max(1)).collect(),
            winded: rules.laws.heart.winded.v() as i32,
            turn: [&rules.foot, &rules.horse]
                .map(|g| ((g.acceleration_m_s2.v() * 100.0) as i32).max(1)),
            crowd: [&law.crowd_foot_m_s, &law.crowd_horse_m_s]
                .map(|f| ((f.v() * 100.0) as i32).max(1)),
        }
    }

    /// Speed in centimetres a second on firm ground.
    #[must_use]
    pub fn speed(
        &self,
        kind: UnitKindId,
        mounted: bool,
        shape: Shape,
        gait: Gait,
        stamina: i32,
    ) -> i32 {
        let gait = if stamina < self.winded { gait.min_quick() } else { gait };
        self.speed
            [((kind.index() * 2 + usize::from(mounted)) * 8 + shape as usize) * 4 + gait as usize]
    }

    /// Thousandths of its speed that it keeps on this ground.
    #[must_use]
    pub fn ground(&self, ground: GroundId, mounted: bool) -> i32 {
        self.ground[ground.index()][usize::from(mounted)]
    }

    /// Square centimetres of a man in a jam.
    #[must_use]
    pub fn jam_cm2(&self, kind: UnitKindId) -> i32 {
        self.jam[kind.index()]
    }
}

trait Spent {
    fn min_quick(self) -> Self;
}

impl Spent for Gait {
    fn min_quick(self) -> Self {
        match self {
            Self::Walk => Self::Walk,
            _ => Self::Quick,
        }
    }
}

/// Centimetres gone in `dt_s` seconds by a mass that goes at `from` and wants to
/// go at `to` (cm/s), gaining or losing `turn` cm/s every second; and its speed
/// at the end.
#[must_use]
pub fn moved_cm(from: i32, to: i32, turn: i32, dt_s: i32) -> (i32, i32) {
    let change = (to - from).abs();
    let most = turn.saturating_mul(dt_s);
    if change >= most {
        let end = if to > from { from + most } else { from - most };
        return ((from + end) * dt_s / 2, end);
    }
    // First the change, then the rest of the pulse at the new speed.
    let ms = i64::from(change) * 1000 / i64::from(turn.max(1));
    let mean = i64::from(from + to) * ms / 2;
    let rest = i64::from(to) * (i64::from(dt_s) * 1000 - ms);
    (((mean + rest) / 1000) as i32, to)
}

/// Centimetres in which a mass at `speed` cm/s comes to a stand.
#[must_use]
pub fn braking_cm(speed: i32, turn: i32) -> i32 {
    (i64::from(speed) * i64::from(speed) / (2 * i64::from(turn.max(1)))) as i32
}

/// Speed from which a mass can still stop within `cm`.
pub(super) fn stops_within(cm: i32, turn: i32) -> i32 {
    crate::core::measure::root(2 * i64::from(turn) * i64::from(cm.max(0))) as i32
}

/// Peak flow in men a metre and second: jam density times speed times a share.
#[must_use]
pub fn flow_per_m_s(jam_m2: f64, speed_m_s: f64, share: f64) -> f64 {
    speed_m_s / jam_m2 * share
}

/// Seconds for so many centimetres at a speed; none when it does not move.
#[must_use]
pub fn eta_s(cost_cm: u32, speed_cm_s: i32) -> Option<i32> {
    (speed_cm_s > 0).then(|| (i64::from(cost_cm) / i64::from(speed_cm_s)) as i32)
}

/// Microseconds of an opening's time that an area takes: over its width (cm) at
/// a crowd's speed (cm/s) and the share that can flow, in thousandths of one
/// thousandth so that a share of 7/24 loses nothing.
pub(super) fn toll_us(area_cm2: i32, width_cm: i32, speed_cm_s: i32, share_ppm: i32) -> i64 {
    let flow =
        i64::from(width_cm.max(1)) * i64::from(speed_cm_s.max(1)) * i64::from(share_ppm.max(1));
    i64::from(area_cm2) * 1_000_000 * 1_000_000 / flow.max(1)
}

/// The supply term in thousandths: what a place that is `taken` of `room` lets in.
pub(super) fn supply(taken: i32, room: i32) -> i32 {
    if room <= 0 {
        return 0;
    }
    let x = (i64::from(taken) * 1000 / i64::from(room)).clamp(0, 1000);
    if x <= 500 { 1000 } else { (4 * x * (1000 - x) / 1000) as i32 }
}
