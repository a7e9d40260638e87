use std::collections::BTreeMap;
use std::sync::Arc;
use std::{error, fmt};

use prost_types::Timestamp;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::rawjson::{nullable, read};

/// The text is not what an API server sends.
#[derive(Clone, Debug)]
pub struct Malformed(String);

impl Malformed {
    pub(crate) fn new(why: &dyn fmt::Display) -> Self {
        Self(why.to_string())
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object is not what an API server sends: {}", self.0)
    }
}

impl error::Error for Malformed {}

impl From<serde_json::Error> for Malformed {
    fn from(error: serde_json::Error) -> Self {
        Self::new(&error)
    }
}

/// An object with its text as the API server sent it. A clone shares it.
#[derive(Clone, Debug)]
pub struct Object(Arc<Parsed>);

#[derive(Debug)]
struct Parsed {
    text: Box<str>,
    head: Head,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    #[serde(default, deserialize_with = "nullable")]
    api_version: String,
    #[serde(default, deserialize_with = "nullable")]
    kind: String,
    metadata: Metadata,
}

/// The metadata of an object, as far as it is read. What is not there is empty.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[allow(missing_docs)] // the API server's fields, by its words
pub struct Metadata {
    #[serde(deserialize_with = "nullable")]
    pub name: String,
    #[serde(deserialize_with = "nullable")]
    pub namespace: String,
    #[serde(deserialize_with = "nullable")]
    pub uid: String,
    #[serde(deserialize_with = "nullable")]
    pub resource_version: String,
    #[serde(deserialize_with = "nullable")]
    pub generation: i64,
    #[serde(deserialize_with = "nullable")]
    pub deletion_timestamp: String,
    #[serde(deserialize_with = "nullable")]
    pub creation_timestamp: String,
    #[serde(deserialize_with = "nullable")]
    pub labels: BTreeMap<String, String>,
    #[serde(deserialize_with = "nullable")]
    pub annotations: BTreeMap<String, String>,
    #[serde(deserialize_with = "nullable")]
    pub finalizers: Vec<String>,
    #[serde(deserialize_with = "nullable")]
    pub owner_references: Vec<Owner>,
}

/// An owner reference of an object.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[allow(missing_docs)] // the API server's fields, by its words
pub struct Owner {
    #[serde(deserialize_with = "nullable")]
    pub api_version: String,
    #[serde(deserialize_with = "nullable")]
    pub kind: String,
    #[serde(deserialize_with = "nullable")]
    pub name: String,
    #[serde(deserialize_with = "nullable")]
    pub uid: String,
    #[serde(deserialize_with = "nullable")]
    pub controller: bool,
    #[serde(deserialize_with = "nullable")]
    pub block_owner_deletion: bool,
}

impl Object {
    /// Reads an object. Bytes that are not UTF-8 become U+FFFD, as for the API server's own readers.
    ///
    /// # Errors
    /// It is no JSON, or has no metadata.
    pub fn parse(text: impl AsRef<[u8]>) -> Result<Self, Malformed> {
        let text = String::from_utf8_lossy(text.as_ref());
        let raw: &RawValue = serde_json::from_str(&text)?;
        let head = read(raw.get())?;
        Ok(Self(Arc::new(Parsed { text: raw.get().into(), head })))
    }

    /// The text, unchanged.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The kind's version, such as `apps/v1`.
    #[must_use]
    pub fn api_version(&self) -> &str {
        &self.0.head.api_version
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.0.head.kind
    }

    /// The metadata.
    #[must_use]
    pub fn metadata(&self) -> &Metadata {
        &self.0.head.metadata
    }

    /// The uid of the owner that controls it.
    pub(crate) fn controller(&self) -> Option<&str> {
        self.metadata().owner_references.iter().find(|owner| owner.controller).map(|owner| owner.uid.as_str())
    }

    /// Reads more of it into a type.
    ///
    /// # Errors
    /// A field is of another type.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Malformed> {
        Ok(read(self.text())?)
    }
}

/// Reads a time of the API server, RFC 3339.
pub(super) fn moment(text: &str) -> Result<Option<Timestamp>, Malformed> {
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|error: prost_types::TimestampError| Malformed::new(&error))
}

/// Cuts a text down to a number of bytes; half a character at the end stays out.
pub(super) fn cut(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rfind(|at| text.is_char_boundary(*at));
    &text[..end.unwrap_or(0)]
}

/// Reads a time into the contract's form, milliseconds since the epoch. 0 where there is none.
pub(super) fn millis(text: &str) -> Result<i64, Malformed> {
    Ok(moment(text)?.map_or(0, |at| at.seconds * 1_000 + i64::from(at.nanos) / 1_000_000))
}
