//! Digests: a canonical little-endian byte stream, hashed with XXH3.

use xxhash_rust::xxh3::Xxh3;

/// Collects a state's values in a fixed order and hashes them.
#[derive(Clone, Default)]
pub struct Digest {
    hash: Xxh3,
}

impl Digest {
    /// Adds a 32-bit value.
    pub fn i32(&mut self, value: i32) {
        self.hash.update(&value.to_le_bytes());
    }

    /// Adds a 32-bit value.
    pub fn u32(&mut self, value: u32) {
        self.hash.update(&value.to_le_bytes());
    }

    /// Adds a 64-bit value.
    pub fn u64(&mut self, value: u64) {
        self.hash.update(&value.to_le_bytes());
    }

    /// Adds raw bytes, as they are.
    pub fn bytes(&mut self, value: &[u8]) {
        self.hash.update(value);
    }

    /// The hash so far.
    #[must_use]
    pub fn value(&self) -> u64 {
        self.hash.digest()
    }
}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Digest({:016x})", self.value())
    }
}

/// A digest as people and files see it: 16 hexadecimal digits.
#[must_use]
pub fn hex(digest: u64) -> String {
    format!("{digest:016x}")
}
