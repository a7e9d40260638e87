use std::future::Future;
use std::sync::Arc;
use std::time::SystemTime;

use http::Method;
use prost_types::Timestamp;
use serde_json::json;

use super::api::{Api, EVENTS};
use super::source::{Source, failed};
use crate::adapter::{Key, SourceError};

const MAX_MESSAGE: usize = 1024; // characters: what an API server takes

/// Raises events about sets, for people (SPEC.md, A17).
pub struct Events {
    api: Api,
    source: Arc<Source>,
    component: String,
}

impl Events {
    /// Raises events about the sets of a source. `component` names the program.
    #[must_use]
    pub fn new(api: Api, source: Arc<Source>, component: &str) -> Self {
        Self { api, source, component: component.to_owned() }
    }

    /// Makes a warning about a set as it is now, and returns what sends it, for a task of its own: nobody has to wait for it.
    ///
    /// `reason` is one word. 1,024 characters of `message` count.
    ///
    /// # Errors
    /// There is no such set, or the API server has not taken the event.
    pub fn warn(&self, key: &Key, reason: &str, message: &str) -> impl Future<Output = Result<(), SourceError>> + Send + use<> {
        let api = self.api.clone();
        let path = EVENTS.all(Some(&key.namespace));
        let event = self.event(key, reason, message);
        async move {
            let sent = api.send(Method::POST, &path.map_err(failed)?, "application/json", event?.into()).await;
            sent.map(drop).map_err(failed)
        }
    }

    fn event(&self, key: &Key, reason: &str, message: &str) -> Result<String, SourceError> {
        let set = self.source.cached(key)?;
        let now = Timestamp { nanos: 0, ..SystemTime::now().into() }.to_string();
        let event = json!({
            "metadata": {"generateName": format!("{}.", key.name), "namespace": key.namespace},
            "involvedObject": {
                "apiVersion": set.api_version(), "kind": set.kind(), "namespace": key.namespace, "name": key.name,
                "uid": set.metadata().uid, "resourceVersion": set.metadata().resource_version,
            },
            "reason": reason, "message": message.chars().take(MAX_MESSAGE).collect::<String>(), "type": "Warning",
            "source": {"component": self.component}, "firstTimestamp": now, "lastTimestamp": now, "count": 1,
        });
        Ok(event.to_string())
    }
}
