use serde::Deserialize;

use super::api::{Api, ApiError, CLAIMS, PODS, REVISIONS, Resource, SETS, object};
use crate::rawjson::nullable;
use crate::snapshot::{Malformed, Object, Objects, items};

const PAGE: usize = 500; // objects in one answer

#[derive(Deserialize)]
struct Page {
    metadata: Place,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Place {
    resource_version: String,
    /// What the next page is asked for with; empty where this is the last.
    #[serde(default, deserialize_with = "nullable")]
    r#continue: String,
}

/// Lists a collection in pages, and its version. A refusal with 410: that took so long that it must begin anew.
pub(super) async fn list(api: &Api, path: &str) -> Result<(Vec<Object>, String), ApiError> {
    let mut things = Vec::new();
    let mut from = String::new();
    loop {
        let answer = api.get(&format!("{path}?limit={PAGE}{from}")).await?;
        let Page { metadata } = serde_json::from_slice(&answer).map_err(Malformed::from)?;
        things.extend(items(answer)?);
        if metadata.r#continue.is_empty() {
            return Ok((things, metadata.resource_version));
        }
        from = format!("&continue={}", escaped(&metadata.r#continue));
    }
}

/// Writes a text as the value of a parameter.
fn escaped(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes().map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// Reads a set of `apps/v1` and what a snapshot of it needs; all kinds are complete.
///
/// # Errors
/// There is no such set, among others.
pub async fn read(api: &Api, namespace: &str, name: &str) -> Result<Objects, ApiError> {
    let all =
        async |resource: Resource| -> Result<Vec<Object>, ApiError> { Ok(list(api, &resource.all(Some(namespace))?).await?.0) };
    Ok(Objects {
        set: object(api.get(&SETS.one(namespace, name)?).await)?,
        pods: all(PODS).await?,
        claims: all(CLAIMS).await?,
        revisions: all(REVISIONS).await?,
        other_sets: all(SETS).await?,
    })
}
