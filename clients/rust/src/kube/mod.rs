//! Reads what a snapshot needs from a cluster, with the credentials of a [`kube::Client`].
//!
//! The calls of the kube crate give objects of Rust's types, in which numbers have lost digits beyond 2^53 and unknown fields are gone.
//! SPEC.md A1 asks for the bytes, so these requests ask for the text.

use std::{error, fmt};

use http::Request;

pub use kube::Client;

use crate::snapshot::{Malformed, Object, Objects, items};

/// A set was not read.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// The API server refused, or gave no answer. Boxed, because it is large.
    Api(Box<kube::Error>),
    /// The answer is not what an API server sends.
    Malformed(Malformed),
    /// A namespace or a name is not a single segment of a path (A20).
    Name(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Api(error) => write!(f, "{error}"),
            Self::Malformed(error) => write!(f, "{error}"),
            Self::Name(name) => write!(f, "the name {name:?} is not a path segment"),
        }
    }
}

impl error::Error for ReadError {}

impl From<Malformed> for ReadError {
    fn from(error: Malformed) -> Self {
        Self::Malformed(error)
    }
}

/// Reads a set of `apps/v1` and what a snapshot of it needs; all kinds are complete.
///
/// # Errors
/// There is no such set, among others.
pub async fn read(client: &Client, namespace: &str, name: &str) -> Result<Objects, ReadError> {
    let folder = |base: &str, plural: &str| Ok::<_, ReadError>(format!("{base}/namespaces/{}/{plural}", segment(namespace)?));
    let sets = folder("/apis/apps/v1", "statefulsets")?;
    let set = get(client, &format!("{sets}/{}", segment(name)?)).await?;
    Ok(Objects {
        set: Object::parse(set)?,
        pods: items(get(client, &folder("/api/v1", "pods")?).await?)?,
        claims: items(get(client, &folder("/api/v1", "persistentvolumeclaims")?).await?)?,
        revisions: items(get(client, &folder("/apis/apps/v1", "controllerrevisions")?).await?)?,
        other_sets: items(get(client, &sets).await?)?,
    })
}

async fn get(client: &Client, path: &str) -> Result<String, ReadError> {
    let request = Request::get(path).body(Vec::new()).map_err(|_| ReadError::Name(path.to_owned()))?;
    client.request_text(request).await.map_err(|error| ReadError::Api(Box::new(error)))
}

fn segment(name: &str) -> Result<&str, ReadError> {
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~:".contains(&byte));
    if !is_name || ["", ".", ".."].contains(&name) {
        return Err(ReadError::Name(name.chars().take(80).collect()));
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::segment;

    #[test]
    fn a_name_is_one_segment() {
        for name in ["web", "web-0", "a.b", "system:node"] {
            assert_eq!(segment(name).unwrap(), name);
        }
        for name in ["", ".", "..", "a/b", "a%2fb", "a?b", "a#b", "a b", "a\\b", "é"] {
            assert!(segment(name).is_err(), "{name}");
        }
    }
}
