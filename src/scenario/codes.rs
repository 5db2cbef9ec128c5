//! The codes of findings, with a paragraph each for `check --explain`.

/// Every code that the program can report.
pub const CODES: &[(&str, &str)] = &[
    ("E0101", "A file or folder could not be read: it is missing, is no text in UTF-8, is larger than 8 MiB, or may not be opened."),
];
