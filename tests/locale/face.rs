//! Which characters an OpenType face has: its table `cmap`, formats 4 and 12.

use std::collections::BTreeSet;

fn u16_at(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..at + 2).map_or(0, |b| usize::from(b[0]) << 8 | usize::from(b[1]))
}

fn u32_at(bytes: &[u8], at: usize) -> usize {
    u16_at(bytes, at) << 16 | u16_at(bytes, at + 2)
}

/// All characters with a glyph of their own.
pub fn characters(face: &[u8]) -> BTreeSet<char> {
    let mut found = BTreeSet::new();
    let tables = u16_at(face, 4);
    let record = (0..tables).map(|i| 12 + i * 16).find(|at| face.get(*at..at + 4) == Some(b"cmap"));
    let Some(record) = record else { return found };
    let cmap = u32_at(face, record + 8);
    for i in 0..u16_at(face, cmap + 2) {
        let table = cmap + u32_at(face, cmap + 4 + i * 8 + 4);
        match u16_at(face, table) {
            4 => segments(face, table, &mut found),
            12 => groups(face, table, &mut found),
            _ => {}
        }
    }
    found
}

fn add(found: &mut BTreeSet<char>, code: usize) {
    found.extend(u32::try_from(code).ok().and_then(char::from_u32));
}

fn segments(face: &[u8], table: usize, found: &mut BTreeSet<char>) {
    let twice = u16_at(face, table + 6);
    let (ends, starts) = (table + 14, table + 16 + twice);
    let (deltas, offsets) = (starts + twice, starts + 2 * twice);
    for segment in 0..twice / 2 {
        let (start, end) = (u16_at(face, starts + segment * 2), u16_at(face, ends + segment * 2));
        let delta = u16_at(face, deltas + segment * 2);
        let offset = u16_at(face, offsets + segment * 2);
        for code in start..=end.min(0xFFFE) {
            let glyph = if offset == 0 {
                (code + delta) & 0xFFFF
            } else {
                u16_at(face, offsets + segment * 2 + offset + (code - start) * 2)
            };
            if glyph != 0 {
                add(found, code);
            }
        }
    }
}

fn groups(face: &[u8], table: usize, found: &mut BTreeSet<char>) {
    for group in 0..u32_at(face, table + 12) {
        let at = table + 16 + group * 12;
        for code in u32_at(face, at)..=u32_at(face, at + 4) {
            add(found, code);
        }
    }
}
