//! Small integer measures shared by rules, maps and the screen.

use serde::{Deserialize, Serialize};

/// A point on the map in centimetres, x east and y north of the map's origin.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub struct PointCm {
    /// Centimetres east.
    pub x: i32,
    /// Centimetres north.
    pub y: i32,
}

impl PointCm {
    /// A point from metres; fractions of a centimetre are rounded to nearest.
    #[must_use]
    #[inline]
    pub fn from_metres(x: f64, y: f64) -> Self {
        Self { x: metres_to_cm(x), y: metres_to_cm(y) }
    }

    /// Straight distance in centimetres, exact integer square root.
    #[must_use]
    #[inline]
    pub fn distance_cm(self, other: Self) -> i32 {
        let dx = i64::from(self.x) - i64::from(other.x);
        let dy = i64::from(self.y) - i64::from(other.y);
        i32::try_from(root(dx * dx + dy * dy)).unwrap_or(i32::MAX)
    }

    /// Straight distance squared, in square centimetres.
    #[must_use]
    #[inline]
    pub const fn squared(self, other: Self) -> i64 {
        let (dx, dy) = (self.x as i64 - other.x as i64, self.y as i64 - other.y as i64);
        dx * dx + dy * dy
    }

    /// The point `part/whole` of the way to `other`; `whole` 0 gives `self`.
    #[must_use]
    #[inline]
    pub fn towards(self, other: Self, part: i32, whole: i32) -> Self {
        if whole == 0 {
            return self;
        }
        let go = |a: i32, b: i32| {
            let step = (i64::from(b) - i64::from(a)) * i64::from(part) / i64::from(whole);
            i32::try_from(i64::from(a) + step).unwrap_or(a)
        };
        Self { x: go(self.x, other.x), y: go(self.y, other.y) }
    }
}

/// The exact integer square root of what is not negative. IEEE's square root is
/// correctly rounded everywhere and several times as fast as the integer one; beyond
/// any map a step either way makes up for the rounding of large values.
#[must_use]
#[inline]
pub fn root(square: i64) -> i64 {
    let mut r = (square.max(0) as f64).sqrt() as i64;
    // So small a square is not rounded, and its root is at least 2^-27 below the next
    // whole number, which is more than the rounding of the root makes up for.
    if square < 1 << 52 {
        return r;
    }
    if r * r > square {
        r -= 1;
    } else if (r + 1) * (r + 1) <= square {
        r += 1;
    }
    r
}

/// Metres to whole centimetres, rounded to nearest, saturating.
#[must_use]
#[inline]
pub fn metres_to_cm(metres: f64) -> i32 {
    let scaled = metres * 100.0;
    // `as` saturates and maps NaN to 0; loaders refuse NaN before this.
    (if scaled >= 0.0 { scaled + 0.5 } else { scaled - 0.5 }) as i32
}

/// A chance in 2^32 parts from a fraction 0 to 1; clamps outside.
#[must_use]
#[inline]
pub fn chance(fraction: f64) -> u32 {
    if fraction >= 1.0 {
        u32::MAX
    } else if fraction <= 0.0 {
        0
    } else {
        (fraction * 4_294_967_296.0) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::root;

    #[test]
    fn roots_are_those_of_integers() {
        for base in (0..70_000).chain((2_000_000_000..2_000_000_200).step_by(7)) {
            let square: i64 = base * base;
            for near in [square - 1, square, square + 1, square + base] {
                if near >= 0 {
                    assert_eq!(root(near), near.isqrt(), "{near}");
                }
            }
        }
    }
}
