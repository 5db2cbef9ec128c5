//! What a typed twin is read through: fields, items, pairs, variants.

use serde::de::{self, DeserializeSeed, IntoDeserializer, Visitor};

use super::{Context, De, Fault};
use crate::scenario::findings::Message;
use crate::scenario::spans::{Form, Node};

/// The fields of a struct, each with its value or a hole.
pub(super) struct Fields<'a, 'm> {
    pub(super) given: std::vec::IntoIter<(&'static str, Option<&'a Node>)>,
    pub(super) value: Option<Option<&'a Node>>,
    pub(super) context: &'a Context<'m>,
}

impl<'a> de::MapAccess<'a> for Fields<'a, '_> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'a>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        let Some((name, node)) = self.given.next() else { return Ok(None) };
        self.value = Some(node);
        seed.deserialize(IntoDeserializer::<Fault>::into_deserializer(name)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'a>>(&mut self, seed: S) -> Result<S::Value, Fault> {
        seed.deserialize(De { node: self.value.take().flatten(), context: self.context })
    }
}

/// The items of a list or tuple.
pub(super) struct Items<'a, 'm> {
    pub(super) items: std::vec::IntoIter<Option<&'a Node>>,
    pub(super) context: &'a Context<'m>,
}

impl<'a> de::SeqAccess<'a> for Items<'a, '_> {
    type Error = Fault;

    fn next_element_seed<S: DeserializeSeed<'a>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Fault> {
        let Some(node) = self.items.next() else { return Ok(None) };
        seed.deserialize(De { node, context: self.context }).map(Some)
    }
}

/// The pairs of a map.
pub(super) struct Pairs<'a, 'm> {
    pub(super) pairs: std::slice::Iter<'a, (Node, Node)>,
    pub(super) value: Option<&'a Node>,
    pub(super) context: &'a Context<'m>,
}

impl<'a> de::MapAccess<'a> for Pairs<'a, '_> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'a>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        let Some((key, value)) = self.pairs.next() else { return Ok(None) };
        self.value = Some(value);
        seed.deserialize(De { node: Some(key), context: self.context }).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'a>>(&mut self, seed: S) -> Result<S::Value, Fault> {
        seed.deserialize(De { node: self.value.take(), context: self.context })
    }
}

/// A variant with the group of its contents, if it has one.
pub(super) struct Variant<'a, 'm> {
    pub(super) word: &'static str,
    pub(super) node: Option<&'a Node>,
    pub(super) context: &'a Context<'m>,
}

impl<'a> de::EnumAccess<'a> for Variant<'a, '_> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'a>>(self, seed: S) -> Result<(S::Value, Self), Fault> {
        let word = seed.deserialize(IntoDeserializer::<Fault>::into_deserializer(self.word))?;
        Ok((word, self))
    }
}

impl<'a> de::VariantAccess<'a> for Variant<'a, '_> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        if let Some(node) = self.node {
            self.context.fault(
                "E0208",
                &node.span,
                Message::new("`{0}` takes nothing in brackets", [self.word.to_string()]),
                None,
            );
        }
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'a>>(self, seed: S) -> Result<S::Value, Fault> {
        let content = match self.node.map(|node| (&node.form, node)) {
            Some((Form::Group(_, entries), node)) => match entries.as_slice() {
                [entry] if entry.key.is_none() => Some(&entry.value),
                // `Men(who: "x")` means `Men((who: "x"))`; the variant's name is no struct's name.
                _ => {
                    return seed
                        .deserialize(Unwrapped(De { node: Some(node), context: self.context }));
                }
            },
            _ => None,
        };
        seed.deserialize(De { node: content, context: self.context })
    }

    fn tuple_variant<V: Visitor<'a>>(self, len: usize, visitor: V) -> Result<V::Value, Fault> {
        let de = De { node: self.node, context: self.context };
        let items = de.tuple_of(self.node, len);
        visitor.visit_seq(Items { items: items.into_iter(), context: self.context })
    }

    fn struct_variant<V: Visitor<'a>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        De { node: self.node, context: self.context }.fields(self.node, fields, visitor)
    }
}

/// A struct written straight into its variant's brackets.
pub(super) struct Unwrapped<'a, 'm>(pub(super) De<'a, 'm>);

impl<'de> de::Deserializer<'de> for Unwrapped<'de, '_> {
    type Error = Fault;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.0.fields(self.0.node, fields, visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Fault> {
        self.0.deserialize_tuple(len, visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if let Some(node) = self.0.node {
            self.0.context.fault(
                "E0208",
                &node.span,
                Message::new("one value is wanted within these brackets", []),
                None,
            );
        }
        self.0.to(None).deserialize_any(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        if let Some(node) = self.0.node {
            self.0.context.fault(
                "E0208",
                &node.span,
                Message::new("one value is wanted within these brackets", []),
                None,
            );
        }
        self.0.to(None).deserialize_enum(name, variants, visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if let Some(node) = self.0.node {
            self.0.context.fault(
                "E0208",
                &node.span,
                Message::new("one value is wanted within these brackets", []),
                None,
            );
        }
        visitor.visit_string(String::new())
    }

    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if let Some(node) = self.0.node {
            self.0.context.fault(
                "E0208",
                &node.span,
                Message::new("one value is wanted within these brackets", []),
                None,
            );
        }
        visitor.visit_i32(0)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if let Some(node) = self.0.node {
            self.0.context.fault(
                "E0208",
                &node.span,
                Message::new("one value is wanted within these brackets", []),
                None,
            );
        }
        self.0.to(None).deserialize_seq(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str bytes byte_buf option unit
        unit_struct newtype_struct tuple_struct map identifier ignored_any
    }
}
