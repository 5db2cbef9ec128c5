//! What the front holds between two pictures: screen, battle in play, choice, view.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bevy::prelude::Resource;
use bevy_egui::egui::{Pos2, Rect, Vec2, pos2, vec2};

use crate::core::ids::{SideId, UnitId};
use crate::replay::record::Made;
use crate::scenario::battle::{Light, Scenario};
use crate::scenario::library::Library;
use crate::scenario::site::Level;
use crate::study::without;
use crate::view::session::{Phase, Session};

use super::canvas::P;
use super::crowd::Shown;
use super::form::Form;
use super::land::Land;
use super::signs::Signs;
use super::theme::Theme;
use super::words::Words;

/// Seconds that pulses may take of one picture: half of what the last one took, so
/// that a machine that draws slowly does not fight slowly too.
const SLICE_S: (f64, f64) = (0.012, 0.2);
/// Speeds of playback: seconds of battle in a second.
pub const SPEEDS: [f64; 6] = [1.0, 3.0, 6.0, 12.0, 30.0, 60.0];

/// Which screen is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    /// The list of battles.
    Battles,
    /// A battle.
    Battle,
    /// What came of it.
    Report,
}

/// What the right panel shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    /// The chosen unit.
    Unit,
    /// What happened.
    Events,
}

/// Which part of the map is seen.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Middle, metres from the map's corner.
    pub centre: P,
    /// Metres a pixel.
    pub px: f32,
    /// The part of the window that is map.
    pub rect: Rect,
}

impl View {
    /// Where a point of the map is on the screen.
    #[must_use]
    pub fn on(&self, p: P) -> Pos2 {
        let c = self.rect.center();
        pos2(c.x + (p[0] - self.centre[0]) / self.px, c.y - (p[1] - self.centre[1]) / self.px)
    }

    /// The point of the map under a place on the screen.
    #[must_use]
    pub fn under(&self, at: Pos2) -> P {
        let c = self.rect.center();
        [self.centre[0] + (at.x - c.x) * self.px, self.centre[1] - (at.y - c.y) * self.px]
    }

    /// Corners of what is seen, with a margin in metres.
    #[must_use]
    pub fn window(&self, margin: f32) -> (P, P) {
        let (w, h) = (
            self.rect.width() / 2.0 * self.px + margin,
            self.rect.height() / 2.0 * self.px + margin,
        );
        ([self.centre[0] - w, self.centre[1] - h], [self.centre[0] + w, self.centre[1] + h])
    }

    /// Moves by pixels, within the land.
    pub fn pan(&mut self, by: Vec2, land: Land) {
        self.centre = [self.centre[0] - by.x * self.px, self.centre[1] + by.y * self.px];
        self.bound(land);
    }

    /// Zooms about a place on the screen; a factor under 1 comes nearer.
    pub fn zoom(&mut self, factor: f32, about: Pos2, land: Land) {
        let before = self.under(about);
        self.px = (self.px * factor).clamp(
            0.08,
            (land.height / self.rect.height().max(100.0))
                .max(land.width / self.rect.width().max(100.0))
                * 1.15,
        );
        let after = self.under(about);
        self.centre =
            [self.centre[0] + before[0] - after[0], self.centre[1] + before[1] - after[1]];
        self.bound(land);
    }

    /// Nothing beyond the map is shown while the map is larger than the window.
    pub fn bound(&mut self, land: Land) {
        let whole = [land.width, land.height];
        let half = [self.rect.width() / 2.0 * self.px, self.rect.height() / 2.0 * self.px];
        for k in 0..2 {
            self.centre[k] = if half[k] * 2.0 >= whole[k] {
                whole[k] / 2.0
            } else {
                self.centre[k].clamp(half[k], whole[k] - half[k])
            };
        }
    }
}

/// Layers of the map that can be put on and off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// Men and missiles.
    pub men: bool,
    /// Ghosts of orders.
    pub orders: bool,
    /// Density in plum.
    pub density: bool,
    /// Those who lie there.
    pub bodies: bool,
    /// Names on plates.
    pub names: bool,
}

/// A battle in play.
pub struct Play {
    /// The battle behind its door.
    pub session: Session,
    /// Its ground.
    pub land: Land,
    /// The moment shown, in pulses.
    pub cursor: f64,
    /// Whether time runs.
    pub playing: bool,
    /// Index into [`SPEEDS`].
    pub speed: usize,
    /// What is seen.
    pub view: View,
    /// Whether the view has been set for this window.
    pub framed: bool,
    /// The level shown.
    pub level: Level,
    /// Layers.
    pub layers: Layers,
    /// Chosen units, ascending.
    pub chosen: Vec<UnitId>,
    /// The order form.
    pub form: Form,
    /// Start of a box, if one is drawn.
    pub box_from: Option<Pos2>,
    /// The right panel.
    pub tab: Tab,
    /// Companies on the screen now.
    pub shown: Vec<Shown>,
    /// Words to be shown for a moment, and until when (seconds of the program).
    pub note: Option<(String, f64)>,
    /// The place of an event that was chosen.
    pub flash: Option<(P, f64)>,
    /// Pulse of the turn that was saved last.
    pub kept: u32,
    /// How a loaded battle was made.
    pub made: Option<Made>,
    /// The palette is held against the clock of the battle.
    pub light: Option<Light>,
}

impl Play {
    /// A battle from its first pulse.
    #[must_use]
    pub fn new(session: Session) -> Self {
        let land = Land::of(&session.scenario().site);
        let side = session.side();
        Self {
            land,
            cursor: 0.0,
            playing: side.is_none(),
            speed: 3,
            view: View {
                centre: [land.width * 0.4, land.height / 2.0],
                px: 1.2,
                rect: Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0)),
            },
            framed: false,
            level: Level::Ground,
            layers: Layers { men: true, orders: true, density: false, bodies: true, names: true },
            chosen: Vec::new(),
            form: Form::default(),
            box_from: None,
            tab: if side.is_some() { Tab::Unit } else { Tab::Events },
            shown: Vec::new(),
            note: None,
            flash: None,
            kept: 0,
            made: None,
            light: None,
            session,
        }
    }

    /// The battle.
    #[must_use]
    pub fn battle(&self) -> Arc<Scenario> {
        Arc::clone(self.session.scenario())
    }

    /// The pulse shown.
    #[must_use]
    pub fn pulse(&self) -> u32 {
        self.cursor.floor().max(0.0) as u32
    }

    /// Whether orders can be given now: the present is shown and the turn is open.
    #[must_use]
    pub fn planning(&self) -> bool {
        self.session.side().is_some()
            && self.session.phase() == Phase::Planning
            && self.at_end()
            && !self.playing
    }

    /// Whether the newest frame is shown.
    #[must_use]
    pub fn at_end(&self) -> bool {
        self.cursor >= f64::from(self.session.last())
    }

    /// Runs the battle a little, and time. Returns whether a turn has just been
    /// shown to its end.
    pub fn tick(&mut self, seconds: f64) -> bool {
        if matches!(self.session.phase(), Phase::Running | Phase::Forking(_)) {
            let slice = (seconds * 0.5).clamp(SLICE_S.0, SLICE_S.1);
            self.session.advance(Duration::from_secs_f64(slice));
        }
        // Nobody is to be asked: the next turn follows at once.
        if self.playing && self.session.side().is_none() {
            self.session.end_turn();
        }
        if self.playing {
            let pulses = seconds.min(0.25) * SPEEDS[self.speed] / f64::from(self.session.pulse_s());
            self.cursor = (self.cursor + pulses).min(f64::from(self.session.last()));
            let done = matches!(self.session.phase(), Phase::Planning | Phase::Over);
            if done && self.at_end() {
                self.playing = false;
            }
            return self.at_end() && done;
        }
        false
    }

    /// Space: ends the turn when planning, else plays or pauses.
    pub fn space(&mut self) {
        if self.playing {
            self.playing = false;
        } else if self.planning() {
            self.end_turn();
        } else {
            self.playing = true;
        }
    }

    /// Orders go out and the turn is shown.
    pub fn end_turn(&mut self) {
        self.session.end_turn();
        self.playing = true;
        self.form.open = false;
    }

    /// Looks at a place.
    pub fn look(&mut self, at: P) {
        self.view.centre = at;
        self.view.bound(self.land);
    }

    /// Labels of all orders that the person's side has given or is planning.
    #[must_use]
    pub fn labels(&self) -> Vec<String> {
        let given = self.session.side().map(|side| self.session.given(side));
        let given = given.into_iter().flatten().chain(self.session.pending());
        given.map(|line| line.label.clone()).collect()
    }

    /// Moves in time.
    pub fn seek(&mut self, pulse: f64) {
        self.cursor = pulse.clamp(0.0, f64::from(self.session.last()));
        self.playing = false;
    }

    /// Starts anew from the moment shown.
    pub fn fork(&mut self) {
        if matches!(self.session.phase(), Phase::Running | Phase::Forking(_)) {
            return;
        }
        let pulse = self.pulse();
        self.session.fork(pulse);
        self.cursor = f64::from(pulse);
        self.playing = false;
    }

    /// Sides by what the person may see.
    #[must_use]
    pub fn watcher(&self) -> Option<SideId> {
        self.session.side()
    }

    /// Chooses one unit, or adds it.
    pub fn choose(&mut self, unit: UnitId, add: bool) {
        if !add {
            self.chosen.clear();
        }
        match self.chosen.binary_search(&unit) {
            Ok(at) if add => {
                self.chosen.remove(at);
            }
            Ok(_) => {}
            Err(at) => self.chosen.insert(at, unit),
        }
        self.tab = Tab::Unit;
    }

    /// The units that a person can choose: his own, or all when he only watches.
    #[must_use]
    pub fn mine(&self) -> Vec<UnitId> {
        let battle = self.session.scenario();
        (0..battle.units.len())
            .map(UnitId::from_index)
            .filter(|u| self.session.side().is_none_or(|s| battle.side_of(*u) == s))
            .collect()
    }

    /// The light of the palette.
    #[must_use]
    pub fn shade(&self) -> Light {
        self.light.unwrap_or(self.session.scenario().light)
    }
}

/// A battle in the list.
#[derive(Clone, Debug)]
pub struct Card {
    /// Its id in the list, or its file.
    pub id: String,
    /// The battle, checked.
    pub battle: Arc<Scenario>,
    /// Companies that will take the field.
    pub companies: usize,
}

/// Everything.
#[derive(Resource)]
pub struct Desk {
    /// The look.
    pub theme: Theme,
    /// The words.
    pub words: Words,
    /// The signs.
    pub signs: Signs,
    /// Which screen.
    pub screen: Screen,
    /// Battles that can be played.
    pub cards: Vec<Card>,
    /// What could not be read, for the list's foot.
    pub faults: Vec<String>,
    /// Chosen battle.
    pub card: usize,
    /// Chosen side in it; one more than there are means to watch the record.
    pub seat: usize,
    /// Seed of the next battle.
    pub seed: u64,
    /// The battle in play.
    pub play: Option<Play>,
    /// Where the probe writes.
    pub probe: Option<PathBuf>,
    /// What it wrote last.
    pub probed: String,
    /// Places of controls on the screen, for the probe and for tests.
    pub spots: BTreeMap<String, [f32; 2]>,
    /// Pictures drawn so far.
    pub pictures: u64,
    /// Wants to leave.
    pub quit: bool,
    /// The fonts have been given to egui.
    pub dressed: bool,
    /// Folder of the fonts.
    pub fonts: PathBuf,
    /// Statements of the finished battle, measured.
    pub verdicts: Option<Vec<super::report::Row>>,
    /// What changes the battles beside their files.
    pub change: super::Change,
    /// The data folders.
    pub library: Library,
}

impl Desk {
    /// Remembers where a control is, by name.
    pub fn spot(&mut self, name: &str, rect: Rect) {
        if self.probe.is_some() {
            let c = rect.center();
            self.spots.insert(name.to_owned(), [c.x, c.y]);
        }
    }

    /// Opens the chosen battle in the chosen seat.
    pub fn open(&mut self) {
        let Some(card) = self.cards.get(self.card) else { return };
        let side = (self.seat < card.battle.sides.len()).then(|| SideId::from_index(self.seat));
        let change = &self.change;
        let off = match without::resolve(&change.without, &card.battle.rules) {
            Ok(off) => off,
            Err(without::Unknown(word)) => {
                self.faults.push(format!("{}: --without {word}", card.battle.id));
                return;
            }
        };
        let battle = Arc::clone(&card.battle);
        let session = Session::with(battle, self.seed, side, change.orders, off);
        self.play = Some(Play::new(session));
        self.verdicts = None;
        self.screen = Screen::Battle;
    }

    /// The light that the palette should have now.
    pub fn light(&mut self) {
        let light = match (&self.play, self.screen) {
            (Some(play), Screen::Battle | Screen::Report) => play.shade(),
            _ => Light::Day,
        };
        self.theme.light = light;
    }
}

/// A size in pixels.
#[must_use]
pub fn size(w: f32, h: f32) -> Vec2 {
    vec2(w, h)
}
