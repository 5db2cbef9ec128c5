//! A tolerant reader of RON text.
//!
//! It never gives up: several faults are found in one file, a missing comma is
//! reported where it is missing, and what could be read stays usable.

use std::sync::Arc;

use super::{Entry, Form, Node, Source, Span, number};
use crate::scenario::findings::{Finding, Message};

/// Brackets within brackets that are read; deeper text is a fault, not a crash.
const DEEPEST: usize = 64;
/// Syntax faults reported of one file; the rest follow from these.
const MOST_FAULTS: usize = 20;

/// Reads a text. The tree is always there; what could not be read is a hole.
#[must_use]
pub fn read(source: &Arc<Source>) -> (Node, Vec<Finding>) {
    let mut reader = Reader {
        source,
        at: 0,
        faults: Vec::new(),
        open: Vec::new(),
        swallowed: false,
        ended: false,
    };
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
        reader.fault(
            "E0102",
            at,
            at + reader.width(),
            Message::new("there is more text after the end of the value", []),
            None,
        );
    }
    (root, reader.faults)
}

struct Reader<'a> {
    source: &'a Arc<Source>,
    at: usize,
    faults: Vec<Finding>,
    /// Open brackets: the closing one wanted, and where it was opened.
    open: Vec<(char, usize)>,
    /// A string or list was not closed, and its comma is lost.
    swallowed: bool,
    /// The text has ended too early, and that has been said.
    ended: bool,
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

    fn fault(
        &mut self,
        code: &'static str,
        from: usize,
        to: usize,
        message: Message,
        help: Option<Message>,
    ) {
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
                    self.fault(
                        "E0104",
                        at,
                        at + 2,
                        Message::new("this comment is never closed", []),
                        None,
                    );
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
            self.fault(
                "E0105",
                from,
                from + self.width(),
                Message::new("more than {0} brackets within each other", [DEEPEST.to_string()]),
                None,
            );
            self.at = self.source.text.len();
            self.ended = true;
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
            'r' if self.rest().starts_with("r\"")
                || self.rest().starts_with("r#\"")
                || self.rest().starts_with("r##") =>
            {
                self.raw_string(from)
            }
            c if c.is_alphabetic() || c == '_' => {
                let word = self.word();
                match word {
                    "true" | "false" => {
                        Node { span: self.span(from, self.at), form: Form::Bool(word == "true") }
                    }
                    "inf" | "NaN" => Node {
                        span: self.span(from, self.at),
                        form: Form::Number(word.to_string()),
                    },
                    _ => {
                        self.blank();
                        if matches!(self.peek(), Some('(' | '（')) {
                            self.mark();
                            self.group(from, Some(word.to_string()))
                        } else {
                            Node {
                                span: self.span(from, from + word.len()),
                                form: Form::Word(word.to_string()),
                            }
                        }
                    }
                }
            }
            c => {
                self.fault(
                    "E0102",
                    from,
                    from + self.width(),
                    Message::new("a value is wanted here, not `{0}`", [c.to_string()]),
                    None,
                );
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
                let sign = matches!(c, '-' | '+')
                    && (*i == 0
                        || matches!(rest.as_bytes()[i - 1], b'e' | b'E')
                            && !rest.starts_with("0x"));
                !(c.is_ascii_alphanumeric() || *c == '.' || *c == '_' || sign)
            })
            .map_or(rest.len(), |(i, _)| i);
        let written = &rest[..end];
        self.at += end;
        if number(written).is_some() {
            return Node {
                span: self.span(from, self.at),
                form: Form::Number(written.to_string()),
            };
        }
        self.fault(
            "E0106",
            from,
            from + end.max(1),
            Message::new("`{0}` is not a number", [written.to_string()]),
            None,
        );
        self.hole(from)
    }

    fn string(&mut self, from: usize) -> Node {
        let mut text = String::new();
        self.at += self.width();
        loop {
            let at = self.at;
            let Some(c) = self.peek() else {
                self.ended = true;
                self.fault(
                    "E0104",
                    from,
                    from + 1,
                    Message::new("this string is never closed", []),
                    Some(Message::new("add `\"` where it ends", [])),
                );
                return self.hole(from);
            };
            self.at += c.len_utf8();
            match c {
                '"' => return Node { span: self.span(from, self.at), form: Form::Text(text) },
                '\n' => {
                    // A string that runs over its line is nearly always one
                    // without its closing quote: report it there and go on.
                    self.at = at;
                    self.swallowed = true;
                    self.fault(
                        "E0104",
                        from,
                        from + 1,
                        Message::new("this string is not closed on its line", []),
                        Some(Message::new("add `\"` where it ends", [])),
                    );
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
                        _ => self.fault(
                            "E0107",
                            at,
                            self.at,
                            Message::new("unknown escape in a string", []),
                            Some(Message::new("write `\\\\` for a backslash", [])),
                        ),
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
        let found = rest
            .get(1..end)
            .and_then(|hex| u32::from_str_radix(hex, 16).ok())
            .and_then(char::from_u32);
        if found.is_none() {
            self.fault(
                "E0107",
                from,
                self.at,
                Message::new("unknown escape in a string", []),
                None,
            );
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
                self.fault(
                    "E0104",
                    from,
                    from + start.min(rest.len()),
                    Message::new("this string is never closed", []),
                    None,
                );
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
                    reader.fault(
                        "E0102",
                        at,
                        at + 1,
                        Message::new("`=` is not a mark of this format", []),
                        Some(Message::new("write `:`", [])),
                    );
                    reader.at += 1;
                    true
                }
                // `men 50`: the colon is missing. A word followed by `"` may be a raw string.
                Some(c)
                    if c == '"'
                        && word != "r"
                        && !word.is_empty()
                        && word.starts_with(|c: char| c.is_alphabetic() || c == '_')
                        || c.is_ascii_digit()
                            && !word.is_empty()
                            && after < reader.at
                            && word.starts_with(|c: char| c.is_alphabetic() || c == '_') =>
                {
                    reader.fault(
                        "E0103",
                        after,
                        after,
                        Message::new("a `:` is missing after `{0}`", [word.to_string()]),
                        Some(Message::new("write `{0}: `", [word.to_string()])),
                    );
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
                reader.fault(
                    "E0102",
                    at,
                    at + 1,
                    Message::new("the value of `{0}` is missing", [word.to_string()]),
                    None,
                );
                reader.hole(at)
            } else {
                reader.value()
            };
            entries.push(Entry { key, value });
        });
        self.doubles(&entries);
        Node { span: self.span(from, self.at), form: Form::Group(name, entries) }
    }

    /// Fields given twice; here, since a patch laid over would hide them.
    fn doubles(&mut self, entries: &[Entry]) {
        for (i, entry) in entries.iter().enumerate() {
            let Some((name, span)) = &entry.key else { continue };
            let same = |e: &Entry| e.key.as_ref().is_some_and(|(key, _)| key == name);
            if entries[..i].iter().any(same) {
                self.fault(
                    "E0205",
                    span.from,
                    span.to,
                    Message::new("the field `{0}` is given twice", [name.clone()]),
                    None,
                );
            }
        }
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
                reader.fault(
                    "E0103",
                    at,
                    at,
                    Message::new("a `:` is missing between key and value", []),
                    None,
                );
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
            if close == ']' && self.at_field() {
                // A field's name in a list: the list should have ended before it.
                let message = Message::new("this `{0}` is never closed", ["[".to_string()]);
                self.fault(
                    "E0104",
                    opened,
                    opened + 1,
                    message,
                    Some(Message::new("add `{0}` where it ends", ["]".to_string()])),
                );
                self.swallowed = true;
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
                        self.fault(
                            "E0102",
                            at,
                            at + 1,
                            Message::new("there is a `,` too many", []),
                            None,
                        );
                        self.at += 1;
                        self.blank();
                    }
                }
                Some(')' | ']' | '}') | None => {}
                Some(_) if std::mem::take(&mut self.swallowed) => {}
                Some(_) if end > before => {
                    // Where the comma should be, not where the next thing starts.
                    self.fault("E0103", end, end, Message::new("a `,` is missing here", []), None);
                }
                Some(c) => {
                    let at = self.at;
                    self.fault(
                        "E0102",
                        at,
                        at + self.width(),
                        Message::new("`{0}` has no meaning here", [c.to_string()]),
                        None,
                    );
                    self.at += self.width();
                }
            }
        }
        self.open.pop();
    }

    /// Whether `word:` stands here.
    fn at_field(&mut self) -> bool {
        let start = self.at;
        let word = self.word();
        self.blank();
        let found = !word.is_empty() && matches!(self.peek(), Some(':' | '：'));
        self.at = start;
        found
    }

    /// Whether the sequence ends here; takes its closing bracket.
    fn closed(&mut self, close: char) -> bool {
        let opened = self.open.last().map_or(0, |(_, at)| *at);
        let opener = self.source.text[opened..].chars().next().unwrap_or('(');
        match self.mark() {
            None => {
                // Only the innermost: what is around it is open for the same reason.
                if !std::mem::replace(&mut self.ended, true) {
                    let message = Message::new("this `{0}` is never closed", [opener.to_string()]);
                    self.fault(
                        "E0104",
                        opened,
                        opened + opener.len_utf8(),
                        message,
                        Some(Message::new("add `{0}` where it ends", [close.to_string()])),
                    );
                }
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
                    let message = Message::new(
                        "`{0}` closes something else: a `{1}` is still open",
                        [c.to_string(), opener.to_string()],
                    );
                    let mut finding =
                        Finding::error("E0104", &self.span(at, at + c.len_utf8()), message);
                    finding.relate(
                        &self.span(opened, opened + opener.len_utf8()),
                        Message::new("opened here", []),
                    );
                    if self.faults.len() < MOST_FAULTS {
                        self.faults.push(finding);
                    }
                    return true;
                }
                self.fault(
                    "E0104",
                    at,
                    at + c.len_utf8(),
                    Message::new("nothing is open that `{0}` could close", [c.to_string()]),
                    None,
                );
                self.at += self.width();
                self.closed(close)
            }
            Some(_) => false,
        }
    }
}
