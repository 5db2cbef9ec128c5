//! The room of knowledge (L5): what each post knows, and how old it is.
//!
//! Decides what stands on the boards. Reads where everybody is and the tidings of
//! other rooms; writes [`Boards`] and drains [`Tidings`], [`Signals`] and [`ToldPosts`]. Never
//! decides what a post does with it. *Off*: every post reads the truth.
//!
//! A post sees companies within its sight (by light and the height of its eyes).
//! Own companies within sight of, or a flag from, any post of their side are known
//! to all its posts at once. Everything else comes as news from own men near it,
//! at the speed of news: the report shows how things stood when it set out.

use bevy_ecs::prelude::*;

use crate::core::digest::Digest;
use crate::core::ids::{CompanyId, PortalId, PostId, SideId};
use crate::core::measure::{PointCm, metres_to_cm};
use crate::scenario::battle::Light;
use crate::scenario::catalogue::Catalogue;
use crate::sim::board::{
    Clock, Leaf, News, Roster, Setting, Signalled, Signals, Tiding, Tidings, ToldPosts,
};
use crate::sim::judge::{SeenPerson, flag, portal_of_work};
use crate::sim::known::{Board, Boards, Present, carries_cm, portal_at};
use crate::sim::lands::Lands;
use crate::sim::laws::Law;
use crate::sim::phases::Phase;

/// Pulses between two looks of a post that keeps no gate.
const LOOKS: u32 = 2;
/// Pulses between two surveys of who is within the signal chain and near whom.
const SURVEYS: u32 = 4;

/// What the room keeps for itself.
#[derive(Resource, Clone, Debug, Default)]
pub struct Watch {
    /// Posts that keep a gate: they look every pulse.
    keeps: Vec<bool>,
    /// Where each side has men, by block.
    presence: Vec<Vec<bool>>,
    /// The same, and the blocks from which they are seen.
    near: Vec<Vec<bool>>,
    /// Side of a block in centimetres.
    block_cm: i32,
    columns: i32,
    rows: i32,
}

impl Watch {
    fn block(&self, origin: PointCm, at: PointCm) -> usize {
        let x = ((at.x - origin.x) / self.block_cm).clamp(0, self.columns - 1);
        let y = ((at.y - origin.y) / self.block_cm).clamp(0, self.rows - 1);
        (y * self.columns + x) as usize
    }
}

/// How far eyes at a height see, in centimetres: between the figures for the
/// ground and for a tower, in proportion to height.
#[must_use]
pub fn sight_cm(rules: &Catalogue, light: Light, eyes_cm: i32) -> i32 {
    let law = &rules.laws.knowledge;
    let ground = metres_to_cm(law.ground_eyes_m.v());
    let higher = (metres_to_cm(law.tower_eyes_m.v()) - ground).max(1);
    let part = f64::from((eyes_cm - ground).clamp(0, higher)) / f64::from(higher);
    let day = law.ground_day_m.v() + part * (law.tower_day_m.v() - law.ground_day_m.v());
    metres_to_cm(match light {
        Light::Day => day,
        Light::Dusk => (day + law.night_m.v()) / 2.0,
        Light::Night => law.night_m.v(),
    })
}

/// Pulses that news takes over a distance, at least one.
#[must_use]
pub fn news_pulses(rules: &Catalogue, pulse_s: i32, cm: i32) -> u32 {
    let seconds = f64::from(cm) / 100.0 / rules.laws.knowledge.news_m_s.v();
    let pulses = (seconds / f64::from(pulse_s.max(1))) as u32;
    pulses + 1
}

/// Inserts the boards and adds the systems.
pub fn install(world: &mut World, schedule: &mut Schedule) {
    let setting = world.resource::<Setting>().clone();
    let scenario = &setting.scenario;
    world.insert_resource(Lands::of(&setting.site));
    world.init_resource::<Tidings>();
    world.init_resource::<Signals>();
    world.init_resource::<ToldPosts>();
    let companies = world.resource::<Roster>().len();
    // Of ladders a post knows what it sees of the men.
    let mut gap = vec![Some(1000); setting.site.passages];
    // How the gates stand at the start is no secret.
    for start in &scenario.gates {
        if let Some(portal) = portal_of_work(&setting.site, start.work) {
            gap[portal.index()] = Some(if start.open { 1000 } else { 0 });
        }
    }
    let board = |eyes_cm: i32| Board {
        sees_cm: sight_cm(&setting.rules, scenario.light, eyes_cm),
        sight: vec![false; companies],
        seen: vec![None; companies],
        coming: vec![None; companies],
        due: vec![0; companies],
        broke: vec![false; companies],
        persons: vec![None; scenario.persons.len()],
        gap: gap.clone(),
        jammed: vec![false; setting.site.portals.len()],
        owner: vec![None; setting.site.areas.len()],
        ..Board::default()
    };
    let of = scenario.posts.iter().map(|p| board(p.eyes_cm)).collect();
    world.insert_resource(Boards { of, chain: vec![true; companies] });
    // Two blocks are what a man on the ground sees.
    let block_cm = (sight_cm(&setting.rules, scenario.light, 0) / 2).max(setting.site.cell_cm);
    let blocks = |cells: u32| (cells as i32 * setting.site.cell_cm / block_cm + 1).max(1);
    let (columns, rows) = (blocks(setting.site.columns), blocks(setting.site.rows));
    let empty = vec![vec![false; (columns * rows) as usize]; scenario.sides.len()];
    let mut keeps = vec![false; scenario.posts.len()];
    for start in &scenario.gates {
        keeps[start.keeper.index()] = true;
    }
    world.insert_resource(Watch {
        keeps,
        presence: empty.clone(),
        near: empty,
        block_cm,
        columns,
        rows,
    });
    schedule.add_systems((look, listen).chain().in_set(Phase::Messages));
}

/// Looks about from every post whose turn it is.
fn look(present: Present, mut boards: ResMut<Boards>, mut watch: ResMut<Watch>) {
    if present.setting.off.is_off(Law::Knowledge) {
        return;
    }
    let pulse = present.clock.pulse;
    let posts = &present.setting.scenario.posts;
    for (p, board) in boards.of.iter_mut().enumerate() {
        board.at = present.post_at(PostId::from_index(p));
    }
    if pulse.is_multiple_of(SURVEYS) {
        survey(&present, &mut boards, &mut watch);
    }
    for p in 0..posts.len() {
        if watch.keeps[p] || (pulse + p as u32).is_multiple_of(LOOKS) || pulse == 0 {
            refresh(&present, &mut boards, &watch, p);
        }
    }
}

/// Where sides have men, and who is within the signal chain.
fn survey(present: &Present, boards: &mut Boards, watch: &mut Watch) {
    let origin = present.setting.site.origin;
    let posts = &present.setting.scenario.posts;
    let flag_cm = metres_to_cm(present.setting.rules.laws.message.flag_m.v());
    for map in watch.presence.iter_mut().chain(&mut watch.near) {
        map.fill(false);
    }
    for c in 0..present.roster.len() {
        if present.strength.men[c] <= 0 || !present.roster.mustered[c] {
            continue;
        }
        let (side, at) = (present.roster.side[c], present.places.at[c]);
        boards.chain[c] = posts.iter().zip(&boards.of).any(|(post, board)| {
            post.side == side && within(at, board.at, board.sees_cm.max(flag_cm))
        });
        let block = watch.block(origin, at);
        watch.presence[side.index()][block] = true;
    }
    let (columns, rows) = (watch.columns, watch.rows);
    for (presence, near) in watch.presence.iter().zip(&mut watch.near) {
        for y in 0..rows {
            for x in 0..columns {
                if !presence[(y * columns + x) as usize] {
                    continue;
                }
                for ny in (y - 2).max(0)..=(y + 2).min(rows - 1) {
                    for nx in (x - 2).max(0)..=(x + 2).min(columns - 1) {
                        near[(ny * columns + nx) as usize] = true;
                    }
                }
            }
        }
    }
}

/// Whether two points are within so many centimetres.
const fn within(a: PointCm, b: PointCm, cm: i32) -> bool {
    a.squared(b) <= cm as i64 * cm as i64
}

/// One look of one post.
fn refresh(present: &Present, boards: &mut Boards, watch: &Watch, p: usize) {
    let setting = &present.setting;
    let (pulse, pulse_s, origin) =
        (present.clock.pulse, present.clock.pulse_s, setting.site.origin);
    let side = setting.scenario.posts[p].side;
    let facts = present.facts();
    let Boards { of, chain } = boards;
    let board = &mut of[p];
    let sees_cm2 = i64::from(board.sees_cm) * i64::from(board.sees_cm);
    for (c, at) in present.places.at.iter().enumerate() {
        let own = present.roster.side[c] == side;
        if own && chain[c] {
            continue;
        }
        if at.squared(board.at) <= sees_cm2 {
            if !board.sight[c] {
                board.sight[c] = true;
                board.coming[c] = None;
                board.due[c] = 0;
            }
            continue;
        }
        if !board.sight[c] && board.due[c] > pulse {
            continue;
        }
        if !present.roster.mustered[c] {
            continue;
        }
        let report = || {
            let mut seen = facts.seen(CompanyId::from_index(c), pulse);
            if let Some(seen) = seen.as_mut().filter(|_| !own) {
                seen.hide_heart();
            }
            seen
        };
        if board.sight[c] {
            // The last that is seen of it.
            board.sight[c] = false;
            board.seen[c] = report();
        }
        // A report arrives when its way is over; the next one then sets out.
        if let Some(old) = board.coming[c].take() {
            board.broke[c] |= old.is(flag::BROKEN);
            board.seen[c] = Some(old);
        }
        let gone = board.seen[c].is_some_and(|s| s.is(flag::GONE));
        if !gone && (own || watch.near[side.index()][watch.block(origin, *at)]) {
            board.coming[c] = report();
            board.due[c] = pulse + news_pulses(&setting.rules, pulse_s, at.distance_cm(board.at));
        }
    }
    for (person, company) in present.persons.company.iter().enumerate() {
        let c = company.index();
        // A person is known as of the last report of his company.
        if board.sight[c] || (present.roster.side[c] == side && chain[c]) {
            board.persons[person] = Some(SeenPerson {
                company: *company,
                alive: present.persons.alive[person],
                hurt: present.persons.wounds[person] > 0,
            });
        } else if let Some(seen) = &mut board.persons[person] {
            seen.company = *company;
        }
    }
    for portal in 0..setting.site.passages {
        if within(portal_at(setting, PortalId::from_index(portal)), board.at, board.sees_cm) {
            board.gap[portal] = Some(present.gates.gap[portal]);
            board.jammed[portal] = present.gates.leaf[portal] == Leaf::Jammed;
        }
    }
    for (area, land) in setting.site.areas.iter().enumerate() {
        if within(land.at, board.at, board.sees_cm) {
            board.owner[area] = present.owners.owner[area];
        }
    }
}

/// Takes tidings and signals in, and lets those that have arrived be known.
fn listen(
    setting: Res<Setting>,
    clock: Res<Clock>,
    roster: Res<Roster>,
    watch: Res<Watch>,
    mut boards: ResMut<Boards>,
    mut tidings: ResMut<Tidings>,
    mut signals: ResMut<Signals>,
    mut told: ResMut<ToldPosts>,
) {
    for Signalled { channel, from, by } in signals.0.drain(..) {
        let side = setting.scenario.posts[by.index()].side;
        let carries = carries_cm(&setting.rules, channel);
        for (post, board) in setting.scenario.posts.iter().zip(&mut boards.of) {
            if post.side == side && carries.is_none_or(|cm| within(from, board.at, cm)) {
                board.heard[channel as usize] = Some(clock.now_s());
            }
        }
    }
    let all = setting.off.is_off(Law::Knowledge);
    let origin = setting.site.origin;
    for board in &mut boards.of {
        board.learnt.clear();
    }
    for (post, event) in told.0.drain(..) {
        learn(&setting, &mut boards.of[post.index()], event);
    }
    for News { event, at } in tidings.0.drain(..) {
        for (post, board) in setting.scenario.posts.iter().zip(&mut boards.of) {
            if all || within(at, board.at, board.sees_cm) {
                learn(&setting, board, event);
            } else if watch.near[post.side.index()][watch.block(origin, at)]
                || is_of(&roster, event, post.side)
            {
                let way = news_pulses(&setting.rules, clock.pulse_s, at.distance_cm(board.at));
                board.coming_news.push((clock.pulse + way, event));
            }
        }
    }
    for board in &mut boards.of {
        let mut i = 0;
        while let Some(&(due, event)) = board.coming_news.get(i) {
            if due <= clock.pulse {
                board.coming_news.remove(i);
                learn(&setting, board, event);
            } else {
                i += 1;
            }
        }
    }
}

fn is_of(roster: &Roster, event: Tiding, side: SideId) -> bool {
    match event {
        Tiding::Broke(c) | Tiding::Yielded(c) => roster.side[c.index()] == side,
        Tiding::Empty(u) | Tiding::Loaded(u) => {
            roster.of_unit[u.index()].first().is_some_and(|c| roster.side[c.index()] == side)
        }
        _ => false,
    }
}

fn learn(setting: &Setting, board: &mut Board, event: Tiding) {
    let portal = |work| portal_of_work(&setting.site, work).map(PortalId::index);
    match event {
        Tiding::Opened(work) => {
            if let Some(p) = portal(work) {
                board.gap[p] = Some(1000);
                board.jammed[p] = false;
            }
        }
        Tiding::Shut(work) => {
            if let Some(p) = portal(work) {
                board.gap[p] = Some(0);
                board.jammed[p] = false;
            }
        }
        Tiding::Jammed(work) => {
            if let Some(p) = portal(work) {
                board.jammed[p] = true;
            }
        }
        Tiding::Broke(company) => board.broke[company.index()] = true,
        Tiding::Fell(person) => {
            if let Some(known) = &mut board.persons[person.index()] {
                known.alive = false;
            }
        }
        Tiding::Hurt(person) => {
            if let Some(known) = &mut board.persons[person.index()] {
                known.hurt = true;
            }
        }
        Tiding::Taken(area, owner) => board.owner[area.index()] = owner,
        Tiding::Yielded(_) | Tiding::Empty(_) | Tiding::Loaded(_) | Tiding::Help(..) => {}
    }
    board.learnt.push(event);
}

/// What the room writes.
pub fn digest(world: &World, d: &mut Digest) {
    for board in &world.resource::<Boards>().of {
        for seen in board.seen.iter().flatten() {
            d.i32(seen.at.x);
            d.i32(seen.at.y);
            d.i32(seen.men);
            d.u32(u32::from(seen.flags));
            d.u32(seen.pulse);
        }
        for gap in &board.gap {
            d.i32(gap.unwrap_or(-1));
        }
        for owner in &board.owner {
            d.u32(owner.map_or(u32::MAX, |s| u32::from(s.0)));
        }
        d.u32(board.coming_news.len() as u32);
    }
}
