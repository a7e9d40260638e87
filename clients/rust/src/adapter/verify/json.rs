//! JSON values that compare as the checks mean it: order of keys, blanks and the spelling of a number do not count.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::rawjson::read;

/// Bytes: no API server accepts a larger object.
const MAX_DOCUMENT: usize = 3 << 20;
const MAX_DEPTH: usize = 200;
const LONGEST: usize = 80;

/// A value. Null also stands for nothing. A number is its text: a stored revision holds what a float64 keeps of a number, the set holds
/// its text.
#[derive(Clone, Debug)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

/// Reads a document. `strict` refuses a key that stands twice in an object: two readers may take different ones.
pub(crate) fn parse(document: &[u8], strict: bool) -> Result<Json, String> {
    if document.len() > MAX_DOCUMENT {
        return Err("it is larger than an API server takes".to_owned());
    }
    let text = String::from_utf8_lossy(document);
    let raw: &RawValue = serde_json::from_str(&text).map_err(|_| "it is not JSON".to_owned())?;
    Reader { text: raw.get(), at: 0, strict }.value(0)
}

/// Reads valid JSON in one pass.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    strict: bool,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Result<Json, String> {
        if depth > MAX_DEPTH {
            return Err("it is nested too deep".to_owned());
        }
        match self.next() {
            b'{' => self.object(depth),
            b'[' => self.array(depth),
            b'"' => Ok(Json::Text(self.string()?)),
            _ => Ok(self.word()),
        }
    }

    /// Skips blanks, commas and colons, and returns the next byte.
    fn next(&mut self) -> u8 {
        loop {
            match self.text.as_bytes().get(self.at) {
                Some(b' ' | b'\t' | b'\r' | b'\n' | b',' | b':') => self.at += 1,
                Some(byte) => return *byte,
                None => return 0,
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, String> {
        let mut members = BTreeMap::new();
        self.at += 1;
        while self.next() != b'}' {
            let key = self.string()?;
            let value = self.value(depth + 1)?;
            if members.insert(key, value).is_some() && self.strict {
                return Err("a key stands twice in an object".to_owned());
            }
        }
        self.at += 1;
        Ok(Json::Object(members))
    }

    fn array(&mut self, depth: usize) -> Result<Json, String> {
        let mut items = Vec::new();
        self.at += 1;
        while self.next() != b']' {
            items.push(self.value(depth + 1)?);
        }
        self.at += 1;
        Ok(Json::List(items))
    }

    fn string(&mut self) -> Result<String, String> {
        let begin = self.at;
        let bytes = self.text.as_bytes();
        self.at += 1;
        while bytes.get(self.at).is_some_and(|byte| *byte != b'"') {
            self.at += if bytes[self.at] == b'\\' { 2 } else { 1 };
        }
        self.at += 1;
        read(self.text.get(begin..self.at).unwrap_or_default()).map_err(|_| "it is not JSON".to_owned())
    }

    fn word(&mut self) -> Json {
        let rest = &self.text[self.at..];
        let length = rest.find([',', ']', '}', ' ', '\t', '\n', '\r']).unwrap_or(rest.len());
        self.at += length;
        match &rest[..length] {
            "null" => Json::Null,
            "true" => Json::Bool(true),
            "false" => Json::Bool(false),
            number => Json::Number(number.to_owned()),
        }
    }
}

static NOTHING: BTreeMap<String, Json> = BTreeMap::new();

impl Json {
    /// Walks down the keys; null where there is nothing.
    pub fn get(&self, keys: &[&str]) -> &Json {
        keys.iter().fold(self, |found, key| found.members().get(*key).unwrap_or(&Json::Null))
    }

    /// Walks down the keys, to change what is there; `None` where nothing is.
    pub fn get_mut(&mut self, keys: &[&str]) -> Option<&mut Json> {
        let mut found = self;
        for key in keys {
            let Json::Object(members) = found else { return None };
            found = members.get_mut(*key)?;
        }
        Some(found)
    }

    /// Takes a member out of an object.
    pub fn remove(&mut self, key: &str) {
        if let Json::Object(members) = self {
            members.remove(key);
        }
    }

    /// Returns the members of an object; none of other values.
    pub fn members(&self) -> &BTreeMap<String, Json> {
        if let Json::Object(members) = self { members } else { &NOTHING }
    }

    /// Reports whether an object has null for a claim template, which then is removed.
    pub fn removes(&self, template: &str) -> bool {
        matches!(self.members().get(template), Some(Json::Null))
    }

    /// Returns the items of an array; none of other values.
    pub fn items(&self) -> &[Json] {
        if let Json::List(items) = self { items } else { &[] }
    }

    /// Returns a text; `None` for other values.
    pub fn text(&self) -> Option<&str> {
        if let Json::Text(text) = self { Some(text) } else { None }
    }

    pub fn is(&self, text: &str) -> bool {
        self.text() == Some(text)
    }

    /// Reports whether a member of an object is missing, or true.
    pub fn is_true_or_none(&self, key: &str) -> bool {
        matches!(self.members().get(key), None | Some(Json::Bool(true)))
    }

    /// Null, or an object without members: older API servers wrote them.
    pub fn is_nothing(&self) -> bool {
        matches!(self, Json::Object(members) if members.is_empty()) || self.is_null()
    }

    pub fn is_null(&self) -> bool {
        matches!(self, Json::Null)
    }

    /// Makes an object.
    pub fn object<const N: usize>(fields: [(&str, Json); N]) -> Json {
        Json::Object(fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// Makes an object of texts.
    pub fn texts(of: &BTreeMap<String, String>) -> Json {
        Json::Object(of.iter().map(|(key, value)| (key.clone(), value.as_str().into())).collect())
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Json::Text(text.to_owned())
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Json::Null, Json::Null) => true,
            (Json::Bool(a), Json::Bool(b)) => a == b,
            (Json::Text(a), Json::Text(b)) => a == b,
            (Json::List(a), Json::List(b)) => a == b,
            (Json::Object(a), Json::Object(b)) => a == b,
            (Json::Number(a), Json::Number(b)) => a == b || is_same_double(a, b),
            _ => false,
        }
    }
}

#[allow(clippy::float_cmp)] // both are what a float64 keeps of a text
fn is_same_double(a: &str, b: &str) -> bool {
    matches!((a.parse::<f64>(), b.parse::<f64>()), (Ok(a), Ok(b)) if a.is_finite() && a == b)
}

/// Returns a key under which two objects differ, in quotes, exceptions aside; `None` if there is none.
///
/// A null member differs from a missing one: in a map of strings it is a key.
pub(crate) fn differing(a: &Json, b: &Json, but: &[&str]) -> Option<String> {
    let (one, other) = (a.members(), b.members());
    let key = one.keys().chain(other.keys()).find(|key| !but.contains(&key.as_str()) && one.get(*key) != other.get(*key));
    key.map(|key| quote(key))
}

/// Quotes a planner's text, and keeps it from filling logs and events.
pub(crate) fn quote(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}", format!("{}...", &text[..end])),
        None => format!("{text:?}"),
    }
}

/// Lays the members of an object over those of another one, at every level.
pub(crate) fn merged(of: &Json, over: &Json) -> Json {
    let (Json::Object(of), Json::Object(over)) = (of, over) else { return over.clone() };
    let mut out = of.clone();
    for (key, value) in over {
        let below = of.get(key).unwrap_or(&Json::Null);
        out.insert(key.clone(), merged(below, value));
    }
    Json::Object(out)
}

#[cfg(test)]
mod tests {
    use super::{Json, parse};

    #[test]
    fn numbers_compare_by_what_they_mean() {
        for (a, b, equal) in
            [("1", "1.0", true), ("1", "2", false), ("1e999", "1e998", false), ("9007199254740993", "9007199254740992", true)]
        {
            assert_eq!(parse(a.as_bytes(), true) == parse(b.as_bytes(), true), equal, "{a} {b}");
        }
    }

    #[test]
    fn documents_are_limited() {
        let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(deep(200).as_bytes(), true).is_ok());
        assert_eq!(parse(deep(202).as_bytes(), true), Err("it is nested too deep".to_owned()));
        assert!(parse(&vec![b' '; 4 << 20], true).is_err_and(|why| why.contains("larger")));
        assert_eq!(parse(br#"{"a":1,"\u0061":2}"#, true), Err("a key stands twice in an object".to_owned()));
        assert_eq!(parse(br#"{"a":1,"\u0061":2}"#, false), Ok(Json::object([("a", Json::Number("2".to_owned()))])));
        assert!(parse(b"{} {}", true).is_err());
    }
}
