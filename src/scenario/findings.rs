//! What is wrong with a file, where, and what may help.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::codes;
use super::spans::{Source, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The battle cannot be fought.
    Error,
    /// It can, but somebody should look.
    Warning,
}

/// Words with arguments: the English template is the key of a translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The template; `{0}`, `{1}` stand for the arguments.
    pub template: &'static str,
    /// The arguments.
    pub args: Vec<String>,
}

impl Message {
    /// A message.
    pub fn new(template: &'static str, args: impl IntoIterator<Item = String>) -> Self {
        Self { template, args: args.into_iter().collect() }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.template;
        while let Some(open) = rest.find('{') {
            let Some(close) = rest[open..].find('}') else { break };
            f.write_str(&rest[..open])?;
            match rest[open + 1..open + close].parse::<usize>().ok().and_then(|i| self.args.get(i))
            {
                Some(arg) => f.write_str(arg)?,
                None => f.write_str(&rest[open..=open + close])?,
            }
            rest = &rest[open + close + 1..];
        }
        f.write_str(rest)
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Another place that has to do with a finding.
#[derive(Clone, Debug)]
pub struct Related {
    /// Where.
    pub span: Span,
    /// What is there.
    pub message: Message,
}

impl Serialize for Related {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (line, column) = self.span.source.line_column(self.span.from);
        let mut out = serializer.serialize_struct("Related", 4)?;
        out.serialize_field("file", &self.span.source.shown)?;
        out.serialize_field("line", &line)?;
        out.serialize_field("column", &column)?;
        out.serialize_field("message", &self.message)?;
        out.end()
    }
}

/// One fault. Serialises as in `check --json`.
#[derive(Clone, Debug)]
pub struct Finding {
    /// How bad.
    pub severity: Severity,
    /// A code that [`explain`] knows.
    pub code: &'static str,
    /// Path of the file as it is shown.
    pub file: String,
    /// Line from 1; 1 where the fault is the whole file.
    pub line: u32,
    /// Column from 1, in characters.
    pub column: u32,
    /// What is wrong.
    pub message: Message,
    /// What may help.
    pub help: Option<Message>,
    /// Other places.
    pub related: Vec<Related>,
    place: Option<Span>,
}

impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Finding", 8)?;
        out.serialize_field("severity", &self.severity)?;
        out.serialize_field("code", self.code)?;
        out.serialize_field("file", &self.file)?;
        out.serialize_field("line", &self.line)?;
        out.serialize_field("column", &self.column)?;
        out.serialize_field("message", &self.message)?;
        out.serialize_field("help", &self.help)?;
        out.serialize_field("related", &self.related)?;
        out.end()
    }
}

impl Finding {
    /// An error at a place.
    #[must_use]
    pub fn error(code: &'static str, span: &Span, message: Message) -> Self {
        Self::at(Severity::Error, code, span, message)
    }

    /// A warning at a place.
    #[must_use]
    pub fn warning(code: &'static str, span: &Span, message: Message) -> Self {
        Self::at(Severity::Warning, code, span, message)
    }

    fn at(severity: Severity, code: &'static str, span: &Span, message: Message) -> Self {
        let (line, column) = span.source.line_column(span.from);
        Self {
            severity,
            code,
            file: span.source.shown.clone(),
            line,
            column,
            message,
            help: None,
            related: Vec::new(),
            place: Some(span.clone()),
        }
    }

    /// An error of a whole file that could not be read as text.
    #[must_use]
    pub fn of_file(code: &'static str, file: impl Into<String>, message: Message) -> Self {
        Self {
            severity: Severity::Error,
            code,
            file: file.into(),
            line: 1,
            column: 1,
            message,
            help: None,
            related: Vec::new(),
            place: None,
        }
    }

    /// The same with help.
    #[must_use]
    pub fn with_help(mut self, help: Option<Message>) -> Self {
        self.help = help;
        self
    }

    /// Adds another place.
    pub fn relate(&mut self, span: &Span, message: Message) {
        self.related.push(Related { span: span.clone(), message });
    }

    /// The stretch of text at fault.
    #[must_use]
    pub fn span(&self) -> Option<&Span> {
        self.place.as_ref()
    }

    /// For people: file, line, source line, caret and help. `colour` for a terminal.
    #[must_use]
    pub fn render(&self, colour: bool) -> String {
        let title = self.message.to_string();
        let help = self.help.as_ref().map(ToString::to_string);
        let level = if self.severity == Severity::Error { Level::ERROR } else { Level::WARNING };
        let head = level.primary_title(title.as_str()).id(self.code);
        let cut: Vec<_> = self.place.iter().map(Cut::of).collect();
        let near: Vec<_> = self
            .related
            .iter()
            .map(|r| (Cut::of(&r.span), r.message.to_string(), &r.span.source))
            .collect();
        let mut group = match cut.first() {
            Some(cut) => {
                let mut snippet = Snippet::source(cut.text)
                    .line_start(cut.line)
                    .path(self.file.as_str())
                    .annotation(AnnotationKind::Primary.span(cut.range.clone()));
                for (other, words, _) in
                    near.iter().filter(|(o, _, s)| o.line == cut.line && s.shown == self.file)
                {
                    snippet = snippet.annotation(
                        AnnotationKind::Context.span(other.range.clone()).label(words.as_str()),
                    );
                }
                head.element(snippet)
            }
            None => head.element(annotate_snippets::Origin::path(self.file.as_str())),
        };
        for (other, words, source) in &near {
            if cut.first().is_some_and(|c| c.line == other.line && source.shown == self.file) {
                continue;
            }
            group = group.element(
                Snippet::source(other.text)
                    .line_start(other.line)
                    .path(source.shown.as_str())
                    .annotation(
                        AnnotationKind::Context.span(other.range.clone()).label(words.as_str()),
                    ),
            );
        }
        if let Some(help) = &help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        renderer.decor_style(DecorStyle::Ascii).render(&[group])
    }
}

/// The one line of a text that a span begins on, so that long files stay cheap.
struct Cut<'a> {
    text: &'a str,
    line: usize,
    range: Range<usize>,
}

impl<'a> Cut<'a> {
    fn of(span: &'a Span) -> Self {
        let text = span.source.text.as_str();
        let from =
            (0..=span.from.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
        let start = text[..from].rfind('\n').map_or(0, |i| i + 1);
        let end = text[from..].find('\n').map_or(text.len(), |i| from + i);
        let line = span.source.line_column(from).0 as usize;
        let to = span.to.clamp(from, end);
        let to = (to..=end).find(|i| text.is_char_boundary(*i)).unwrap_or(end);
        Self { text: &text[start..end], line, range: from - start..to - start }
    }
}

/// What a code means, in a paragraph.
#[must_use]
pub fn explain(code: &str) -> Option<&'static str> {
    codes::CODES.iter().find(|(known, _)| known.eq_ignore_ascii_case(code)).map(|(_, text)| *text)
}

/// The nearest of the known names, if one is near enough to be meant.
#[must_use]
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    known
        .into_iter()
        .map(|k| {
            (
                strsim::jaro_winkler(&wanted, &k.to_lowercase()),
                strsim::damerau_levenshtein(&wanted, &k.to_lowercase()),
                k,
            )
        })
        .filter(|(like, edits, k)| *like > 0.84 || *edits <= 1 + k.chars().count() / 5)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, _, k)| k)
}

/// "did you mean", where a known name is near.
#[must_use]
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<Message> {
    nearest(name, known).map(|k| Message::new("did you mean `{0}`?", [k.to_string()]))
}

/// Whether any of these is an error.
#[must_use]
pub fn any_error(findings: &[Finding]) -> bool {
    findings.iter().any(|f| f.severity == Severity::Error)
}

/// Orders findings for people: errors of a file's syntax first, then the order
/// of the passes (root causes before what follows from them) is kept.
pub fn tidy(findings: &mut Vec<Finding>) {
    let mut seen = std::collections::BTreeSet::new();
    findings
        .retain(|f| seen.insert((f.code, f.file.clone(), f.line, f.column, f.message.to_string())));
}

/// A source for a fault that has no text of its own.
#[must_use]
pub fn nowhere(shown: &str) -> Span {
    Span { source: Source::new(shown, "", None), from: 0, to: 0 }
}

/// Shares a source's span over its first character.
#[must_use]
pub fn top(source: &Arc<Source>) -> Span {
    Span { source: Arc::clone(source), from: 0, to: 0 }
}
