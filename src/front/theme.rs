//! The tokens of the look: colours, sizes, and egui's dress. Read once from
//! `assets/looks/tokens.ron`, which ships inside the program.

use std::collections::BTreeMap;

use bevy_egui::egui::{self, Color32, CornerRadius, FontFamily, FontId, Stroke, TextStyle};
use serde::Deserialize;

use crate::scenario::battle::Light;

const TOKENS: &str = include_str!("../../assets/looks/tokens.ron");

/// A colour as `#RRGGBB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Hue(pub Color32);

impl TryFrom<String> for Hue {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.strip_prefix('#').filter(|d| d.len() == 6 && d.is_ascii());
        let value = digits.and_then(|d| u32::from_str_radix(d, 16).ok());
        let value = value.ok_or_else(|| format!("`{text}` is not a colour like #A1B2C3"))?;
        Ok(Self(Color32::from_rgb((value >> 16) as u8, (value >> 8) as u8, value as u8)))
    }
}

/// Outline of a side's tiles and banners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[allow(missing_docs, reason = "the words are those of the look")]
pub enum Tile {
    Square,
    Swallowtail,
    Hexagon,
    Round,
}

/// Line under a side's companies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[allow(missing_docs, reason = "the words are those of the look")]
pub enum Dash {
    Solid,
    Dashed,
    Dotted,
    Double,
}

#[derive(Clone, Debug, Deserialize)]
struct RawPigment {
    day: (Hue, Hue, Hue),
    night: (Hue, Hue, Hue),
    lacquer: Hue,
    paper: Hue,
    tile: Tile,
    line: Dash,
}

/// A dark surface to command on, or a pale one to read.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs, reason = "the words are those of the look")]
pub struct Lacquer {
    pub bg: Hue,
    pub bg2: Hue,
    pub bg3: Hue,
    pub well: Hue,
    pub line: Hue,
    pub chosen: Hue,
    pub text: Hue,
    pub muted: Hue,
    pub refused: Hue,
    pub accent: Hue,
    pub ok: Hue,
}

/// The pale surface.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs, reason = "the words are those of the look")]
pub struct Paper {
    pub bg: Hue,
    pub sheet: Hue,
    pub bg2: Hue,
    pub line: Hue,
    pub text: Hue,
    pub muted: Hue,
    pub accent: Hue,
    pub ok: Hue,
    pub band: Hue,
    pub ridge: Hue,
}

#[derive(Clone, Debug, Deserialize)]
struct RawButton {
    first: Hue,
    first_edge: Hue,
    first_text: Hue,
}

#[derive(Clone, Debug, Deserialize)]
struct RawHazard {
    amber: Hue,
    ink: Hue,
}

#[derive(Clone, Debug, Deserialize)]
struct RawScroll {
    rod: Hue,
    rod_hi: Hue,
    knob: Hue,
    brocade: Hue,
    brocade_line: Hue,
}

#[derive(Clone, Debug, Deserialize)]
struct RawGauges {
    morale: Hue,
    freshness: Hue,
    ammunition: Hue,
    low: Hue,
    low_under: f32,
}

#[derive(Clone, Debug, Deserialize)]
struct RawPlate {
    day: (Hue, Hue),
    night: (Hue, Hue),
    alpha: f32,
}

#[derive(Clone, Debug, Deserialize)]
struct RawBanner {
    text: Hue,
    pole: Hue,
    ring: Hue,
}

#[derive(Clone, Debug, Deserialize)]
struct RawDetail {
    city_over_m_px: f32,
    street_under_m_px: f32,
    other_level_alpha: f32,
}

#[derive(Clone, Debug, Deserialize)]
struct RawGhost {
    under: Hue,
    line: Hue,
}

#[derive(Clone, Debug, Deserialize)]
struct Tokens {
    map: BTreeMap<String, (Hue, Hue, Hue)>,
    horses: Vec<Hue>,
    sides: Vec<RawPigment>,
    lacquer: Lacquer,
    paper: Paper,
    button: RawButton,
    hazard: RawHazard,
    scroll: RawScroll,
    gauges: RawGauges,
    plate: RawPlate,
    banner: RawBanner,
    ghost: RawGhost,
    detail: RawDetail,
}

/// A side's colours in the present light.
#[derive(Clone, Copy, Debug)]
pub struct Pigment {
    /// Men's bodies.
    pub fill: Color32,
    /// Edges.
    pub dark: Color32,
    /// Pale wash.
    pub light: Color32,
    /// Banners and tiles: the day's pigment in any light.
    pub banner: Color32,
    /// Edge of banners and tiles.
    pub banner_dark: Color32,
    /// Text on lacquer.
    pub lacquer: Color32,
    /// Text on paper.
    pub paper: Color32,
    /// Heads of its men.
    pub head: Color32,
    /// Outline.
    pub tile: Tile,
    /// Baseline.
    pub line: Dash,
}

/// The look in one light.
#[derive(Clone, Debug)]
pub struct Theme {
    tokens: Tokens,
    /// Which of the three rows of the palette.
    pub light: Light,
}

impl Theme {
    /// Reads the tokens.
    ///
    /// # Errors
    /// The place and kind of the first fault in the file.
    pub fn load() -> Result<Self, String> {
        let tokens = ron::from_str(TOKENS).map_err(|e| format!("assets/looks/tokens.ron: {e}"))?;
        Ok(Self { tokens, light: Light::Day })
    }

    /// A colour of the map by its name; ink where the name is unknown.
    #[must_use]
    pub fn map(&self, name: &str) -> Color32 {
        let row = self.tokens.map.get(name);
        row.map_or(Color32::BLACK, |(day, dusk, night)| match self.light {
            Light::Day => day.0,
            Light::Dusk => dusk.0,
            Light::Night => night.0,
        })
    }

    /// Colours of a side by its slot, 1 to 4.
    #[must_use]
    pub fn pigment(&self, slot: u8) -> Pigment {
        let index = usize::from(slot.max(1) - 1) % self.tokens.sides.len().max(1);
        let raw = &self.tokens.sides[index];
        let night = self.light == Light::Night;
        let (fill, dark, light) = if night { &raw.night } else { &raw.day };
        Pigment {
            fill: fill.0,
            dark: dark.0,
            light: light.0,
            banner: raw.day.0.0,
            banner_dark: raw.day.1.0,
            lacquer: raw.lacquer.0,
            paper: raw.paper.0,
            head: if index.is_multiple_of(2) {
                self.map("head_1")
            } else {
                Color32::from_rgb(0x15, 0x11, 0x0F)
            },
            tile: raw.tile,
            line: raw.line,
        }
    }

    /// Colours of horses.
    #[must_use]
    pub fn horse(&self, pick: u32) -> Color32 {
        let n = self.tokens.horses.len().max(1);
        self.tokens.horses.get(pick as usize % n).map_or(Color32::BLACK, |h| h.0)
    }

    /// The dark surface.
    #[must_use]
    pub const fn lacquer(&self) -> &Lacquer {
        &self.tokens.lacquer
    }

    /// The pale surface.
    #[must_use]
    pub const fn paper(&self) -> &Paper {
        &self.tokens.paper
    }

    /// Fill, edge and text of a first button.
    #[must_use]
    pub const fn first(&self) -> (Color32, Color32, Color32) {
        let b = &self.tokens.button;
        (b.first.0, b.first_edge.0, b.first_text.0)
    }

    /// Amber and ink of a hazard.
    #[must_use]
    pub const fn hazard(&self) -> (Color32, Color32) {
        (self.tokens.hazard.amber.0, self.tokens.hazard.ink.0)
    }

    /// Rod, its light, knob, brocade and its lines.
    #[must_use]
    pub const fn scroll(&self) -> [Color32; 5] {
        let s = &self.tokens.scroll;
        [s.rod.0, s.rod_hi.0, s.knob.0, s.brocade.0, s.brocade_line.0]
    }

    /// Colour of a gauge: 0 morale, 1 freshness, 2 ammunition; amber when low.
    #[must_use]
    pub fn gauge(&self, which: usize, share: f32) -> Color32 {
        let g = &self.tokens.gauges;
        if share < g.low_under {
            return g.low.0;
        }
        [g.morale, g.freshness, g.ammunition][which.min(2)].0
    }

    /// Ground and text of a plate.
    #[must_use]
    pub fn plate(&self) -> (Color32, Color32) {
        let p = &self.tokens.plate;
        let (ground, text) = if self.light == Light::Night { p.night } else { p.day };
        (fade(ground.0, p.alpha), text.0)
    }

    /// Text, pole and rings of banners.
    #[must_use]
    pub const fn banner(&self) -> (Color32, Color32, Color32) {
        let b = &self.tokens.banner;
        (b.text.0, b.pole.0, b.ring.0)
    }

    /// Ground and line of ghosts of orders.
    #[must_use]
    pub const fn ghost(&self) -> (Color32, Color32) {
        (self.tokens.ghost.under.0, self.tokens.ghost.line.0)
    }

    /// Metres a pixel over which the city is shown, and under which men are.
    #[must_use]
    pub const fn distances(&self) -> (f32, f32) {
        (self.tokens.detail.city_over_m_px, self.tokens.detail.street_under_m_px)
    }

    /// How strongly the other level shows.
    #[must_use]
    pub const fn other_level(&self) -> f32 {
        self.tokens.detail.other_level_alpha
    }

    /// Dresses egui in lacquer.
    pub fn dress(&self, ctx: &egui::Context) {
        let l = self.lacquer();
        ctx.set_theme(egui::Theme::Dark);
        ctx.all_styles_mut(|style| {
            style.spacing.item_spacing = egui::vec2(8.0, 4.0);
            style.spacing.button_padding = egui::vec2(8.0, 4.0);
            style.spacing.interact_size.y = 26.0;
            style.interaction.selectable_labels = false;
            style.text_styles = [
                (TextStyle::Small, FontId::new(12.0, FontFamily::Proportional)),
                (TextStyle::Body, FontId::new(13.0, FontFamily::Proportional)),
                (TextStyle::Button, FontId::new(13.0, FontFamily::Proportional)),
                (TextStyle::Monospace, FontId::new(13.0, FontFamily::Monospace)),
                (TextStyle::Heading, FontId::new(18.0, serif())),
            ]
            .into();
            let v = &mut style.visuals;
            v.panel_fill = l.bg.0;
            v.window_fill = l.bg2.0;
            v.window_stroke = Stroke::new(1.0, l.accent.0);
            v.window_corner_radius = CornerRadius::ZERO;
            v.menu_corner_radius = CornerRadius::ZERO;
            v.extreme_bg_color = l.well.0;
            v.faint_bg_color = l.bg2.0;
            v.override_text_color = None;
            v.selection.bg_fill = l.chosen.0;
            v.selection.stroke = Stroke::new(1.0, l.accent.0);
            v.hyperlink_color = l.accent.0;
            v.slider_trailing_fill = true;
            for (w, fill, edge, text) in [
                (&mut v.widgets.noninteractive, l.bg.0, l.line.0, l.text.0),
                (&mut v.widgets.inactive, l.bg2.0, l.line.0, l.text.0),
                (&mut v.widgets.hovered, l.bg3.0, l.accent.0, l.text.0),
                (&mut v.widgets.active, l.chosen.0, l.accent.0, l.accent.0),
                (&mut v.widgets.open, l.bg3.0, l.accent.0, l.text.0),
            ] {
                w.bg_fill = fill;
                w.weak_bg_fill = fill;
                w.bg_stroke = Stroke::new(1.0, edge);
                w.fg_stroke = Stroke::new(1.2, text);
                w.corner_radius = CornerRadius::ZERO;
                w.expansion = 0.0;
            }
        });
    }
}

/// The family of names and titles.
#[must_use]
pub fn serif() -> FontFamily {
    FontFamily::Name("serif".into())
}

/// A colour with its strength multiplied.
#[must_use]
pub fn fade(colour: Color32, alpha: f32) -> Color32 {
    colour.gamma_multiply(alpha.clamp(0.0, 1.0))
}

/// Gives egui its faces: a Latin and Chinese sans, and a serif for names.
/// Returns what could not be read.
pub fn fonts(ctx: &egui::Context, folder: &std::path::Path) -> Vec<String> {
    let mut fonts = egui::FontDefinitions::default();
    let mut missing = Vec::new();
    let mut add = |fonts: &mut egui::FontDefinitions, name: &str, file: &str| match std::fs::read(
        folder.join(file),
    ) {
        Ok(bytes) => {
            fonts
                .font_data
                .insert(name.into(), std::sync::Arc::new(egui::FontData::from_owned(bytes)));
            true
        }
        Err(error) => {
            missing.push(format!("{file}: {error}"));
            false
        }
    };
    // The small Latin faces come first: the Chinese ones draw quotes and dots wide.
    let faces = [
        ("latin", "NotoSansLatin-game.otf"),
        ("sans", "NotoSansSC-game.otf"),
        ("latin-names", "NotoSerifLatin-game.otf"),
        ("names", "NotoSerifSC-game.otf"),
    ];
    let there: Vec<&str> = faces
        .into_iter()
        .filter(|(name, file)| add(&mut fonts, name, file))
        .map(|(name, _)| name)
        .collect();
    let own = |want: &[&str]| -> Vec<String> {
        want.iter().filter(|w| there.contains(*w)).map(|w| (*w).to_owned()).collect()
    };
    let base = fonts.families.get(&FontFamily::Proportional).cloned().unwrap_or_default();
    let mut plain = own(&["latin", "sans"]);
    plain.extend(base);
    let mut titles = own(&["latin-names", "names"]);
    titles.extend(plain.clone());
    if let Some(mono) = fonts.families.get_mut(&FontFamily::Monospace) {
        mono.extend(own(&["sans"]));
    }
    fonts.families.insert(FontFamily::Proportional, plain);
    fonts.families.insert(serif(), titles);
    ctx.set_fonts(fonts);
    missing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tokens_that_ship_are_read() {
        let theme = Theme::load().unwrap_or_else(|e| panic!("{e}"));
        assert_ne!(theme.map("silk"), theme.map("ink0"));
        assert_ne!(theme.pigment(1).fill, theme.pigment(2).fill);
    }
}
