//! Small plates for the sectors of a walk: who stands there, one's own men and those
//! enemies that are known of.

use bevy_egui::egui::{Color32, FontId};

use crate::core::ids::SideId;
use crate::view::works::{SectorMark, sectors};

use super::bits::sans;
use super::canvas::{P, far};
use super::state::Play;
use super::theme::serif;
use super::words::{Words, about, count};

/// Metres a pixel from which on sectors are told; nearer, only while orders are made.
const FROM: f32 = 1.1;
/// Metres a pixel beyond which there is no room for them.
const FAR: f32 = 9.0;

/// A plate to be put: where, its lines, and whether an enemy is on it.
pub struct Told {
    /// Where the sector has its middle, metres.
    pub at: P,
    /// Outward there.
    pub out: P,
    /// What is said.
    pub lines: Vec<(String, FontId, Color32)>,
    /// Whether an enemy stands on it.
    pub taken: bool,
}

/// The plates of all sectors that are to be told now.
pub fn told(
    play: &Play,
    words: &Words,
    text: Color32,
    colour: impl Fn(SideId) -> Color32,
) -> Vec<Told> {
    let px = play.view.px;
    if px > FAR || (px < FROM && !play.form.open) {
        return Vec::new();
    }
    let battle = play.battle();
    let frame = play.session.frame(play.pulse());
    let watcher = play.session.side();
    let all = sectors(&battle, frame, watcher, |c| play.session.side_of(c));
    let told = |sector: SectorMark| {
        let area = &battle.site.areas[sector.area.index()];
        let home = watcher.map_or(0, SideId::index);
        let mut lines = vec![(words.name(&area.name).to_owned(), FontId::new(13.0, serif()), text)];
        let mut taken = false;
        for (i, men) in sector.men.iter().enumerate() {
            let side = SideId::from_index(i);
            let own = watcher.is_none_or(|s| s == side);
            if *men == 0 && i != home {
                continue;
            }
            taken |= i != home && *men > 0;
            let n = if own { count(*men) } else { about(words, *men) };
            let name = words.name(&battle.sides[i].name);
            lines.push((format!("{name} {n}"), sans(12.0), colour(side)));
        }
        let work = battle.site.nodes[area.centre.index()].work;
        let out = work.map(|w| battle.site.works[w.index()].outward).unwrap_or_default();
        let out = [out.x as f32 / 1000.0, out.y as f32 / 1000.0];
        // Where it is nearest to the middle of what is seen.
        let places = area.nodes.iter().map(|n| play.land.m(battle.site.centre(*n)));
        let near = |p: &P| far(*p, play.view.centre);
        let at = places.min_by(|a, b| near(a).total_cmp(&near(b)));
        let at = if px < FROM { at } else { None };
        Told { at: at.unwrap_or_else(|| play.land.m(area.at)), out, lines, taken }
    };
    all.into_iter().map(told).collect()
}
