//! Calls: what a side's headquarters learns that its player is to look at.

use bevy_ecs::prelude::*;

use super::{shutting_s, threat_s};
use crate::core::ids::{CorpsId, PostId, SideId};
use crate::core::measure::PointCm;
use crate::orders::ast::{Sel, State, Who};
use crate::scenario::catalogue::Name;
use crate::sim::board::{FiredLines, Setting, Tiding};
use crate::sim::journal::{Called as Kind, Happening, Journal};
use crate::sim::judge::{self, portal_of_work};
use crate::sim::known::{Boards, Known, Present};

/// Pulses between two looks.
const LOOKS: u32 = 4;
/// Kinds of call that this room makes for itself.
const KINDS: usize = 7;

/// What each side has been called for.
#[derive(Resource, Clone, Debug, Default)]
pub struct Called {
    sides: Vec<Asked>,
}

#[derive(Clone, Debug, Default)]
struct Asked {
    /// Second of the last call of each kind.
    last: [Option<i32>; KINDS],
    /// Enemy corps that are known of.
    met: Vec<bool>,
    /// Own corps whose breaking was told.
    broken: Vec<bool>,
    /// Gates whose danger was told, by gate of the scenario.
    threatened: Vec<bool>,
    /// Persons whose first wound was told.
    hurt: Vec<bool>,
}

impl Called {
    /// Nobody has been called yet.
    #[must_use]
    pub fn of(setting: &Setting) -> Self {
        let corps = setting.scenario.corps.len();
        let asked = Asked {
            met: vec![false; corps],
            broken: vec![false; corps],
            threatened: vec![false; setting.scenario.gates.len()],
            hurt: vec![false; setting.scenario.persons.len()],
            ..Asked::default()
        };
        Self { sides: vec![asked; setting.scenario.sides.len()] }
    }
}

/// Looks at every headquarters' board.
pub fn call(
    present: Present,
    boards: Res<Boards>,
    fired: Res<FiredLines>,
    mut called: ResMut<Called>,
    mut journal: ResMut<Journal>,
) {
    let setting: &Setting = &present.setting;
    let law = &setting.rules.laws.command;
    let apart_s = (law.calls_apart_s.v() as i32).max(1);
    let looks = present.clock.pulse.is_multiple_of(LOOKS);
    for (s, (side, asked)) in setting.scenario.sides.iter().zip(&mut called.sides).enumerate() {
        let id = SideId::from_index(s);
        let known = present.known(&boards, side.post, &[], &fired.0);
        let mut ring =
            |asked: &mut Asked, kind: Kind, name: &Name, en: &str, zh: &str, at: PointCm| {
                let last = &mut asked.last[kind as usize];
                if last.is_some_and(|then| present.clock.now_s() - then < apart_s) {
                    return;
                }
                *last = Some(present.clock.now_s());
                let (text, zh) = (format!("{} {en}", name.en), format!("{}{zh}", name.zh));
                journal.add(present.clock.pulse, Happening::Call { side: id, kind, text, zh, at });
            };
        for event in &known.board().learnt {
            match *event {
                Tiding::Empty(unit)
                    if setting.scenario.side_of(unit) == id
                        && !setting.scenario.units[unit.index()].engines.is_empty() =>
                {
                    let name = &setting.scenario.units[unit.index()].name;
                    let at = present.roster.of_unit[unit.index()]
                        .first()
                        .map(|c| present.places.at[c.index()]);
                    let at = at.unwrap_or_else(|| known.board().at);
                    ring(
                        asked,
                        Kind::EnginesEmpty,
                        name,
                        "has nothing left to shoot",
                        "矢石已尽",
                        at,
                    );
                }
                Tiding::Hurt(person) | Tiding::Fell(person) => {
                    let told = &setting.scenario.persons[person.index()];
                    // A wound is told once, a death always.
                    let dead = matches!(event, Tiding::Fell(_));
                    if setting.scenario.side_of(told.unit) == id
                        && (dead || !asked.hurt[person.index()])
                    {
                        asked.hurt[person.index()] = true;
                        let at = present
                            .persons
                            .company
                            .get(person.index())
                            .map(|c| present.places.at[c.index()]);
                        let at = at.unwrap_or_else(|| known.board().at);
                        let (en, zh) =
                            if dead { ("has fallen", "阵亡") } else { ("is hurt", "负伤") };
                        ring(asked, Kind::PersonInDanger, &told.name, en, zh, at);
                    }
                }
                _ => {}
            }
        }
        if !looks {
            continue;
        }
        if present.clock.now_s() % apart_s < present.clock.pulse_s * LOOKS as i32 {
            meet(setting, &known, id, asked, &mut ring);
        }
        for (g, start) in setting.scenario.gates.iter().enumerate() {
            let keeper: PostId = start.keeper;
            if setting.scenario.posts[keeper.index()].side != id {
                continue;
            }
            let Some(portal) = portal_of_work(&setting.site, start.work) else { continue };
            let gap = present.gates.gap[portal.index()];
            let threat = threat_s(&present.known(&boards, keeper, &[], &fired.0), start.work);
            let warning_s = shutting_s(setting, start.work, gap) + law.warning_s.v();
            if asked.threatened[g] {
                // Told once, until the danger is well past.
                asked.threatened[g] = threat.is_some_and(|s| s <= 2.0 * warning_s);
            } else if gap > 0 && threat.is_some_and(|s| s <= warning_s) {
                asked.threatened[g] = true;
                let work = &setting.site.works[start.work.index()];
                ring(
                    asked,
                    Kind::GateThreatened,
                    &work.name,
                    "is open and the enemy near",
                    "门开而敌近",
                    work.at,
                );
            }
        }
    }
}

/// Enemy corps met for the first time, own corps mostly broken.
fn meet(
    setting: &Setting,
    known: &Known<'_>,
    side: SideId,
    asked: &mut Asked,
    ring: &mut impl FnMut(&mut Asked, Kind, &Name, &str, &str, PointCm),
) {
    for (c, corps) in setting.scenario.corps.iter().enumerate() {
        let of = Who::Corps(CorpsId::from_index(c));
        if corps.side == side {
            let broken = Sel { states: vec![State::Broken], ..Sel::of(of) };
            let mut at = None;
            let (mut down, mut all) = (0, 0);
            judge::each(&broken, known, |_, seen, men| {
                at = Some(seen.at);
                down += men;
            });
            judge::each(&Sel::of(of), known, |_, _, men| all += men);
            let mostly = down * 2 > all;
            if mostly
                && !asked.broken[c]
                && let Some(at) = at
            {
                ring(asked, Kind::CorpsBroken, &corps.name, "has broken", "已溃", at);
            }
            asked.broken[c] = mostly;
        } else if !asked.met[c] {
            let mut at = None;
            judge::each(&Sel::of(of), known, |_, seen, _| {
                at.get_or_insert(seen.at);
            });
            if let Some(at) = at {
                asked.met[c] = true;
                ring(asked, Kind::NewEnemy, &corps.name, "is in sight", "在望", at);
            }
        }
    }
}
