//! When a statement holds, given the value of every seed.
//!
//! Numbers hold when all four are true: the text's figure lies in p10..p90 (or
//! p10..p90 meets the text's range), p90 / p10 is within `spread`, the median lies
//! in its band, and at least `need` of the seeds lie in `tolerance`. Order, owner
//! and fate hold when at least `need` of the seeds are true. A seed in which the
//! event never happened is outside, or untrue; none is left out.

use super::report::Value;
use super::stats;
use crate::scenario::record::{Kind, Statement};

/// Shares of seeds are compared with this slack, so that 24 of 40 is 60 %.
const SLACK: f64 = 1e-9;

/// What the seeds say of a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Judged {
    /// Share of the seeds inside the tolerance, or true; 0 to 1. None if unmeasured.
    pub inside: Option<f64>,
    /// Tenth percentile of numbers.
    pub p10: Option<f64>,
    /// Median of numbers.
    pub median: Option<f64>,
    /// Ninetieth percentile of numbers.
    pub p90: Option<f64>,
    /// Whether it holds; none if it is not measured or asks for nothing.
    pub holds: Option<bool>,
}

/// Whether one seed's value is inside; `None` where the statement sets no band.
#[must_use]
pub fn inside(statement: &Statement, value: Value) -> Option<bool> {
    if yes_or_no(statement.kind) {
        return Some(value == Value::Truth(true));
    }
    let [low, high] = statement.tolerance?;
    Some(matches!(value, Value::Number(v) if v >= low && v <= high))
}

/// Whether values of this kind are true or false.
#[must_use]
pub const fn yes_or_no(kind: Kind) -> bool {
    matches!(kind, Kind::Order | Kind::Owner | Kind::Fate | Kind::Fates)
}

/// Judges a statement. `values` has one entry a seed; empty means unmeasured.
#[must_use]
pub fn judge(statement: &Statement, values: &[Value]) -> Judged {
    if values.is_empty() {
        return Judged::default();
    }
    let insides: Option<Vec<bool>> = values.iter().map(|v| inside(statement, *v)).collect();
    let share = insides.map(|all| stats::share(all.iter().filter(|i| **i).count(), all.len()));
    let enough = match (share, statement.need) {
        (Some(share), Some(need)) => Some(share + SLACK >= need),
        _ => None,
    };
    if yes_or_no(statement.kind) {
        return Judged { inside: share, holds: enough, ..Judged::default() };
    }
    let numbers: Vec<Option<f64>> = values.iter().map(|v| v.number()).collect();
    let sorted = stats::sorted(&numbers);
    let [p10, median, p90] = [10.0, 50.0, 90.0].map(|p| stats::percentile(&sorted, p));
    let holds = enough.map(|enough| {
        enough
            && meets_text(statement, p10, p90)
            && statement.spread.is_none_or(|most| narrow(p10, p90, most))
            && statement
                .median
                .is_none_or(|[low, high]| median.is_some_and(|m| m >= low && m <= high))
    });
    Judged { inside: share, p10, median, p90, holds }
}

/// The text's figure in p10..p90, or its range met; true where the figure is ours.
/// A p90 that never happened lies above every number.
fn meets_text(statement: &Statement, p10: Option<f64>, p90: Option<f64>) -> bool {
    let (low, high) = match (statement.figure, statement.text) {
        (Some(figure), _) => (figure, figure),
        (None, Some([low, high])) => {
            (low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY))
        }
        (None, None) => return true,
    };
    p10.is_some_and(|p10| p10 <= high) && p90.is_none_or(|p90| p90 >= low)
}

/// p90 / p10 at most `most`, as a product so that a p10 of 0 needs no division.
fn narrow(p10: Option<f64>, p90: Option<f64>, most: f64) -> bool {
    matches!((p10, p90), (Some(low), Some(high)) if low > 0.0 && high <= most * low * (1.0 + SLACK))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::record::Class;

    fn count() -> Statement {
        Statement {
            id: "T-1".into(),
            part: None,
            battle: "t".into(),
            what: String::new(),
            class: Class::Outcome,
            kind: Kind::Count,
            unit: Some("men".into()),
            figure: Some(100.0),
            figure_is: None,
            text: None,
            tolerance: Some([50.0, 150.0]),
            median: Some([90.0, 110.0]),
            spread: Some(1.6),
            need: Some(0.6),
            lines: String::new(),
            measure: String::new(),
            why: None,
        }
    }

    fn numbers(values: &[f64]) -> Vec<Value> {
        values.iter().map(|v| Value::Number(*v)).collect()
    }

    #[test]
    fn all_four_must_hold() {
        let ordinary = numbers(&[85., 90., 95., 100., 105., 110., 115.]);
        assert_eq!(judge(&count(), &ordinary).holds, Some(true));
        // The figure outside p10..p90.
        assert_eq!(
            judge(&Statement { figure: Some(130.0), ..count() }, &ordinary).holds,
            Some(false)
        );
        // A range that is met, and one that is not; the figure is null for both.
        let range = |low, high| Statement { figure: None, text: Some([low, high]), ..count() };
        assert_eq!(judge(&range(Some(110.0), Some(200.0)), &ordinary).holds, Some(true));
        assert_eq!(judge(&range(Some(120.0), None), &ordinary).holds, Some(false));
        assert_eq!(judge(&range(None, Some(80.0)), &ordinary).holds, Some(false));
        // Too wide.
        assert_eq!(
            judge(&Statement { spread: Some(1.1), ..count() }, &ordinary).holds,
            Some(false)
        );
        // Median outside its band.
        assert_eq!(
            judge(&Statement { median: Some([101.0, 110.0]), ..count() }, &ordinary).holds,
            Some(false)
        );
        // Too few inside.
        let narrow = Statement { tolerance: Some([99.0, 101.0]), ..count() };
        assert_eq!(judge(&narrow, &ordinary).holds, Some(false));
        assert!((judge(&narrow, &ordinary).inside.unwrap() - 1.0 / 7.0).abs() < 1e-12);
    }

    #[test]
    fn exactly_the_need_is_enough() {
        let mut values = vec![Value::Number(100.0); 24];
        values.extend(vec![Value::Number(200.0); 16]);
        let lenient = Statement { spread: None, ..count() };
        assert_eq!(judge(&lenient, &values).holds, Some(true));
        values[0] = Value::Never;
        assert_eq!(judge(&lenient, &values).holds, Some(false));
    }

    #[test]
    fn an_event_that_never_happens_is_outside_and_untrue() {
        let fate = Statement { kind: Kind::Fate, need: Some(0.7), tolerance: None, ..count() };
        let seven = [
            [Value::Truth(true); 7].as_slice(),
            &[Value::Never, Value::Truth(false), Value::Never],
        ]
        .concat();
        assert_eq!(judge(&fate, &seven).holds, Some(true));
        assert_eq!(judge(&fate, &seven[1..]).holds, Some(false));
        assert_eq!(judge(&fate, &[]), Judged::default());
    }
}
