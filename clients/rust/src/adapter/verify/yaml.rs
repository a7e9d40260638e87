//! YAML as kubectl reads it: yes and on are true, and a date is a text.

use std::collections::BTreeMap;

use granit_parser::{Event, Parser, ScalarStyle};

use super::json::Json;

const MAX_YAML: usize = 64 << 10; // bytes
const MAX_DEPTH: usize = 200;
const TEXT: &str = "tag:yaml.org,2002:str";

/// Reads a document; null if it cannot be read, or has anchors or aliases, which can make much of little.
pub(super) fn parse_yaml(text: &[u8]) -> Json {
    match std::str::from_utf8(text) {
        Ok(text) if text.len() <= MAX_YAML => document(text).unwrap_or(Json::Null),
        _ => Json::Null,
    }
}

fn document(text: &str) -> Option<Json> {
    let mut events = Vec::new();
    for event in Parser::new_from_str(text) {
        match event.ok()?.0 {
            Event::Comment(..) | Event::StreamStart | Event::StreamEnd => {}
            event => events.push(event),
        }
    }
    let mut events = events.into_iter();
    let Some(Event::DocumentStart(..)) = events.next() else { return None };
    let first = events.next()?;
    let found = node(first, &mut events, 0)?;
    matches!((events.next(), events.next()), (Some(Event::DocumentEnd), None)).then_some(found)
}

fn node<'a>(event: Event<'a>, events: &mut impl Iterator<Item = Event<'a>>, depth: usize) -> Option<Json> {
    if depth > MAX_DEPTH {
        return None;
    }
    match event {
        Event::Scalar(word, style, 0, tag) => match tag {
            None if style == ScalarStyle::Plain => Some(plain(&word)),
            None => Some(Json::Text(word.into_owned())),
            Some(tag) if format!("{}{}", tag.handle(), tag.suffix()) == TEXT => Some(Json::Text(word.into_owned())),
            Some(_) => None,
        },
        Event::SequenceStart(.., 0, _) => {
            let mut items = Vec::new();
            loop {
                match events.next()? {
                    Event::SequenceEnd => return Some(Json::List(items)),
                    event => items.push(node(event, events, depth + 1)?),
                }
            }
        }
        Event::MappingStart(.., 0, _) => {
            let mut members = BTreeMap::new();
            loop {
                let key = match events.next()? {
                    Event::MappingEnd => return Some(Json::Object(members)),
                    Event::Scalar(key, _, 0, _) => key.into_owned(),
                    _ => return None,
                };
                let value = events.next()?;
                members.insert(key, node(value, events, depth + 1)?);
            }
        }
        _ => None,
    }
}

fn plain(word: &str) -> Json {
    match word {
        "" | "~" | "null" | "Null" | "NULL" => Json::Null,
        "true" | "True" | "TRUE" | "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" => Json::Bool(true),
        "false" | "False" | "FALSE" | "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" => Json::Bool(false),
        _ => number(word).map_or_else(|| word.into(), Json::Number),
    }
}

/// Reads a number: octal by a leading zero, with a prefix, with underscores, or a fraction. `None`: it is a text.
fn number(word: &str) -> Option<String> {
    let (sign, digits) = match word.as_bytes().first()? {
        b'-' => ("-", &word[1..]),
        b'+' => ("", &word[1..]),
        _ => ("", word),
    };
    let all = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if sign.is_empty()
        && digits.len() == word.len()
        && digits.len() > 1
        && digits.starts_with('0')
        && all(digits)
        && let Ok(value) = u128::from_str_radix(digits, 8)
    {
        return Some(value.to_string());
    }
    let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let has_digits = (all(whole) || (whole.is_empty() && all(fraction))) && (fraction.is_empty() || all(fraction));
    if has_digits && all(exponent.strip_prefix(['-', '+']).unwrap_or(exponent)) {
        return Some(if mantissa == digits && !digits.contains('.') { whole_number(sign, digits) } else { word.to_owned() });
    }
    let plain = digits.replace('_', "");
    let value = match plain.get(..2) {
        Some("0x") => u128::from_str_radix(&plain[2..], 16).ok()?,
        Some("0o") => u128::from_str_radix(&plain[2..], 8).ok()?,
        Some("0b") => u128::from_str_radix(&plain[2..], 2).ok()?,
        _ if digits.as_bytes().first().is_some_and(u8::is_ascii_digit) && all(&plain) => return Some(whole_number(sign, &plain)),
        _ => return None,
    };
    Some(format!("{sign}{value}"))
}

fn whole_number(sign: &str, digits: &str) -> String {
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() { "0".to_owned() } else { format!("{sign}{digits}") }
}

#[cfg(test)]
mod tests {
    use super::super::json::{Json, parse};
    use super::parse_yaml;

    #[test]
    fn yaml_as_kubectl_reads_it() {
        let cases = [
            ("a: yes\nb: 'yes'\nc: ~\nd: 2020-01-01\ne: on", r#"{"a":true,"b":"yes","c":null,"d":"2020-01-01","e":true}"#),
            ("[010, 0x10, 1_000, +5, .5, 1e3, 089, 0x, 1abc]", r#"[8,16,1000,5,0.5,1000,89,"0x","1abc"]"#),
            ("a: 1\na: 2", r#"{"a":2}"#),
            ("# a comment\na: |\n  text\n", r#"{"a":"text\n"}"#),
            ("a: &x 1", "null"),
            ("a: &x [1]\nb: *x", "null"),
            ("a: !!int '1'", "null"),
            ("a: !own b", "null"),
            ("a: !!str 1", r#"{"a":"1"}"#),
            ("a: 1\n---\na: 2", "null"),
            ("a: [", "null"),
            ("[1] : 2", "null"),
        ];
        for (text, want) in cases {
            assert_eq!(parse_yaml(text.as_bytes()), parse(want.as_bytes(), true).unwrap(), "{text}");
        }
        assert_eq!(parse_yaml("a: ".repeat(30_000).as_bytes()), Json::Null);
    }
}
