//! The two streams, and how a command ends. Nothing else in the program prints.

use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use crate::locale::Locale;
use crate::scenario::findings::{Finding, Severity};

/// Done, nothing wrong.
pub const DONE: u8 = 0;
/// The thing looked at is at fault.
pub const FAULT: u8 = 1;
/// The call is at fault.
pub const CALL: u8 = 2;
/// Interrupted; what was finished is kept and said.
pub const INTERRUPTED: u8 = 3;

/// Whether something that was asked for could not be written to standard output.
static LOST: AtomicBool = AtomicBool::new(false);

/// How a command ended, unless it was done without a word more.
#[derive(Debug)]
pub struct Failure {
    /// Exit code.
    pub code: u8,
    /// In words.
    pub message: String,
    /// What is wrong with files.
    pub findings: Vec<Finding>,
}

impl Failure {
    /// The call is at fault.
    pub fn call(message: impl Into<String>) -> Self {
        Self { code: CALL, message: message.into(), findings: Vec::new() }
    }

    /// A file is at fault.
    pub fn fault(message: impl Into<String>, findings: Vec<Finding>) -> Self {
        Self { code: FAULT, message: message.into(), findings }
    }
}

/// What a command may say, and how.
#[derive(Debug)]
pub struct Out {
    /// One JSON value on standard output.
    pub json: bool,
    /// Nothing that was not asked for.
    pub quiet: bool,
    /// The words.
    pub locale: Locale,
}

impl Out {
    /// Whether standard error is a terminal that may show bars.
    #[must_use]
    pub fn bars(&self) -> bool {
        !self.quiet && std::io::stderr().is_terminal()
    }

    /// Whether standard error may be coloured.
    #[must_use]
    pub fn colours(&self) -> bool {
        std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()) && std::io::stderr().is_terminal()
    }

    /// A line for people on standard output; nothing with `--json`.
    pub fn line(&self, text: &str) {
        if !self.json {
            say(text);
        }
    }

    /// Text that was asked for, whatever the flags.
    pub fn plain(text: &str) {
        say(text);
    }

    /// The one JSON value.
    pub fn value(&self, value: &impl serde::Serialize) {
        if self.json {
            say(&serde_json::to_string(value).unwrap_or_default());
        }
    }

    /// A message on standard error, unless quiet.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            put(&mut std::io::stderr().lock(), text);
        }
    }

    /// Findings for people, on standard error.
    pub fn findings(&self, findings: &[Finding]) {
        let colour = self.colours();
        for finding in findings {
            put(&mut std::io::stderr().lock(), &format!("{}\n", finding.render(colour)));
        }
    }

    /// Ends a command with its code, or with that of the call where what it had to
    /// say could not be written, as on a full disk.
    #[must_use]
    pub fn end(&self, code: u8) -> ExitCode {
        if LOST.load(Ordering::Relaxed) {
            put(&mut std::io::stderr().lock(), &self.locale.text("output-lost"));
            return ExitCode::from(CALL);
        }
        ExitCode::from(code)
    }

    /// Ends a command that failed.
    pub fn fail(&self, failure: &Failure) -> ExitCode {
        if self.json {
            self.value(&error(&failure.message, &failure.findings));
        } else {
            self.findings(&failure.findings);
            put(&mut std::io::stderr().lock(), &failure.message);
        }
        self.end(failure.code)
    }
}

/// The JSON of a failure.
#[must_use]
pub fn error(message: &str, findings: &[Finding]) -> Value {
    json!({ "error": { "message": message, "findings": findings } })
}

/// How many of these are errors, and how many warnings.
#[must_use]
pub fn count(findings: &[Finding]) -> (usize, usize) {
    let errors = findings.iter().filter(|f| f.severity == Severity::Error).count();
    (errors, findings.len() - errors)
}

/// Writes a line. A reader that has gone away is not our fault, nor worth a panic.
fn put(stream: &mut impl Write, text: &str) {
    let _ = writeln!(stream, "{text}").and_then(|()| stream.flush());
}

/// Writes a line of what was asked for, and keeps in mind that it could not.
fn say(text: &str) {
    let mut stream = std::io::stdout().lock();
    if let Err(e) = writeln!(stream, "{text}").and_then(|()| stream.flush())
        && e.kind() != ErrorKind::BrokenPipe
    {
        LOST.store(true, Ordering::Relaxed);
    }
}
