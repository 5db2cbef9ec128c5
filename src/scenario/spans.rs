//! A tolerant reader of RON text that keeps the place of everything it reads.
//!
//! It never gives up: several faults are found in one file, a missing comma is
//! reported where it is missing, and what could be read stays usable. Later
//! steps (patches, typing, checks) work on this tree, so each of their findings
//! can point at the very value that is at fault.

use std::sync::Arc;

use super::findings::{Finding, Message};

/// Brackets within brackets that are read; deeper text is a fault, not a crash.
const DEEPEST: usize = 64;
/// Syntax faults reported of one file; the rest follow from these.
const MOST_FAULTS: usize = 20;

/// A text with the name under which people know it.
#[derive(Debug)]
pub struct Source {
    /// Path as it is shown.
    pub shown: String,
    /// The whole text.
    pub text: String,
    /// Name of the mod, or none for what ships.
    pub of_mod: Option<String>,
    starts: Vec<usize>,
}

impl Source {
    /// A source from its text.
    #[must_use]
    pub fn new(shown: impl Into<String>, text: impl Into<String>, of_mod: Option<String>) -> Arc<Self> {
        let text = text.into();
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        Arc::new(Self { shown: shown.into(), text, of_mod, starts })
    }

    /// Line and column of a byte, both from 1, the column in characters.
    #[must_use]
    pub fn line_column(&self, byte: usize) -> (u32, u32) {
        let byte = byte.min(self.text.len());
        let line = self.starts.partition_point(|start| *start <= byte).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let column = self.text.get(start..byte).map_or(0, |part| part.chars().count());
        (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column + 1).unwrap_or(u32::MAX))
    }
}

/// A stretch of a source, in bytes.
#[derive(Clone, Debug)]
pub struct Span {
    /// Of which text.
    pub source: Arc<Source>,
    /// First byte.
    pub from: usize,
    /// Byte after the last.
    pub to: usize,
}

/// A value with its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub form: Form,
}

/// The forms of a value.
#[derive(Clone, Debug)]
pub enum Form {
    /// A number as it is written.
    Number(String),
    /// A string without its quotes.
    Text(String),
    /// `true` or `false`.
    Bool(bool),
    /// A bare word: a variant without content, or `None`.
    Word(String),
    /// `Name(...)` or `(...)`: struct, tuple or variant.
    Group(Option<String>, Vec<Entry>),
    /// `[...]`.
    List(Vec<Node>),
    /// `{...}`, keys as values.
    Map(Vec<(Node, Node)>),
    /// Could not be read, or is missing; has been reported.
    Hole,
}

/// An entry of a group.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its field name with its place, unless it goes by position.
    pub key: Option<(String, Span)>,
    /// Its value.
    pub value: Node,
}

/// A way down a tree, from the root to a value.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    Root,
    Field(&'a str),
    Index(usize),
}

impl Path<'static> {
    /// The root.
    pub const ROOT: Self = Self { parent: None, step: Step::Root };
}

impl Path<'_> {
    /// Down to a field.
    #[must_use]
    pub const fn field<'b>(&'b self, name: &'b str) -> Path<'b> {
        Path { parent: Some(self), step: Step::Field(name) }
    }

    /// Down to an entry of a list, or the n-th content of a variant or tuple.
    #[must_use]
    pub const fn index(&self, index: usize) -> Path<'_> {
        Path { parent: Some(self), step: Step::Index(index) }
    }
}

impl Node {
    /// The value at a path, or the nearest one above it that exists.
    #[must_use]
    pub fn find(&self, path: &Path<'_>) -> &Self {
        let above = path.parent.map_or(self, |parent| self.find(parent));
        let above = above.inner();
        match (path.step, &above.form) {
            (Step::Field(name), _) => above.field(name).unwrap_or(above),
            (Step::Index(i), Form::List(items)) => items.get(i).unwrap_or(above),
            (Step::Index(i), Form::Group(_, entries)) => {
                entries.iter().filter(|e| e.key.is_none()).nth(i).map_or(above, |e| &e.value)
            }
            _ => above,
        }
    }

    /// What stands within `Some(...)`, or the value itself.
    #[must_use]
    pub fn inner(&self) -> &Self {
        match &self.form {
            Form::Group(Some(name), entries) if name == "Some" && entries.len() == 1 => entries[0].value.inner(),
            _ => self,
        }
    }

    /// A field of a group.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Self> {
        match &self.form {
            Form::Group(_, entries) => {
                entries.iter().find(|e| e.key.as_ref().is_some_and(|(key, _)| key == name)).map(|e| &e.value)
            }
            _ => None,
        }
    }

    /// The same, to change it.
    pub fn field_mut(&mut self, name: &str) -> Option<&mut Self> {
        match &mut self.form {
            Form::Group(_, entries) => {
                entries.iter_mut().find(|e| e.key.as_ref().is_some_and(|(key, _)| key == name)).map(|e| &mut e.value)
            }
            _ => None,
        }
    }

    /// The text of a string value.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.inner().form {
            Form::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text of its `id` field, or of its bare-word id.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        match &self.field("id")?.form {
            Form::Text(text) | Form::Word(text) => Some(text),
            _ => None,
        }
    }

    /// Whether any part of it could not be read.
    #[must_use]
    pub fn has_hole(&self) -> bool {
        match &self.form {
            Form::Hole => true,
            Form::Group(_, entries) => entries.iter().any(|e| e.value.has_hole()),
            Form::List(items) => items.iter().any(Self::has_hole),
            Form::Map(pairs) => pairs.iter().any(|(k, v)| k.has_hole() || v.has_hole()),
            _ => false,
        }
    }

    /// Whether two values say the same, wherever they stand.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        match (&self.inner().form, &other.inner().form) {
            (Form::Number(a), Form::Number(b)) => match (number(a), number(b)) {
                (Some(a), Some(b)) => a.total_cmp(&b).is_eq(),
                _ => a == b,
            },
            (Form::Text(a), Form::Text(b)) | (Form::Word(a), Form::Word(b)) => a == b,
            (Form::Bool(a), Form::Bool(b)) => a == b,
            (Form::Group(_, a), Form::Group(_, b)) => {
                a.len() == b.len()
                    && a.iter().zip(b).all(|(x, y)| match (&x.key, &y.key) {
                        (None, None) => x.value.same(&y.value),
                        (Some((key, _)), _) => other.field(key).is_some_and(|v| v.same(&x.value)),
                        _ => false,
                    })
            }
            (Form::List(a), Form::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.same(y)),
            _ => false,
        }
    }
}

/// A RON number as a float: decimal, hexadecimal, binary, octal, `inf`, `NaN`.
#[must_use]
pub fn number(written: &str) -> Option<f64> {
    let plain: String = written.chars().filter(|c| *c != '_').collect();
    let (sign, digits) = match plain.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, plain.strip_prefix('+').unwrap_or(&plain)),
    };
    let radix = |prefix: &str, radix| {
        digits.strip_prefix(prefix).map(|rest| u64::from_str_radix(rest, radix).ok().map(|v| sign * v as f64))
    };
    if let Some(value) = radix("0x", 16).or_else(|| radix("0b", 2)).or_else(|| radix("0o", 8)) {
        return value;
    }
    match digits {
        "inf" => Some(sign * f64::INFINITY),
        "NaN" => Some(f64::NAN),
        _ if digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') => digits.parse::<f64>().ok().map(|v| sign * v),
        _ => None,
    }
}

/// Reads a text. The tree is always there; what could not be read is a hole.
#[must_use]
pub fn read(source: &Arc<Source>) -> (Node, Vec<Finding>) {
    let mut reader = Reader { source, at: 0, faults: Vec::new(), open: Vec::new() };
    if reader.rest().starts_with('\u{feff}') {
        reader.at += '\u{feff}'.len_utf8();
    }
    reader.blank();
    let root = if reader.rest().is_empty() {
        reader.fault("E0102", 0, 0, Message::new("the file is empty", []), None);
        reader.hole(0)
    } else {
        reader.value()
    };
    reader.blank();
    if !reader.rest().is_empty() && reader.faults.is_empty() {
        let at = reader.at;
        reader.fault("E0102", at, at + reader.width(), Message::new("there is more text after the end of the value", []), None);
    }
    (root, reader.faults)
}

struct Reader<'a> {
    source: &'a Arc<Source>,
    at: usize,
    faults: Vec<Finding>,
    /// Open brackets: the closing one wanted, and where it was opened.
    open: Vec<(char, usize)>,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.source.text.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn width(&self) -> usize {
        self.peek().map_or(0, char::len_utf8)
    }

    fn span(&self, from: usize, to: usize) -> Span {
        Span { source: Arc::clone(self.source), from, to }
    }

    fn hole(&self, at: usize) -> Node {
        Node { span: self.span(at, self.at.max(at)), form: Form::Hole }
    }

    fn fault(&mut self, code: &'static str, from: usize, to: usize, message: Message, help: Option<Message>) {
        if self.faults.len() < MOST_FAULTS {
            let mut finding = Finding::error(code, &self.span(from, to), message);
            finding.help = help;
            self.faults.push(finding);
        }
    }

    /// Skips space, comments and `#![...]` lines.
    fn blank(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") || trimmed.starts_with("#!") {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if trimmed.starts_with("/*") {
                let (mut depth, mut i, bytes) = (0_u32, 0, trimmed.as_bytes());
                while i < bytes.len() {
                    if bytes[i..].starts_with(b"/*") {
                        depth += 1;
                        i += 2;
                    } else if bytes[i..].starts_with(b"*/") {
                        depth -= 1;
                        i += 2;
                        if depth == 0 {
                            break;
                        }
                    } else {
                        i += 1;
                    }
                }
                if depth > 0 {
                    let at = self.at;
                    self.fault("E0104", at, at + 2, Message::new("this comment is never closed", []), None);
                }
                self.at += i;
            } else {
                return;
            }
        }
    }

    /// The next character with full-width punctuation read as ASCII; says so once.
    fn mark(&mut self) -> Option<char> {
        let found = self.peek()?;
        let meant = match found {
            '（' => '(',
            '）' => ')',
            '，' | '、' => ',',
            '：' => ':',
            '【' | '［' => '[',
            '】' | '］' => ']',
            '“' | '”' | '＂' => '"',
            _ => return Some(found),
        };
        let at = self.at;
        self.fault(
            "E0102",
            at,
            at + found.len_utf8(),
            Message::new("`{0}` is not a mark of this format", [found.to_string()]),
            Some(Message::new("write `{0}`", [meant.to_string()])),
        );
        Some(meant)
    }

    fn value(&mut self) -> Node {
        self.blank();
        let from = self.at;
        if self.open.len() >= DEEPEST {
            self.fault("E0105", from, from + self.width(), Message::new("more than {0} brackets within each other", [DEEPEST.to_string()]), None);
            self.at = self.source.text.len();
            return self.hole(from);
        }
        let Some(mark) = self.mark() else {
            return self.hole(from);
        };
        match mark {
            '(' => self.group(from, None),
            '[' => self.list(from),
            '{' => self.map(from),
            '"' => self.string(from),
            '0'..='9' | '-' | '+' | '.' => self.number(from),
            'r' if self.rest().starts_with("r\"") || self.rest().starts_with("r#\"") || self.rest().starts_with("r##") => self.raw_string(from),
            c if c.is_alphabetic() || c == '_' => {
                let word = self.word();
                match word {
                    "true" | "false" => Node { span: self.span(from, self.at), form: Form::Bool(word == "true") },
                    "inf" | "NaN" => Node { span: self.span(from, self.at), form: Form::Number(word.to_string()) },
                    _ => {
                        self.blank();
                        if matches!(self.peek(), Some('(' | '（')) {
                            self.mark();
                            self.group(from, Some(word.to_string()))
                        } else {
                            Node { span: self.span(from, from + word.len()), form: Form::Word(word.to_string()) }
                        }
                    }
                }
            }
            c => {
                self.fault("E0102", from, from + self.width(), Message::new("a value is wanted here, not `{0}`", [c.to_string()]), None);
                self.skip();
                self.hole(from)
            }
        }
    }

    /// Goes on to the next comma or closing bracket of this depth.
    fn skip(&mut self) {
        let mut depth = 0_u32;
        while let Some(c) = self.peek() {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' | ',' if depth == 0 => return,
                ')' | ']' | '}' => depth -= 1,
                '\n' if depth == 0 => return,
                _ => {}
            }
            self.at += c.len_utf8();
        }
    }

    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn number(&mut self, from: usize) -> Node {
        let rest = self.rest();
        let end = rest
            .char_indices()
            .find(|(i, c)| {
                let sign = matches!(c, '-' | '+') && (*i == 0 || matches!(rest.as_bytes()[i - 1], b'e' | b'E') && !rest.starts_with("0x"));
                !(c.is_ascii_alphanumeric() || *c == '.' || *c == '_' || sign)
            })
            .map_or(rest.len(), |(i, _)| i);
        let written = &rest[..end];
        self.at += end;
        if number(written).is_some() {
            return Node { span: self.span(from, self.at), form: Form::Number(written.to_string()) };
        }
        self.fault("E0106", from, from + end.max(1), Message::new("`{0}` is not a number", [written.to_string()]), None);
        self.hole(from)
    }

    fn string(&mut self, from: usize) -> Node {
        let mut text = String::new();
        self.at += self.width();
        loop {
            let at = self.at;
            let Some(c) = self.peek() else {
                self.fault("E0104", from, from + 1, Message::new("this string is never closed", []), Some(Message::new("add `\"` where it ends", [])));
                return self.hole(from);
            };
            self.at += c.len_utf8();
            match c {
                '"' => return Node { span: self.span(from, self.at), form: Form::Text(text) },
                '\n' => {
                    // A string that runs over its line is nearly always one
                    // without its closing quote: report it there and go on.
                    self.at = at;
                    self.fault("E0104", from, from + 1, Message::new("this string is not closed on its line", []), Some(Message::new("add `\"` where it ends", [])));
                    return Node { span: self.span(from, at), form: Form::Hole };
                }
                '\\' => {
                    let escaped = self.peek();
                    self.at += self.width();
                    match escaped {
                        Some('n') => text.push('\n'),
                        Some('t') => text.push('\t'),
                        Some('r') => text.push('\r'),
                        Some('0') => text.push('\0'),
                        Some(c @ ('\\' | '"' | '\'')) => text.push(c),
                        Some('u') => text.extend(self.unicode()),
                        _ => self.fault("E0107", at, self.at, Message::new("unknown escape in a string", []), Some(Message::new("write `\\\\` for a backslash", []))),
                    }
                }
                c => text.push(c),
            }
        }
    }

    /// The rest of `\u{...}`.
    fn unicode(&mut self) -> Option<char> {
        let from = self.at;
        let rest = self.rest();
        let end = rest.find('}').filter(|end| *end <= 8)?;
        self.at += end + 1;
        let found = rest.get(1..end).and_then(|hex| u32::from_str_radix(hex, 16).ok()).and_then(char::from_u32);
        if found.is_none() {
            self.fault("E0107", from, self.at, Message::new("unknown escape in a string", []), None);
        }
        found
    }

    fn raw_string(&mut self, from: usize) -> Node {
        let rest = self.rest();
        let hashes = rest[1..].bytes().take_while(|b| *b == b'#').count();
        let end = format!("\"{}", "#".repeat(hashes));
        let start = 1 + hashes + 1;
        match rest.get(start..).and_then(|body| body.find(&end).map(|i| &body[..i])) {
            Some(body) => {
                self.at += start + body.len() + end.len();
                Node { span: self.span(from, self.at), form: Form::Text(body.to_string()) }
            }
            None => {
                self.fault("E0104", from, from + start.min(rest.len()), Message::new("this string is never closed", []), None);
                self.at = self.source.text.len();
                self.hole(from)
            }
        }
    }

    fn group(&mut self, from: usize, name: Option<String>) -> Node {
        let mut entries = Vec::new();
        self.sequence(')', |reader| {
            let start = reader.at;
            let word = reader.word();
            let after = reader.at;
            reader.blank();
            let key = match reader.peek() {
                Some(':' | '：') if !word.is_empty() => {
                    reader.mark();
                    reader.at += reader.width();
                    true
                }
                Some('=') if !word.is_empty() => {
                    let at = reader.at;
                    reader.fault("E0102", at, at + 1, Message::new("`=` is not a mark of this format", []), Some(Message::new("write `:`", [])));
                    reader.at += 1;
                    true
                }
                // `men 50`: the colon is missing. A word followed by `"` may be a raw string.
                Some(c) if c == '"' && word != "r" && !word.is_empty() && word.starts_with(|c: char| c.is_alphabetic() || c == '_') || c.is_ascii_digit() && !word.is_empty() && after < reader.at && word.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
                    reader.fault("E0103", after, after, Message::new("a `:` is missing after `{0}`", [word.to_string()]), Some(Message::new("write `{0}: `", [word.to_string()])));
                    true
                }
                _ => false,
            };
            if !key {
                reader.at = start;
            }
            let key = key.then(|| (word.to_string(), reader.span(start, after)));
            reader.blank();
            let value = if key.is_some() && matches!(reader.peek(), Some(',' | ')')) {
                let at = reader.at;
                reader.fault("E0102", at, at + 1, Message::new("the value of `{0}` is missing", [word.to_string()]), None);
                reader.hole(at)
            } else {
                reader.value()
            };
            entries.push(Entry { key, value });
        });
        Node { span: self.span(from, self.at), form: Form::Group(name, entries) }
    }

    fn list(&mut self, from: usize) -> Node {
        let mut items = Vec::new();
        self.sequence(']', |reader| {
            let item = reader.value();
            items.push(item);
        });
        Node { span: self.span(from, self.at), form: Form::List(items) }
    }

    fn map(&mut self, from: usize) -> Node {
        let mut pairs = Vec::new();
        self.sequence('}', |reader| {
            let key = reader.value();
            reader.blank();
            let at = reader.at;
            if reader.mark() == Some(':') {
                reader.at += reader.width();
            } else {
                reader.fault("E0103", at, at, Message::new("a `:` is missing between key and value", []), None);
            }
            let value = reader.value();
            pairs.push((key, value));
        });
        Node { span: self.span(from, self.at), form: Form::Map(pairs) }
    }

    /// Reads entries between brackets; the reader stands on the opening one.
    fn sequence(&mut self, close: char, mut entry: impl FnMut(&mut Self)) {
        let opened = self.at;
        self.at += self.width();
        self.open.push((close, opened));
        loop {
            self.blank();
            if self.closed(close) {
                break;
            }
            let before = self.at;
            entry(self);
            let end = self.at;
            self.blank();
            match self.mark() {
                Some(',') => {
                    self.at += self.width();
                    self.blank();
                    while self.peek() == Some(',') {
                        let at = self.at;
                        self.fault("E0102", at, at + 1, Message::new("there is a `,` too many", []), None);
                        self.at += 1;
                        self.blank();
                    }
                }
                Some(')' | ']' | '}') | None => {}
                Some(_) if end > before => {
                    // Where the comma should be, not where the next thing starts.
                    self.fault("E0103", end, end, Message::new("a `,` is missing here", []), None);
                }
                Some(c) => {
                    let at = self.at;
                    self.fault("E0102", at, at + self.width(), Message::new("`{0}` has no meaning here", [c.to_string()]), None);
                    self.at += self.width();
                }
            }
        }
        self.open.pop();
    }

    /// Whether the sequence ends here; takes its closing bracket.
    fn closed(&mut self, close: char) -> bool {
        let opened = self.open.last().map_or(0, |(_, at)| *at);
        let opener = self.source.text[opened..].chars().next().unwrap_or('(');
        match self.mark() {
            None => {
                let message = Message::new("this `{0}` is never closed", [opener.to_string()]);
                self.fault("E0104", opened, opened + opener.len_utf8(), message, Some(Message::new("add `{0}` where it ends", [close.to_string()])));
                true
            }
            Some(c) if c == close => {
                self.at += self.width();
                true
            }
            Some(c @ (')' | ']' | '}')) => {
                let at = self.at;
                let ours = self.open.iter().rev().skip(1).any(|(wanted, _)| *wanted == c);
                if ours {
                    let message = Message::new("`{0}` closes something else: a `{1}` is still open", [c.to_string(), opener.to_string()]);
                    let mut finding = Finding::error("E0104", &self.span(at, at + c.len_utf8()), message);
                    finding.relate(&self.span(opened, opened + opener.len_utf8()), Message::new("opened here", []));
                    if self.faults.len() < MOST_FAULTS {
                        self.faults.push(finding);
                    }
                    return true;
                }
                self.fault("E0104", at, at + c.len_utf8(), Message::new("nothing is open that `{0}` could close", [c.to_string()]), None);
                self.at += self.width();
                self.closed(close)
            }
            Some(_) => false,
        }
    }
}

#[cfg(test)]
mod tests;
