//! The tree of a RON text, with the place of everything in it. Patches, typing and
//! checks work on it, so each of their findings points at the very value that is
//! at fault.

use std::sync::Arc;

mod reader;

pub use reader::read;

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
    pub fn new(
        shown: impl Into<String>,
        text: impl Into<String>,
        of_mod: Option<String>,
    ) -> Arc<Self> {
        let text = text.into();
        let starts =
            std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
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
            Form::Group(Some(name), entries) if name == "Some" && entries.len() == 1 => {
                entries[0].value.inner()
            }
            _ => self,
        }
    }

    /// A field of a group.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Self> {
        match &self.form {
            Form::Group(_, entries) => entries
                .iter()
                .find(|e| e.key.as_ref().is_some_and(|(key, _)| key == name))
                .map(|e| &e.value),
            _ => None,
        }
    }

    /// The same, to change it.
    pub fn field_mut(&mut self, name: &str) -> Option<&mut Self> {
        match &mut self.form {
            Form::Group(_, entries) => entries
                .iter_mut()
                .find(|e| e.key.as_ref().is_some_and(|(key, _)| key == name))
                .map(|e| &mut e.value),
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
            (Form::List(a), Form::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.same(y))
            }
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
        digits
            .strip_prefix(prefix)
            .map(|rest| u64::from_str_radix(rest, radix).ok().map(|v| sign * v as f64))
    };
    if let Some(value) = radix("0x", 16).or_else(|| radix("0b", 2)).or_else(|| radix("0o", 8)) {
        return value;
    }
    match digits {
        "inf" => Some(sign * f64::INFINITY),
        "NaN" => Some(f64::NAN),
        _ if digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
            digits.parse::<f64>().ok().map(|v| sign * v)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
