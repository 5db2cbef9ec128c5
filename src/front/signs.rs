//! Signs of arms and verbs: strokes on a square of 32, from `assets/looks/signs.ron`.

use std::collections::BTreeMap;

use bevy_egui::egui::{Color32, Painter, Pos2, Rect, Stroke, pos2};
use serde::Deserialize;

const SIGNS: &str = include_str!("../../assets/looks/signs.ron");

#[derive(Deserialize)]
struct RawSign {
    path: String,
}

#[derive(Clone, Debug, Default)]
struct Strokes(Vec<Vec<[f32; 2]>>);

/// All signs by name; verbs are `do.NAME`.
#[derive(Clone, Debug, Default)]
pub struct Signs {
    all: BTreeMap<String, Strokes>,
}

impl Signs {
    /// Reads the signs.
    ///
    /// # Errors
    /// The first fault of the file.
    pub fn load() -> Result<Self, String> {
        let wrong = |e: ron::error::SpannedError| format!("assets/looks/signs.ron: {e}");
        // The file is one struct whose last field holds the verbs.
        let (arms, verbs) =
            SIGNS.split_once("actions: (").ok_or("assets/looks/signs.ron: no actions")?;
        let arms = format!("{}}}", quote(arms).replacen('(', "{", 1));
        let arms: BTreeMap<String, RawSign> = ron::from_str(&arms).map_err(wrong)?;
        let verbs = verbs.split_once("),").map_or("", |(v, _)| v);
        let verbs: BTreeMap<String, String> =
            ron::from_str(&format!("{{{}}}", quote(verbs))).map_err(wrong)?;
        let mut all: BTreeMap<String, Strokes> =
            arms.into_iter().map(|(k, s)| (k, Strokes(flatten(&s.path)))).collect();
        all.extend(verbs.into_iter().map(|(k, path)| (format!("do.{k}"), Strokes(flatten(&path)))));
        Ok(Self { all })
    }

    /// Draws a sign into a square; a dot where there is none of that name.
    pub fn draw(&self, painter: &Painter, rect: Rect, name: &str, colour: Color32) {
        let scale = rect.width() / 32.0;
        let stroke = Stroke::new((3.0 * scale).max(1.1), colour);
        let Some(sign) = self.all.get(name) else {
            painter.circle_filled(rect.center(), rect.width() * 0.15, colour);
            return;
        };
        for line in &sign.0 {
            let points: Vec<Pos2> = line
                .iter()
                .map(|p| pos2(rect.left() + p[0] * scale, rect.top() + p[1] * scale))
                .collect();
            painter.line(points, stroke);
        }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

/// Puts field names at the start of a line into quotes: a struct becomes a map.
fn quote(text: &str) -> String {
    text.lines()
        .map(|line| {
            let body = line.trim_start();
            let word: String =
                body.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
            if !word.is_empty() && body[word.len()..].starts_with(':') {
                format!("\"{word}\"{}\n", &body[word.len()..])
            } else {
                format!("{line}\n")
            }
        })
        .collect()
}

/// The path language of SVG, as far as the signs use it, as straight strokes.
fn flatten(path: &str) -> Vec<Vec<[f32; 2]>> {
    let mut out: Vec<Vec<[f32; 2]>> = Vec::new();
    let mut at = [0.0_f32; 2];
    let mut tokens = tokens(path).into_iter().peekable();
    let mut command = 'M';
    while let Some(token) = tokens.next() {
        let mut args = Vec::new();
        match token {
            Token::Letter(c) => command = c,
            Token::Number(n) => args.push(n),
        }
        let need = match command.to_ascii_uppercase() {
            'M' | 'L' => 2,
            'H' | 'V' => 1,
            'C' => 6,
            'A' => 7,
            _ => 0,
        };
        while args.len() < need {
            match tokens.peek() {
                Some(Token::Number(n)) => args.push(*n),
                _ => return out,
            }
            tokens.next();
        }
        let from = if command.is_ascii_lowercase() { at } else { [0.0; 2] };
        let to = |i: usize| [from[0] + args[i], from[1] + args[i + 1]];
        match command.to_ascii_uppercase() {
            'M' => {
                at = to(0);
                out.push(vec![at]);
                command = if command == 'M' { 'L' } else { 'l' };
                continue;
            }
            'L' => at = to(0),
            'H' => at[0] = from[0] + args[0],
            'V' => at[1] = from[1] + args[0],
            'C' => {
                let (p0, p1, p2, p3) = (at, to(0), to(2), to(4));
                for i in 1..8 {
                    let t = i as f32 / 8.0;
                    let s = 1.0 - t;
                    let b = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
                    let p =
                        [0, 1].map(|k| b[0] * p0[k] + b[1] * p1[k] + b[2] * p2[k] + b[3] * p3[k]);
                    if let Some(line) = out.last_mut() {
                        line.push(p);
                    }
                }
                at = p3;
            }
            'A' => {
                let end = to(5);
                let centre = centre(at, end, args[0], args[3] != 0.0, args[4] != 0.0);
                let angle = |p: [f32; 2]| (p[1] - centre[1]).atan2(p[0] - centre[0]);
                let (start, mut sweep) = (angle(at), angle(end) - angle(at));
                if args[4] == 0.0 && sweep > 0.0 {
                    sweep -= std::f32::consts::TAU;
                } else if args[4] != 0.0 && sweep < 0.0 {
                    sweep += std::f32::consts::TAU;
                }
                let r = (at[0] - centre[0]).hypot(at[1] - centre[1]);
                for i in 1..16 {
                    let a = start + sweep * i as f32 / 16.0;
                    if let Some(line) = out.last_mut() {
                        line.push([centre[0] + a.cos() * r, centre[1] + a.sin() * r]);
                    }
                }
                at = end;
            }
            'Z' => {
                if let Some(line) = out.last_mut()
                    && let Some(first) = line.first().copied()
                {
                    at = first;
                }
            }
            _ => return out,
        }
        if let Some(line) = out.last_mut() {
            line.push(at);
        }
    }
    out
}

/// The centre of a round arc between two points, as SVG chooses it.
fn centre(a: [f32; 2], b: [f32; 2], r: f32, large: bool, sweep: bool) -> [f32; 2] {
    let half = [(a[0] - b[0]) / 2.0, (a[1] - b[1]) / 2.0];
    let apart = half[0] * half[0] + half[1] * half[1];
    let off = ((r * r - apart).max(0.0) / apart.max(1e-6)).sqrt();
    let off = if large == sweep { -off } else { off };
    let mid = [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
    [mid[0] + off * half[1], mid[1] - off * half[0]]
}

#[derive(Clone, Copy)]
enum Token {
    Letter(char),
    Number(f32),
}

fn tokens(path: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut number = String::new();
    let flush = |number: &mut String, out: &mut Vec<Token>| {
        if let Ok(n) = number.parse() {
            out.push(Token::Number(n));
        }
        number.clear();
    };
    for c in path.chars() {
        if c.is_ascii_alphabetic() {
            flush(&mut number, &mut out);
            out.push(Token::Letter(c));
        } else if c == '-' || (c == '.' && number.contains('.')) {
            flush(&mut number, &mut out);
            number.push(c);
        } else if c.is_ascii_digit() || c == '.' {
            number.push(c);
        } else {
            flush(&mut number, &mut out);
        }
    }
    flush(&mut number, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_signs_are_read_and_stay_in_their_square() {
        let signs = Signs::load().unwrap_or_else(|e| panic!("{e}"));
        assert!(signs.len() >= 30, "{} signs", signs.len());
        for (name, sign) in &signs.all {
            assert!(!sign.0.is_empty(), "{name} is empty");
            for p in sign.0.iter().flatten() {
                assert!(
                    (-3.0..=35.0).contains(&p[0]) && (-3.0..=35.0).contains(&p[1]),
                    "{name}: {p:?}"
                );
            }
        }
    }
}
