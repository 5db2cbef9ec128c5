//! Drawn inputs: every figure of ours anywhere in its plausible range, so that a
//! study can show how far the outcome rests on our choices.

use std::fmt::Write;

use xxhash_rust::xxh3::xxh3_64;

use crate::core::dice::Dice;

use super::spans::{Form, Node, number};

/// Room of the dice that inputs are drawn with; no law has it.
const ROOM: u8 = 255;

/// Replaces the value of every `Ours(...)` below a node by one drawn uniformly
/// from its range, by dice of its own keyed by the seed and its path. A figure
/// with a fault in it stays as it is, so that the fault is found. A figure that is
/// written in whole numbers throughout (men, engines) is drawn whole.
pub fn draw(root: &mut Node, seed: u64, name: &str) {
    let mut path = name.to_string();
    walk(root, seed, &mut path);
}

fn walk(node: &mut Node, seed: u64, path: &mut String) {
    let stem = path.len();
    if let Some(drawn) = drawn(node, seed, path) {
        if let Some(value) = node.field_mut("value") {
            value.form = Form::Number(drawn);
        }
        return;
    }
    match &mut node.form {
        Form::Group(_, entries) => {
            for (i, entry) in entries.iter_mut().enumerate() {
                match &entry.key {
                    Some((key, _)) => _ = write!(path, "/{key}"),
                    None => _ = write!(path, "/{i}"),
                }
                walk(&mut entry.value, seed, path);
                path.truncate(stem);
            }
        }
        Form::List(items) => {
            for (i, item) in items.iter_mut().enumerate() {
                // By id where there is one: a new entry moves no other's draw.
                match item.id() {
                    Some(id) => _ = write!(path, "/{id}"),
                    None => _ = write!(path, "/{i}"),
                }
                walk(item, seed, path);
                path.truncate(stem);
            }
        }
        _ => {}
    }
}

fn drawn(node: &Node, seed: u64, path: &str) -> Option<String> {
    match &node.form {
        Form::Group(Some(word), _) if word == "Ours" => {}
        _ => return None,
    }
    let read = |field: &str| match &node.field(field)?.form {
        Form::Number(written) => number(written).filter(|v| v.is_finite()),
        _ => None,
    };
    let (value, low, high) = (read("value")?, read("low")?, read("high")?);
    if !(low <= value && value <= high) {
        return None;
    }
    let word = Dice::new(seed ^ xxh3_64(path.as_bytes())).room(0, ROOM).of(0).word();
    // 53 bits fill a float's fraction exactly.
    let part = (word >> 11) as f64 / 9_007_199_254_740_992.0;
    let whole = ["value", "low", "high"].iter().all(|field| {
        matches!(node.field(field).map(|n| &n.form), Some(Form::Number(written)) if !written.contains(['.', 'e', 'E']))
    });
    if whole {
        // Every whole number of the range alike; `as` cuts off the fraction.
        let drawn = (low + (high - low + 1.0) * part) as i64;
        return Some(drawn.min(high as i64).to_string());
    }
    Some(format!("{:?}", low + (high - low) * part))
}

#[cfg(test)]
mod tests;
