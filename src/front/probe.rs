//! A small dump of the front's state for tests of the real window, written where
//! `NINE_GATES_PROBE` says.

use serde_json::json;

use super::say::Teller;
use super::state::{Desk, Screen};
use crate::locale::Language;
use crate::view::session::Phase;

/// Writes the state if it has changed; a fault of writing is of no consequence.
pub fn write(desk: &mut Desk) {
    let Some(path) = desk.probe.clone() else { return };
    let screen = match desk.screen {
        Screen::Battles => "battles",
        Screen::Battle => "battle",
        Screen::Report => "report",
    };
    let play = desk.play.as_ref().map(|play| {
        let battle = play.battle();
        let teller = Teller { words: &desk.words, battle: &battle };
        let orders: Vec<_> = play
            .session
            .pending()
            .iter()
            .map(|l| json!({"label": l.label, "said": teller.line(l)}))
            .collect();
        let standings: std::collections::BTreeMap<_, _> = play
            .session
            .side()
            .map(|side| play.session.given_until(side, play.pulse()))
            .into_iter()
            .flatten()
            .map(|l| {
                (l.label.clone(), format!("{:?}", play.session.standing(l, play.pulse())))
            })
            .collect();
        let given = play.session.side().map_or(0, |s| play.session.given(s).count());
        let tiles: std::collections::BTreeMap<_, _> = play
            .tiles()
            .into_iter()
            .filter(|(_, r)| play.view.rect.contains(r.center()))
            .map(|(u, r)| (battle.units[u.index()].id.clone(), [r.center().x, r.center().y]))
            .collect();
        let quiet = !matches!(play.session.phase(), Phase::Running | Phase::Forking(_));
        json!({
            "battle": battle.id,
            "side": play.session.side().map(|s| battle.sides[s.index()].id.clone()),
            "turn": play.session.turns().len(),
            "pulse": play.session.pulse(),
            "shown": play.pulse(),
            "playing": play.playing,
            "phase": format!("{:?}", play.session.phase()),
            "planning": play.planning(),
            "selected": play.chosen.iter().map(|u| battle.units[u.index()].id.clone()).collect::<Vec<_>>(),
            "orders": orders,
            "given": given,
            "standings": standings,
            "digest": quiet.then(|| format!("{:016x}", play.session.digest())),
            "metres_a_pixel": play.view.px,
            "level": format!("{:?}", play.level),
            "tiles": tiles,
            "turns": play.session.turns().iter().map(|t| json!({"from": t.from, "to": t.to, "digest": format!("{:016x}", t.digest), "call": t.call.as_ref().map(|c| c.en.clone())})).collect::<Vec<_>>(),
        })
    });
    let state = json!({
        "screen": screen,
        "language": if desk.words.tongue == Language::Zh { "zh" } else { "en" },
        "battles": desk.cards.iter().map(|c| c.battle.id.clone()).collect::<Vec<_>>(),
        "seat": desk.seat,
        "pictures": desk.pictures,
        "faults": desk.faults,
        "play": play,
        "spots": desk.spots,
    })
    .to_string();
    if state != desk.probed {
        // Written beside and renamed, so that a reader never sees half of it.
        let beside = path.with_extension("part");
        if std::fs::write(&beside, &state).is_ok() && std::fs::rename(&beside, &path).is_ok() {
            desk.probed = state;
        }
    }
}
