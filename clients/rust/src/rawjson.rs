//! JSON text as it stands: what the API server sent, cut out by key, with every digit, escape and unknown field.
//!
//! The names of revisions are computed from the text of templates, so a template must not pass through a parser that turns numbers into
//! doubles (SPEC.md, A1).

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// Reads a value into a type. Half of a surrogate pair, which no message can carry, becomes U+FFFD.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    serde_json::from_str(&mended(text))
}

/// Cuts the members out of an object, in their order; a key that stands twice is there twice.
pub(crate) fn members(text: &str) -> serde_json::Result<Vec<(String, &RawValue)>> {
    let Members(members) = serde_json::from_str(text)?;
    members.into_iter().map(|(key, value)| Ok((read(key.get())?, value))).collect()
}

/// Reads a field that may be null, which means the same as nothing.
pub(crate) fn nullable<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

struct Members<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut found = Vec::new();
                while let Some(member) = map.next_entry()? {
                    found.push(member);
                }
                Ok(Members(found))
            }
        }
        from.deserialize_map(Each)
    }
}

/// Replaces halves of surrogate pairs, which Rust's strings cannot hold. The text is valid JSON otherwise.
fn mended(text: &str) -> Cow<'_, str> {
    if !text.contains("\\u") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (escape, length) = match (unit(rest), rest.get(6..).and_then(unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => (&rest[..12], 12),
            (Some(0xD800..=0xDFFF), _) => ("\\ufffd", 6),
            (Some(_), _) => (&rest[..6], 6),
            (None, _) => (rest.get(..2).unwrap_or(rest), 2.min(rest.len())),
        };
        out.push_str(escape);
        rest = rest.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Reads a UTF-16 escape that begins here.
fn unit(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::{members, mended, read};

    #[test]
    fn halves_of_pairs_are_replaced_and_pairs_are_not() {
        assert_eq!(mended(r#""\ud83d\ude00 \ud83d \\ud83d \u00e9""#), r#""\ud83d\ude00 \ufffd \\ud83d \u00e9""#);
        assert_eq!(read::<String>(r#""\udc00\n\ud800""#).unwrap(), "\u{fffd}\n\u{fffd}");
    }

    #[test]
    fn members_keep_their_text() {
        let text = r#" {"b": 1.0, "a\u0041": 9007199254740993, "b": {"x" : "\u00e9"}} "#;
        let found: Vec<(String, String)> = members(text).unwrap().into_iter().map(|(k, v)| (k, v.get().to_owned())).collect();
        let want = [("b", "1.0"), ("aA", "9007199254740993"), ("b", r#"{"x" : "\u00e9"}"#)];
        assert_eq!(found, want.map(|(k, v)| (k.to_owned(), v.to_owned())));
    }
}
