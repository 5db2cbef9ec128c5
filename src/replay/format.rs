//! The replay file: JSON, with the texts of every file that the battle was made
//! from, so that later edits to the game's files change nothing about it.
//!
//! A checksum over all other fields finds a change that the battle itself does
//! not show (a digit in a comment of its rules).

use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::core::digest::{Digest, hex};
use crate::orders::ast::Line;

/// The format that this program writes and reads.
pub const FORMAT: u32 = 1;

/// A battle on file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// Version of the format.
    pub format: u32,
    /// Version of the program that fought it.
    pub program: String,
    /// Id of the scenario.
    pub scenario: String,
    /// Seed of the dice.
    pub seed: u64,
    /// Cell in metres, if not the scenario's own.
    pub cell_m: Option<f64>,
    /// Pulse in seconds, if not the scenario's own.
    pub pulse_s: Option<i32>,
    /// Laws and kinds switched off, by their words.
    pub without: Vec<String>,
    /// Whether chosen inputs were drawn from their ranges by the seed.
    pub drawn: bool,
    /// Files that the battle was made from.
    pub sources: Vec<Source>,
    /// Patches, in the order in which they were applied.
    pub patches: Vec<Source>,
    /// The turns.
    pub turns: Vec<Turn>,
    /// Who won; null for nobody, or not yet.
    pub winner: Option<String>,
    /// Hash of everything above, in hex.
    pub checksum: String,
}

/// A file as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Path inside the data folder, with `/`.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// A turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// Orders given before its first pulse.
    pub orders: Vec<Line>,
    /// Pulses resolved since muster when it ended.
    pub last_pulse: u32,
    /// Dice rolled since muster when it ended.
    pub draws: u64,
    /// Digest of the whole state when it ended, in hex.
    pub digest: String,
    /// Digest of each room's part, in hex.
    pub rooms: Vec<(String, String)>,
}

/// Why a file is no replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The file cannot be read.
    Unreadable(String),
    /// Not a replay: message, line and column from 1.
    Broken(String, usize, usize),
    /// Of a format that this program does not know.
    Format(u32),
}

impl Replay {
    /// Reads a replay from text.
    ///
    /// # Errors
    /// If the text is no replay, or of another format.
    pub fn from_text(text: &str) -> Result<Self, Fault> {
        let replay: Self = serde_json::from_str(text)
            .map_err(|e| Fault::Broken(e.to_string(), e.line().max(1), e.column().max(1)))?;
        if replay.format == FORMAT { Ok(replay) } else { Err(Fault::Format(replay.format)) }
    }

    /// Reads a replay file.
    ///
    /// # Errors
    /// If it cannot be read, is no replay, or is of another format.
    pub fn read(path: &Path) -> Result<Self, Fault> {
        let text = std::fs::read_to_string(path).map_err(|e| Fault::Unreadable(e.to_string()))?;
        Self::from_text(&text)
    }

    /// The text of the file, with its checksum.
    #[must_use]
    pub fn text(&self) -> String {
        let sealed = Self { checksum: self.sum(), ..self.clone() };
        // Strings, numbers and lists only: cannot fail.
        let mut text = serde_json::to_string_pretty(&sealed).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Writes it beside the old file and renames, so that a crash loses nothing.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        write_beside(path, self.text().as_bytes())
    }

    /// The checksum that belongs to its present content.
    #[must_use]
    pub fn sum(&self) -> String {
        let bare = Self { checksum: String::new(), ..self.clone() };
        let mut digest = Digest::default();
        digest.bytes(&serde_json::to_vec(&bare).unwrap_or_default());
        hex(digest.value())
    }
}

/// Writes a file whole or not at all.
///
/// # Errors
/// If the folder cannot be written to.
pub fn write_beside(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if is_device(path) {
        // A pipe or `/dev/null` is written to; a rename would put a file in its place.
        return std::fs::write(path, bytes);
    }
    // A link is followed: what it points to is written, and it stays a link.
    let target = std::fs::canonicalize(path);
    let path = target.as_deref().unwrap_or(path);
    let folder = folder(path);
    let mut builder = tempfile::Builder::new();
    // As any new file, not for the owner alone as temporary ones are.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder).map_err(bare)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|e| e.error)?;
    Ok(())
}

/// Whether [`write_beside`] could write there now; nothing is left behind.
///
/// # Errors
/// If the folder cannot be written to, or the path is a folder itself.
pub fn can_write(path: &Path) -> std::io::Result<()> {
    if path.is_dir() {
        return Err(std::io::ErrorKind::IsADirectory.into());
    }
    if !is_device(path) {
        std::fs::metadata(folder(path))?;
        tempfile::Builder::new().tempfile_in(folder(path)).map_err(bare)?;
    }
    Ok(())
}

/// The fault without the name of a file that nobody asked for.
fn bare(error: std::io::Error) -> std::io::Error {
    if error.raw_os_error().is_some() { error } else { error.kind().into() }
}

/// The folder that a file is in.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether something is there that is neither a file nor a folder.
fn is_device(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir())
}
