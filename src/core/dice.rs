//! The dice: keyed, counted, and independent of who else rolls.
//!
//! The seed is the key of a ChaCha8 generator, the pulse and the room choose its
//! stream, and the company chooses the word position. So an added roll in one
//! room moves nothing in another, and two plans can be compared under the same
//! dice. What a company needs beyond its own two words is expanded from them by
//! a 64-bit mixer, so a roll never runs into its neighbour's words.

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// Words of the stream that belong to one company.
const WORDS_EACH: u128 = 2;
/// Companies whose words are fetched together.
const FETCHED: usize = 32;

/// The dice of one battle.
#[derive(Clone, Debug)]
pub struct Dice {
    seed: u64,
    draws: u64,
}

impl Dice {
    /// Dice for a seed; any value is a good one.
    #[must_use]
    #[inline]
    pub const fn new(seed: u64) -> Self {
        Self { seed, draws: 0 }
    }

    /// The seed these dice were made from.
    #[must_use]
    #[inline]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// How many rolls were taken so far; a replay stores it per turn.
    #[must_use]
    #[inline]
    pub const fn draws(&self) -> u64 {
        self.draws
    }

    /// Adds a finished roll's count.
    pub const fn count(&mut self, roll: &Roll) {
        self.draws += roll.draws;
    }

    /// The stream of one room in one pulse. Take rolls in ascending id order.
    #[must_use]
    #[inline]
    pub fn room(&self, pulse: u32, room: u8) -> Roll {
        let mut key = [0_u8; 32];
        key[..8].copy_from_slice(&self.seed.to_le_bytes());
        key[8..16].copy_from_slice(&mix(self.seed).to_le_bytes());
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(u64::from(pulse) << 8 | u64::from(room));
        Roll { rng, first: u32::MAX, words: [0; FETCHED], draws: 0 }
    }
}

/// One room's rolls in one pulse.
#[derive(Debug)]
pub struct Roll {
    rng: ChaCha8Rng,
    first: u32,
    words: [u64; FETCHED],
    draws: u64,
}

impl Roll {
    /// The rolls of `id` (a company, person or portal of this room's order).
    #[inline]
    pub fn of(&mut self, id: usize) -> Draws {
        let id = id as u32;
        let first = id / FETCHED as u32 * FETCHED as u32;
        if first != self.first {
            // What follows the last words is at hand: finding a place makes blocks anew.
            if self.first.checked_add(FETCHED as u32) != Some(first) {
                self.rng.set_word_pos(u128::from(first) * WORDS_EACH);
            }
            for word in &mut self.words {
                *word = self.rng.next_u64();
            }
            self.first = first;
        }
        self.draws += 1;
        Draws { state: self.words[(id - first) as usize] }
    }
}

/// An endless supply of 64-bit words for one company, room and pulse.
#[derive(Clone, Debug)]
pub struct Draws {
    state: u64,
}

impl Draws {
    /// The next word, uniform over all 64-bit values.
    #[inline]
    pub const fn word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.state)
    }

    /// True with chance `chance` / 2^32.
    #[inline]
    pub const fn happens(&mut self, chance: u32) -> bool {
        if chance == u32::MAX { true } else { ((self.word() >> 32) as u32) < chance }
    }

    /// Uniform in `0..n`, unbiased; 0 for `n` 0.
    pub const fn below(&mut self, n: u32) -> u32 {
        if n == 0 {
            return 0;
        }
        let threshold = n.wrapping_neg() % n;
        loop {
            let product = (self.word() >> 32) * n as u64;
            if product as u32 >= threshold {
                return (product >> 32) as u32;
            }
        }
    }

    /// How many of `n` trials succeed at `chance` / 2^32 each: an exact binomial
    /// in integers, 64 trials at a time, most significant bit first. Takes about
    /// eight words per 64 trials. Negative `n` counts as 0.
    pub const fn binomial(&mut self, n: i32, chance: u32) -> i32 {
        if n <= 0 || chance == 0 {
            return 0;
        }
        if chance == u32::MAX {
            return n;
        }
        let mut left = n;
        let mut hits = 0;
        while left > 0 {
            let lanes = if left < 64 { left } else { 64 };
            let mut open = if lanes == 64 { u64::MAX } else { (1_u64 << lanes) - 1 };
            let mut bit = 31;
            loop {
                let word = self.word();
                if chance >> bit & 1 == 1 {
                    hits += (open & !word).count_ones() as i32;
                    open &= word;
                } else {
                    open &= !word;
                }
                // A lane still open after the last bit equals the threshold: no hit.
                if open == 0 || bit == 0 {
                    break;
                }
                bit -= 1;
            }
            left -= lanes;
        }
        hits
    }

    /// Rounds `value` down or up at random so that the mean is kept; negative is 0.
    pub fn round(&mut self, value: f64) -> i32 {
        if value <= 0.0 {
            return 0;
        }
        let whole = value as i32;
        let part = value - f64::from(whole);
        whole + i32::from(self.happens(crate::core::measure::chance(part)))
    }
}

/// A 64-bit finaliser; the same on every machine.
#[must_use]
#[inline]
pub const fn mix(value: u64) -> u64 {
    let mut z = value;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A keyed hash for breaking ties without favouring low ids.
#[must_use]
#[inline]
pub const fn tie(seed: u64, pulse: u32, id: u32) -> u32 {
    (mix(seed ^ mix((pulse as u64) << 32 | id as u64)) >> 32) as u32
}
