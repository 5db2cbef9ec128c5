//! A tree into its typed twin. Every fault of shape is found in one run: what is
//! wrong or missing is reported where it stands and replaced by a hole (0, an
//! empty string, the first variant), and reading goes on.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, DeserializeOwned, Visitor};

use super::findings::{Finding, Message, did_you_mean};
use super::spans::{Entry, Form, Node, Span, number};

mod access;

use access::{Fields, Items, Pairs, Variant};

/// Missing fields found in one file; each costs one more reading.
const MOST_MISSING: usize = 100;

/// Reads a tree as a `T`. The value is there even if there are findings, unless
/// far too much was missing; then holes stand where something was at fault.
#[must_use]
pub fn typed<T: DeserializeOwned>(root: &Node) -> (Option<T>, Vec<Finding>) {
    let mut missing: BTreeMap<usize, Vec<&'static str>> = BTreeMap::new();
    let mut missed = Vec::new();
    for _ in 0..MOST_MISSING {
        let context = Context {
            findings: RefCell::new(Vec::new()),
            missing: &missing,
            again: RefCell::new(None),
        };
        let result = T::deserialize(De { node: Some(root), context: &context });
        let mut findings = context.findings.into_inner();
        match (result, context.again.into_inner()) {
            (Ok(value), _) => {
                missed.append(&mut findings);
                return (Some(value), missed);
            }
            (Err(_), Some((key, field, finding))) => {
                missing.entry(key).or_default().push(field);
                missed.push(finding);
            }
            (Err(Fault::Other(text)), None) => {
                // A type with rules of its own refused the value.
                missed.append(&mut findings);
                missed.push(Finding::error("E0204", &root.span, Message::new("{0}", [text])));
                return (None, missed);
            }
            (Err(_), None) => {
                missed.append(&mut findings);
                return (None, missed);
            }
        }
    }
    (None, missed)
}

struct Context<'m> {
    findings: RefCell<Vec<Finding>>,
    missing: &'m BTreeMap<usize, Vec<&'static str>>,
    again: RefCell<Option<(usize, &'static str, Finding)>>,
}

impl Context<'_> {
    fn fault(&self, code: &'static str, span: &Span, message: Message, help: Option<Message>) {
        self.findings.borrow_mut().push(Finding::error(code, span, message).with_help(help));
    }
}

#[derive(Debug)]
enum Fault {
    Missing(&'static str),
    Again,
    Other(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(field) => write!(f, "the field `{field}` is missing"),
            Self::Again => f.write_str("a field is missing"),
            Self::Other(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(text: T) -> Self {
        Self::Other(text.to_string())
    }

    fn missing_field(field: &'static str) -> Self {
        Self::Missing(field)
    }
}

/// Reads one node; `None` reads a hole.
#[derive(Clone, Copy)]
struct De<'a, 'm> {
    node: Option<&'a Node>,
    context: &'a Context<'m>,
}

/// What a value is, for people.
fn says(node: &Node) -> String {
    match &node.form {
        Form::Number(written) => format!("the number {written}"),
        Form::Text(text) if text.chars().count() <= 24 => format!("the string \"{text}\""),
        Form::Text(_) => "a string".into(),
        Form::Bool(value) => format!("{value}"),
        Form::Word(word) => format!("the word `{word}`"),
        Form::Group(Some(name), _) => format!("`{name}(...)`"),
        Form::Group(None, _) => "`(...)`".into(),
        Form::List(_) => "a list `[...]`".into(),
        Form::Map(_) => "a map `{...}`".into(),
        Form::Hole => "nothing".into(),
    }
}

impl<'a> De<'a, '_> {
    const fn to(self, node: Option<&'a Node>) -> Self {
        Self { node, context: self.context }
    }

    /// The node, if it holds anything.
    fn held(self) -> Option<&'a Node> {
        self.node
            .map(|node| {
                if matches!(&node.form, Form::Group(Some(name), _) if name == "Some") {
                    node.inner()
                } else {
                    node
                }
            })
            .filter(|node| !matches!(node.form, Form::Hole))
    }

    fn wants(self, node: &Node, what: &str) {
        self.context.fault(
            "E0204",
            &node.span,
            Message::new("{0} is wanted here, not {1}", [what.to_string(), says(node)]),
            None,
        );
    }

    fn integer(self, low: i64, high: i64) -> i64 {
        let Some(node) = self.held() else { return 0 };
        let Form::Number(written) = &node.form else {
            self.wants(node, "a whole number");
            return 0;
        };
        match number(written) {
            Some(value) if value.is_finite() && value % 1.0 == 0.0 => {
                if value < low as f64 || value > high as f64 {
                    self.context.fault(
                        "E0206",
                        &node.span,
                        Message::new("{0} is out of range", [written.clone()]),
                        Some(Message::new(
                            "it goes from {0} to {1}",
                            [low.to_string(), high.to_string()],
                        )),
                    );
                    return 0;
                }
                value as i64
            }
            _ => {
                self.context.fault(
                    "E0206",
                    &node.span,
                    Message::new("a whole number is wanted here, not {0}", [written.clone()]),
                    None,
                );
                0
            }
        }
    }

    fn float(self) -> f64 {
        let Some(node) = self.held() else { return 0.0 };
        match &node.form {
            Form::Number(written) => match number(written) {
                Some(value) if value.is_finite() => value,
                _ => {
                    self.context.fault(
                        "E0207",
                        &node.span,
                        Message::new(
                            "{0} is no number that can be reckoned with",
                            [written.clone()],
                        ),
                        None,
                    );
                    0.0
                }
            },
            _ => {
                self.wants(node, "a number");
                0.0
            }
        }
    }

    fn string(self) -> String {
        let Some(node) = self.held() else { return String::new() };
        match &node.form {
            Form::Text(text) => text.clone(),
            Form::Word(word) => {
                self.context.fault(
                    "E0204",
                    &node.span,
                    Message::new("a string is wanted here, not the word `{0}`", [word.clone()]),
                    Some(Message::new("write `\"{0}\"`", [word.clone()])),
                );
                String::new()
            }
            _ => {
                self.wants(node, "a string");
                String::new()
            }
        }
    }

    /// The fields of a struct or struct variant.
    fn fields<V: Visitor<'a>>(
        self,
        node: Option<&'a Node>,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let key = node.map_or(0, |node| std::ptr::from_ref(node).addr());
        let mut given: Vec<(&'static str, Option<&'a Node>)> = Vec::new();
        match node.map(|node| (&node.form, node)) {
            Some((Form::Group(_, entries), _)) => {
                for entry in entries {
                    self.field(entry, fields, &mut given);
                }
                given.extend(
                    self.context
                        .missing
                        .get(&key)
                        .into_iter()
                        .flatten()
                        .map(|field| (*field, None)),
                );
            }
            Some((Form::Hole, _)) | None => given.extend(fields.iter().map(|field| (*field, None))),
            Some((_, node)) => {
                self.wants(node, "`(field: value, ...)`");
                given.extend(fields.iter().map(|field| (*field, None)));
            }
        }
        let read = visitor.visit_map(Fields {
            given: given.into_iter(),
            value: None,
            context: self.context,
        });
        match (read, node) {
            (Err(Fault::Missing(field)), Some(node)) => {
                let mut span = node.span.clone();
                // The first line of the struct, so that the caret stays readable.
                let first = span.source.text[span.from..span.to]
                    .find(['\n', ','])
                    .map_or(span.to, |i| span.from + i);
                span.to = first.max(span.from);
                let finding = Finding::error(
                    "E0202",
                    &span,
                    Message::new("the field `{0}` is missing", [field.to_string()]),
                );
                *self.context.again.borrow_mut() = Some((key, field, finding));
                Err(Fault::Again)
            }
            (read, _) => read,
        }
    }

    fn field(
        self,
        entry: &'a Entry,
        fields: &'static [&'static str],
        given: &mut Vec<(&'static str, Option<&'a Node>)>,
    ) {
        let Some((name, span)) = &entry.key else {
            if !matches!(entry.value.form, Form::Hole) {
                self.context.fault(
                    "E0209",
                    &entry.value.span,
                    Message::new("a field name is missing before {0}", [says(&entry.value)]),
                    Some(Message::new("the fields are {0}", [fields.join(", ")])),
                );
            }
            return;
        };
        let Some(field) = fields.iter().find(|field| *field == name) else {
            let near = did_you_mean(name, fields.iter().copied());
            let help =
                near.or_else(|| Some(Message::new("the fields are {0}", [fields.join(", ")])));
            self.context.fault(
                "E0201",
                span,
                Message::new("there is no field `{0}` here", [name.clone()]),
                help,
            );
            return;
        };
        if given.iter().any(|(known, _)| known == field) {
            self.context.fault(
                "E0205",
                span,
                Message::new("the field `{0}` is given twice", [name.clone()]),
                None,
            );
            return;
        }
        given.push((field, Some(&entry.value)));
    }

    /// The contents of a tuple of a known length.
    fn tuple_of(self, node: Option<&'a Node>, len: usize) -> Vec<Option<&'a Node>> {
        let mut items: Vec<Option<&'a Node>> = match node.map(|node| &node.form) {
            Some(Form::Group(_, entries)) => {
                if let Some((name, span)) = entries.iter().find_map(|e| e.key.as_ref()) {
                    self.context.fault(
                        "E0208",
                        span,
                        Message::new(
                            "`{0}:` has no place here: these go by position",
                            [name.clone()],
                        ),
                        None,
                    );
                }
                entries.iter().map(|e| Some(&e.value)).collect()
            }
            Some(Form::Hole) | None => Vec::new(),
            Some(_) => {
                if let Some(node) = node {
                    self.wants(node, "`(..., ...)`");
                }
                Vec::new()
            }
        };
        if let Some(node) =
            node.filter(|node| matches!(node.form, Form::Group(..)) && items.len() != len)
        {
            self.context.fault(
                "E0208",
                &node.span,
                Message::new(
                    "{0} values are wanted here, not {1}",
                    [len.to_string(), items.len().to_string()],
                ),
                None,
            );
        }
        items.resize(len, None);
        items
    }
}

macro_rules! integers {
    ($($method:ident $visit:ident $type:ty,)*) => {$(
        fn $method<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Fault> {
            let value = self.integer(i64::from(<$type>::MIN), i64::from(<$type>::MAX));
            visitor.$visit(value as $type)
        }
    )*};
}

impl<'a> de::Deserializer<'a> for De<'a, '_> {
    type Error = Fault;

    integers! {
        deserialize_i8 visit_i8 i8,
        deserialize_i16 visit_i16 i16,
        deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64,
        deserialize_u8 visit_u8 u8,
        deserialize_u16 visit_u16 u16,
        deserialize_u32 visit_u32 u32,
    }

    fn deserialize_u64<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_u64(self.integer(0, i64::MAX) as u64)
    }

    fn deserialize_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.held().map(|node| &node.form) {
            Some(Form::Number(_)) => visitor.visit_f64(self.float()),
            Some(Form::Text(text)) => visitor.visit_str(text),
            Some(Form::Bool(value)) => visitor.visit_bool(*value),
            Some(Form::List(_)) => self.deserialize_seq(visitor),
            _ => visitor.visit_unit(),
        }
    }

    fn deserialize_bool<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_bool(match self.held() {
            None => false,
            Some(Node { form: Form::Bool(value), .. }) => *value,
            Some(node) => {
                self.wants(node, "true or false");
                false
            }
        })
    }

    fn deserialize_f32<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_f64(self.float())
    }

    fn deserialize_f64<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_f64(self.float())
    }

    fn deserialize_char<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_char(self.string().chars().next().unwrap_or(' '))
    }

    fn deserialize_str<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_string(self.string())
    }

    fn deserialize_string<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_string(self.string())
    }

    fn deserialize_bytes<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_string(self.string())
    }

    fn deserialize_byte_buf<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_string(self.string())
    }

    fn deserialize_option<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.node.map(|node| &node.form) {
            None | Some(Form::Hole) => visitor.visit_none(),
            Some(Form::Word(word)) if word == "None" => visitor.visit_none(),
            Some(Form::Group(Some(name), entries)) if name == "Some" => match entries.as_slice() {
                // `Some(field: 1)` means `Some((field: 1))`.
                [entry] if entry.key.is_none() => visitor.visit_some(self.to(Some(&entry.value))),
                _ => visitor.visit_some(self),
            },
            Some(_) => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'a>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'a>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Fault> {
        let items: Vec<Option<&'a Node>> = match self.held() {
            None => Vec::new(),
            Some(Node { form: Form::List(items), .. }) => {
                items.iter().filter(|item| !matches!(item.form, Form::Hole)).map(Some).collect()
            }
            Some(node) => {
                self.context.fault(
                    "E0204",
                    &node.span,
                    Message::new("a list is wanted here, not {0}", [says(node)]),
                    Some(Message::new("write `[...]` around it", [])),
                );
                Vec::new()
            }
        };
        visitor.visit_seq(Items { items: items.into_iter(), context: self.context })
    }

    fn deserialize_tuple<V: Visitor<'a>>(self, len: usize, visitor: V) -> Result<V::Value, Fault> {
        let items = self.tuple_of(self.held(), len);
        visitor.visit_seq(Items { items: items.into_iter(), context: self.context })
    }

    fn deserialize_tuple_struct<V: Visitor<'a>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Fault> {
        let pairs = match self.held() {
            Some(Node { form: Form::Map(pairs), .. }) => pairs.as_slice(),
            Some(node) => {
                self.wants(node, "a map `{...}`");
                &[]
            }
            None => &[],
        };
        visitor.visit_map(Pairs { pairs: pairs.iter(), value: None, context: self.context })
    }

    fn deserialize_struct<V: Visitor<'a>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let node = match self.node {
            Some(node) if matches!(&node.form, Form::Group(Some(given), entries) if given == "Some" && entries.len() == 1 && entries[0].key.is_none()) => {
                Some(node.inner())
            }
            other => other,
        };
        if let Some(Node { form: Form::Group(Some(given), _), span }) = node
            && given != name
            && given != "Some"
        {
            let mut span = span.clone();
            span.to = span.from + given.len();
            self.context.fault(
                "E0203",
                &span,
                Message::new("`{0}` is wanted here, not `{1}`", [name.to_string(), given.clone()]),
                None,
            );
        }
        self.fields(node, fields, visitor)
    }

    fn deserialize_enum<V: Visitor<'a>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let first = variants.first().copied().unwrap_or("");
        let Some(node) = self.held() else {
            return visitor.visit_enum(Variant { word: first, node: None, context: self.context });
        };
        let (word, has) = match &node.form {
            Form::Word(word) => (word.as_str(), false),
            Form::Group(Some(word), _) => (word.as_str(), true),
            Form::Text(text) if variants.contains(&text.as_str()) => {
                self.context.fault(
                    "E0204",
                    &node.span,
                    Message::new("a word is wanted here, not a string", []),
                    Some(Message::new("write `{0}` without quotes", [text.clone()])),
                );
                return visitor.visit_enum(Variant {
                    word: first,
                    node: None,
                    context: self.context,
                });
            }
            Form::Number(written) if name == "RawFig" => {
                self.context.fault("E0210", &node.span, Message::new("the figure {0} does not say where it comes from", [written.clone()]), Some(Message::new("write `From({0}, \"source\")` or `Ours(value: {0}, low: ..., high: ..., why: \"...\")`", [written.clone()])));
                return visitor.visit_enum(Variant {
                    word: first,
                    node: None,
                    context: self.context,
                });
            }
            _ => {
                let list = variants.join(", ");
                self.context.fault(
                    "E0204",
                    &node.span,
                    Message::new("one of {0} is wanted here, not {1}", [list, says(node)]),
                    None,
                );
                return visitor.visit_enum(Variant {
                    word: first,
                    node: None,
                    context: self.context,
                });
            }
        };
        match variants.iter().find(|variant| **variant == word) {
            Some(variant) => visitor.visit_enum(Variant {
                word: variant,
                node: Some(node).filter(|_| has),
                context: self.context,
            }),
            None => {
                let mut span = node.span.clone();
                span.to = span.from + word.len();
                let help = did_you_mean(word, variants.iter().copied())
                    .or_else(|| Some(Message::new("the words are {0}", [variants.join(", ")])));
                self.context.fault(
                    "E0203",
                    &span,
                    Message::new("`{0}` is no word that fits here", [word.to_string()]),
                    help,
                );
                visitor.visit_enum(Variant { word: first, node: None, context: self.context })
            }
        }
    }

    fn deserialize_identifier<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_string(self.string())
    }

    fn deserialize_ignored_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }
}
