//! The few statistics of a study, each defined once.

/// The `percent`-th percentile of values in ascending order, `None` (never
/// happened) after every number.
///
/// Defined by linear interpolation between the closest ranks: the value at rank
/// `percent / 100 * (n - 1)`, counted from 0, which is the common default of
/// statistics programs (type 7). A value that never happened lies above every
/// number, so a percentile that touches one is itself `None`: nothing is left out.
/// `None` for no values at all.
#[must_use]
pub fn percentile(sorted: &[Option<f64>], percent: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let rank = percent.clamp(0.0, 100.0) / 100.0 * last as f64;
    let below = (rank as usize).min(last);
    let part = rank - below as f64;
    let low = sorted[below]?;
    if part <= 0.0 {
        return Some(low);
    }
    let high = sorted[(below + 1).min(last)]?;
    Some(low + (high - low) * part)
}

/// Values in ascending order, those that never happened last. NaN counts as never.
#[must_use]
pub fn sorted(values: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut all: Vec<Option<f64>> = values.iter().map(|v| v.filter(|x| !x.is_nan())).collect();
    all.sort_by(|a, b| match (a, b) {
        (Some(a), Some(b)) => a.total_cmp(b),
        (Some(_), None) => std::cmp::Ordering::Less,
        (None, Some(_)) => std::cmp::Ordering::Greater,
        (None, None) => std::cmp::Ordering::Equal,
    });
    all
}

/// `part` of `whole`, 0 to 1; 0 for nothing at all.
#[must_use]
pub fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(values: &[f64]) -> Vec<Option<f64>> {
        values.iter().copied().map(Some).collect()
    }

    #[test]
    fn percentiles_interpolate_between_ranks() {
        let ten = some(&[1., 2., 3., 4., 5., 6., 7., 8., 9., 10.]);
        // Rank 0.1 * 9 = 0.9 and 0.5 * 9 = 4.5.
        assert!((percentile(&ten, 10.0).unwrap() - 1.9).abs() < 1e-12);
        assert_eq!(percentile(&ten, 50.0), Some(5.5));
        assert_eq!(percentile(&ten, 100.0), Some(10.0));
        assert_eq!(percentile(&some(&[7.0]), 90.0), Some(7.0));
        assert_eq!(percentile(&[], 50.0), None);
    }

    #[test]
    fn what_never_happened_is_counted_and_lies_above() {
        let values = sorted(&[None, Some(3.0), Some(1.0), None, Some(f64::NAN)]);
        assert_eq!(values, vec![Some(1.0), Some(3.0), None, None, None]);
        assert_eq!(percentile(&values, 0.0), Some(1.0));
        assert_eq!(percentile(&values, 50.0), None);
        assert_eq!(percentile(&values, 90.0), None);
    }
}
