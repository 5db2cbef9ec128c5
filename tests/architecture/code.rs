//! Reading Rust, just enough: words and signs, and the paths they make.

/// A word or a sign of the code, and its line. Comments and literals are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'a> {
    pub text: &'a str,
    pub line: usize,
}

pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut line = 1;
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let step = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if let Some(length) = literal(rest) {
            length
        } else if rest.starts_with("::") {
            found.push(Token { text: &rest[..2], line });
            2
        } else {
            let c = rest.chars().next().unwrap_or(' ');
            let mut length = c.len_utf8();
            if c.is_alphanumeric() || c == '_' {
                length =
                    rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            }
            if !c.is_whitespace() {
                found.push(Token { text: &rest[..length], line });
            }
            length
        };
        line += rest[..step].matches('\n').count();
        at += step;
    }
    found
}

fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                break;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    at
}

/// The length of a string or character that begins here.
fn literal(rest: &str) -> Option<usize> {
    for prefix in ["", "b", "c"] {
        let body = rest.strip_prefix(prefix)?;
        if let Some(raw) = body.strip_prefix('r') {
            let hashes = raw.len() - raw.trim_start_matches('#').len();
            if raw[hashes..].starts_with('"') {
                let end = format!("\"{}", "#".repeat(hashes));
                let from = prefix.len() + 1 + hashes + 1;
                return Some(rest[from..].find(&end).map_or(rest.len(), |n| from + n + end.len()));
            }
        }
        if body.starts_with('"') {
            let mut at = prefix.len() + 1;
            while at < rest.len() {
                let c = rest[at..].chars().next()?;
                at += c.len_utf8();
                if c == '\\' {
                    at += rest[at..].chars().next().map_or(0, char::len_utf8);
                } else if c == '"' {
                    break;
                }
            }
            return Some(at);
        }
        if prefix.is_empty() && body.starts_with('\'') {
            // A character, not a lifetime: closed after one character or an escape.
            let mut chars = body.char_indices().skip(1);
            let (_, c) = chars.next()?;
            if c == '\\' {
                chars.next()?;
                return chars.find(|(_, c)| *c == '\'').map(|(n, _)| n + 1);
            }
            return chars.next().filter(|(_, c)| *c == '\'').map(|(n, _)| n + 1);
        }
        if !rest.starts_with(['b', 'c']) {
            break;
        }
    }
    None
}

/// The code without its inline test modules (`#[cfg(test)] mod name { ... }`).
pub fn without_tests(tokens: Vec<Token<'_>>) -> Vec<Token<'_>> {
    let mut kept = Vec::with_capacity(tokens.len());
    let mut at = 0;
    let is = |at: usize, words: &[&str]| {
        words.iter().enumerate().all(|(n, w)| tokens.get(at + n).is_some_and(|t| t.text == *w))
    };
    while at < tokens.len() {
        if is(at, &["#", "[", "cfg", "(", "test", ")", "]", "mod"])
            && tokens.get(at + 9).is_some_and(|t| t.text == "{")
        {
            let mut depth = 0_usize;
            at += 9;
            while at < tokens.len() {
                match tokens[at].text {
                    "{" => depth += 1,
                    "}" => depth -= 1,
                    _ => {}
                }
                at += 1;
                if depth == 0 {
                    break;
                }
            }
        } else {
            kept.push(tokens[at]);
            at += 1;
        }
    }
    kept
}

/// Every path of the code from the crate's root or another crate's, groups in
/// braces taken apart: `use crate::core::{dice, ids::SideId}` gives two.
pub fn paths(module: &[&str], tokens: &[Token<'_>]) -> Vec<(Vec<String>, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let follows = tokens.get(at + 1).is_some_and(|t| t.text == "::");
        let before = at.checked_sub(1).map_or("", |n| tokens[n].text);
        let word = tokens[at].text.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
        if word && follows && before != "::" && before != "." {
            at = path(module, tokens, at, &[], &mut found);
        } else {
            at += 1;
        }
    }
    found
}

fn path(
    module: &[&str],
    tokens: &[Token<'_>],
    mut at: usize,
    prefix: &[String],
    found: &mut Vec<(Vec<String>, usize)>,
) -> usize {
    let mut parts = prefix.to_vec();
    let line = tokens[at].line;
    loop {
        match tokens.get(at).map(|t| t.text) {
            Some("crate" | "nine_gates") if parts.is_empty() => parts.push("crate".to_owned()),
            Some("self") if parts.is_empty() => {
                parts.push("crate".to_owned());
                parts.extend(module.iter().map(|p| (*p).to_owned()));
            }
            Some("super") => {
                if parts.is_empty() {
                    parts.push("crate".to_owned());
                    parts.extend(module.iter().map(|p| (*p).to_owned()));
                }
                if parts.len() > 1 {
                    parts.pop();
                }
            }
            Some("self") => {}
            Some("{") => {
                at += 1;
                while let Some(token) = tokens.get(at) {
                    match token.text {
                        "}" => return at + 1,
                        "," => at += 1,
                        "*" => {
                            found.push((parts.clone(), token.line));
                            at += 1;
                        }
                        _ => at = path(module, tokens, at, &parts, found),
                    }
                }
                return at;
            }
            Some(word) if word.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_') => {
                parts.push(word.to_owned());
            }
            _ => {
                found.push((parts, line));
                return at;
            }
        }
        at += 1;
        if tokens.get(at).is_some_and(|t| t.text == "as") {
            at += 2;
        }
        if tokens.get(at).is_some_and(|t| t.text == "::") {
            at += 1;
        } else {
            found.push((parts, line));
            return at.max(1);
        }
    }
}
