//! Every figure of a file: in range, in its own range, with a source. And every
//! name: in both languages.

use crate::scenario::findings::{Message, Severity};
use crate::scenario::resolve::Pen;
use crate::scenario::spans::{Form, Node, number};

/// Least and most of figures by the name of their field. What is not listed goes
/// from 0 to a million.
const RANGES: &[(&str, f64, f64)] = &[
    ("acceleration_m_s2", 0.01, 50.0),
    ("aimed_rate", 0.05, 10.0),
    ("aimed_scatter", 0.05, 10.0),
    ("alone_s", 0.0, 100_000.0),
    ("armour", 0.0, 1.0),
    ("back_stands", 0.01, 10.0),
    ("battle", 0.0, 1.0),
    ("beset_sides", 1.0, 5.0),
    ("break_men", 1.0, 10_000.0),
    ("break_per_s", 0.0, 1.0),
    ("breaks", 0.0, 1.0),
    ("breaks_j", 0.0, 1_000_000.0),
    ("breaks_seen_m", 0.0, 1_000.0),
    ("carry_m_s", 0.05, 10.0),
    ("cast_man_s", 0.1, 100000.0),
    ("charge", 0.05, 30.0),
    ("climb_m_s", 0.01, 5.0),
    ("counter_battery", 0.1, 100.0),
    ("courier_m_s", 0.1, 1000.0),
    ("cover", 0.0, 1.0),
    ("cover_front", 0.0, 1.0),
    ("cover_top", 0.0, 1.0),
    ("crew", 0.0, 1000.0),
    ("danger_m", 0.0, 1_000.0),
    ("depth_m", 0.1, 20.0),
    ("disables", 0.0, 1.0),
    ("dispersion_mrad", 0.01, 1000.0),
    ("draw_back_s", 0.0, 36_000.0),
    ("drum_lifts", 0.0, 1000.0),
    ("drum_m", 0.0, 5_000.0),
    ("drum_per_s", 0.0, 1000.0),
    ("drum_s", 0.0, 36_000.0),
    ("emplace_s", 0.0, 36_000.0),
    ("engines", 1.0, 1000.0),
    ("fall_out", 0.0, 1.0),
    ("fall_s", 0.0, 3_600.0),
    ("feint_resolve", 0.0, 10.0),
    ("fights", 0.0, 10.0),
    ("flank", 0.0, 10.0),
    ("flank_stands", 0.01, 10.0),
    ("flow_share", 0.01, 1.0),
    ("foot", 0.0, 2.0),
    ("foot_m", 0.0, 1000.0),
    ("free_for_s", 0.0, 3_600.0),
    ("front_m", 0.1, 20.0),
    ("full", 0.1, 2.0),
    ("gaps", 0.0, 1.0),
    ("harried", 0.05, 1.0),
    ("head_lands", 0.0, 1.0),
    ("head_men", 0.0, 10.0),
    ("heads_m", 0.0, 1000.0),
    ("heave_s", 0.1, 3600.0),
    ("help_again_s", 0.0, 3_600.0),
    ("help_ratio", 0.0, 10.0),
    ("holds_m", 0.0, 1_000.0),
    ("horse", 0.0, 2.0),
    ("horse_depth_m", 0.1, 20.0),
    ("horse_falls", 0.0, 1.0),
    ("horse_front_m", 0.1, 20.0),
    ("jam_m2", 0.05, 20.0),
    ("keep_share", 0.0, 1.0),
    ("ladder_m", 0.1, 50.0),
    ("ladders", 0.0, 10000.0),
    ("laden", 0.0, 1.0),
    ("lands", 0.0, 1.0),
    ("last_resolve", 0.0, 10.0),
    ("least_order", 0.01, 1.0),
    ("leave_loss_per_s", 0.0, 1.0),
    ("leave_odds_least", 0.0, 1.0),
    ("leave_odds_most", 1.0, 100.0),
    ("leave_per_s", 0.0, 1.0),
    ("length_m", 0.1, 100.0),
    ("logs", 0.0, 100000.0),
    ("look_s", 1.0, 600.0),
    ("loss_per_100m", 0.0, 1.0),
    ("man_s", 0.1, 3600.0),
    ("mass_kg", 0.0, 5000.0),
    ("men", 1.0, 400_000.0),
    ("missiles", 1.0, 1000.0),
    ("muzzle_m", 0.0, 10.0),
    ("news_m_s", 0.1, 1000.0),
    ("opens_roof", 0.0, 1.0),
    ("own_front_m", 0.1, 20.0),
    ("pace", 0.05, 5.0),
    ("parapet", 0.0, 1.0),
    ("per_minute", 0.0, 600.0),
    ("per_s", 0.0, 1.0),
    ("presence_m", 0.0, 1000.0),
    ("press_resolve", 0.0, 10.0),
    ("presses", 0.0, 1.0),
    ("prowess", 0.01, 1000.0),
    ("quality", 0.01, 100.0),
    ("quick", 0.05, 30.0),
    ("rallied", 0.0, 1000.0),
    ("range_m", 1.0, 5000.0),
    ("rate_s", 1.0, 3_600.0),
    ("rides_over", 0.0, 100.0),
    ("riding", 0.05, 1.0),
    ("run", 0.05, 30.0),
    ("save_resolve", 0.0, 10.0),
    ("shield", 0.0, 1.0),
    ("shield_aside", 0.0, 1.0),
    ("slows", 0.0, 1.0),
    ("speed", 0.0, 2.0),
    ("spent", 0.0, 1.0),
    ("steadiness", 0.0, 1000.0),
    ("stops_j", 0.1, 1_000_000.0),
    ("storm_resolve", 0.0, 10.0),
    ("strikes_out", 0.0, 1.0),
    ("stumble", 0.0, 1.0),
    ("supply", 0.0, 1.0),
    ("surrounded_sides", 1.0, 5.0),
    ("sweeps", 0.0, 1.0),
    ("tends", 0.0, 1.0),
    ("thrown_per_s", 0.0, 1.0),
    ("trample", 0.0, 1.0),
    ("two_way", 0.0, 1.0),
    ("walk", 0.05, 30.0),
    ("wavers", 0.0, 1000.0),
    ("width_m", 0.1, 100.0),
    ("winded", 0.0, 1000.0),
    ("worth_it", 0.0, 1.0),
    ("yields_per_s", 0.0, 1.0),
];
/// Figures that count things.
const WHOLE: &[&str] = &["men", "engines", "ladders", "logs"];

/// Walks a file's tree.
pub fn all(pen: &mut Pen<'_>) {
    let root = pen.root();
    walk(root, "", pen);
}

fn walk(node: &Node, field: &str, pen: &mut Pen<'_>) {
    match &node.form {
        Form::Group(Some(word), _) if word == "Ours" && node.field("value").is_some() => {
            ours(node, field, pen)
        }
        Form::Group(Some(word), entries) if word == "From" => {
            if let [value, source] = entries.as_slice() {
                range(&value.value, field, pen);
                if source.value.text().is_some_and(|text| text.trim().is_empty()) {
                    pen.on(
                        Severity::Error,
                        "E0403",
                        &source.value,
                        Message::new("the figure's source is empty", []),
                        None,
                    );
                }
            }
        }
        Form::Group(_, entries) => {
            if node.field("en").is_some() && node.field("zh").is_some() {
                for language in ["en", "zh"] {
                    if let Some(text) = node
                        .field(language)
                        .filter(|n| n.text().is_some_and(|t| t.trim().is_empty()))
                    {
                        pen.on(
                            Severity::Warning,
                            "W0304",
                            text,
                            Message::new("the name has no text in `{0}`", [language.to_string()]),
                            None,
                        );
                    }
                }
            }
            for entry in entries {
                walk(&entry.value, entry.key.as_ref().map_or(field, |(key, _)| key.as_str()), pen);
            }
        }
        Form::List(items) => {
            for item in items {
                walk(item, field, pen);
            }
        }
        Form::Text(text) if field == "source" && text.trim().is_empty() => {
            pen.on(
                Severity::Error,
                "E0403",
                node,
                Message::new("the source is empty", []),
                Some(Message::new("name the document and line, or write \"ours: why\"", [])),
            );
        }
        _ => {}
    }
}

fn value(node: Option<&Node>) -> Option<f64> {
    match &node?.form {
        Form::Number(written) => number(written).filter(|v| v.is_finite()),
        _ => None,
    }
}

fn ours(node: &Node, field: &str, pen: &mut Pen<'_>) {
    let mut good = true;
    for part in ["value", "low", "high"] {
        good &= node.field(part).is_none_or(|n| range(n, field, pen));
    }
    let parts = (value(node.field("value")), value(node.field("low")), value(node.field("high")));
    if let (Some(middle), Some(low), Some(high)) = parts
        && good
    {
        if low > high {
            if let Some(at) = node.field("low") {
                pen.on(
                    Severity::Error,
                    "E0404",
                    at,
                    Message::new(
                        "the range goes from {0} down to {1}",
                        [low.to_string(), high.to_string()],
                    ),
                    None,
                );
            }
        } else if !(low..=high).contains(&middle)
            && let Some(at) = node.field("value")
        {
            pen.on(
                Severity::Error,
                "E0404",
                at,
                Message::new(
                    "{0} lies outside its own range, {1} to {2}",
                    [middle.to_string(), low.to_string(), high.to_string()],
                ),
                None,
            );
        }
    }
    if let Some(why) = node.field("why").filter(|n| n.text().is_some_and(|t| t.trim().is_empty())) {
        pen.on(Severity::Error, "E0403", why, Message::new("a figure of ours says why", []), None);
    }
}

fn range(node: &Node, field: &str, pen: &mut Pen<'_>) -> bool {
    let Some(found) = value(Some(node)) else { return true };
    let (low, high) = RANGES
        .iter()
        .find(|(name, ..)| *name == field)
        .map_or((0.0, 1_000_000.0), |(_, low, high)| (*low, *high));
    if !(low..=high).contains(&found) {
        pen.on(
            Severity::Error,
            "E0402",
            node,
            Message::new(
                "`{0}` goes from {1} to {2}, not {3}",
                [field.to_string(), low.to_string(), high.to_string(), found.to_string()],
            ),
            None,
        );
        return false;
    }
    if WHOLE.contains(&field) && found % 1.0 != 0.0 {
        pen.on(
            Severity::Error,
            "E0402",
            node,
            Message::new(
                "`{0}` is a whole number, not {1}",
                [field.to_string(), found.to_string()],
            ),
            None,
        );
        return false;
    }
    true
}
