use super::api::{Api, ApiError, CLAIMS, PODS, REVISIONS, Resource, SETS, object};
use crate::snapshot::{Object, Objects, items};

/// Reads a set of `apps/v1` and what a snapshot of it needs; all kinds are complete.
///
/// # Errors
/// There is no such set, among others.
pub async fn read(api: &Api, namespace: &str, name: &str) -> Result<Objects, ApiError> {
    let list =
        async |resource: Resource| -> Result<Vec<Object>, ApiError> { Ok(items(api.get(&resource.all(Some(namespace))?).await?)?) };
    Ok(Objects {
        set: object(api.get(&SETS.one(namespace, name)?).await)?,
        pods: list(PODS).await?,
        claims: list(CLAIMS).await?,
        revisions: list(REVISIONS).await?,
        other_sets: list(SETS).await?,
    })
}
