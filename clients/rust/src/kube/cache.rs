use std::collections::{BTreeMap, HashMap};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use futures_util::AsyncBufReadExt;
use kube::core::Status;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use super::api::{Api, ApiError, Resource};
use super::read::list;
use crate::snapshot::{Metadata, Object};

const RETRY: Duration = Duration::from_secs(1);
const GONE: u16 = 410;

/// Is told of each object that was added, changed or deleted.
type Changed<'a> = dyn Fn(&Object) + Send + Sync + 'a;

/// A cache of one kind: what the API server has, in one namespace or in all. The list is as new as the API server is.
pub struct Cache {
    /// What it is a cache of.
    pub resource: Resource,
    path: String,
    state: RwLock<State>,
    filled: watch::Sender<bool>,
}

#[derive(Default)]
struct State {
    objects: HashMap<String, BTreeMap<String, Object>>,
    version: String,
}

#[derive(Deserialize)]
struct Event<'a> {
    r#type: String,
    #[serde(borrow)]
    object: &'a RawValue,
}

impl Cache {
    /// Makes a cache; run it to fill it.
    ///
    /// # Errors
    /// The namespace is not a name.
    pub fn new(resource: Resource, namespace: Option<&str>) -> Result<Self, ApiError> {
        Ok(Self { resource, path: resource.all(namespace)?, state: RwLock::default(), filled: watch::Sender::new(false) })
    }

    /// Returns an object.
    #[must_use]
    pub fn get(&self, namespace: &str, name: &str) -> Option<Object> {
        self.read().objects.get(namespace)?.get(name).cloned()
    }

    /// Lists the objects of a namespace.
    #[must_use]
    pub fn of(&self, namespace: &str) -> Vec<Object> {
        self.read().objects.get(namespace).map_or_else(Vec::new, |here| here.values().cloned().collect())
    }

    /// Lists all objects.
    #[must_use]
    pub fn all(&self) -> Vec<Object> {
        self.read().objects.values().flat_map(BTreeMap::values).cloned().collect()
    }

    /// The newest resource version that was seen.
    #[must_use]
    pub fn version(&self) -> String {
        self.read().version.clone()
    }

    /// The list is there.
    #[must_use]
    pub fn is_filled(&self) -> bool {
        *self.filled.borrow()
    }

    /// Waits until the list is there.
    pub async fn filled(&self) {
        let _ = self.filled.subscribe().wait_for(|filled| *filled).await; // the sender lives as long as this
    }

    /// Keeps the cache current, and never returns. `changed` is told of each object that was added, changed or deleted, and `failed` why a
    /// watch ended.
    pub async fn run(&self, api: &Api, changed: &Changed<'_>, failed: &(dyn Fn(&str) + Send + Sync)) {
        let mut is_listed = false;
        loop {
            let begun = Instant::now();
            let result = if is_listed { self.watch(api, changed).await } else { self.list(api, changed).await };
            match &result {
                Ok(()) if !is_listed => {
                    is_listed = true;
                    continue;
                }
                // The watch goes on from its last version, unless that is what the API server does not want.
                Ok(()) | Err(ApiError::Unavailable(_)) => {}
                Err(_) => is_listed = false,
            }
            if let Err(error) = &result
                && error.code() != GONE
            {
                failed(&format!("the watch of {} ended: {error}", self.resource.kind));
            }
            if result.is_err() || begun.elapsed() < RETRY {
                sleep(RETRY).await;
            }
        }
    }

    async fn list(&self, api: &Api, changed: &Changed<'_>) -> Result<(), ApiError> {
        let (things, version) = list(api, &self.path).await?;
        let mut objects: HashMap<String, BTreeMap<String, Object>> = HashMap::new();
        for thing in things {
            let Metadata { namespace, name, .. } = thing.metadata();
            objects.entry(namespace.clone()).or_default().insert(name.clone(), thing.clone());
        }
        let before = self.all();
        *self.write() = State { objects, version };
        self.filled.send_replace(true);
        for thing in before.iter().chain(&self.all()) {
            changed(thing);
        }
        Ok(())
    }

    async fn watch(&self, api: &Api, changed: &Changed<'_>) -> Result<(), ApiError> {
        let mut lines = api.watch(&self.path, &self.version()).await?;
        let mut line = Vec::new();
        loop {
            line.clear();
            let length = lines.read_until(b'\n', &mut line).await.map_err(|error| ApiError::Unavailable(error.to_string()))?;
            if length == 0 {
                return Ok(());
            }
            // The data of a revision is what somebody has sent, and need not be UTF-8.
            let line = String::from_utf8_lossy(&line);
            let Event { r#type, object } = serde_json::from_str(&line).map_err(|error| ApiError::Malformed(error.into()))?;
            if r#type == "ERROR" {
                let status: Status = serde_json::from_str(object.get()).map_err(|error| ApiError::Malformed(error.into()))?;
                return Err(ApiError::Refused(status.boxed()));
            }
            let thing = Object::parse(object.get())?;
            self.take(&r#type, &thing);
            if r#type != "BOOKMARK" {
                changed(&thing);
            }
        }
    }

    fn take(&self, event: &str, thing: &Object) {
        let Metadata { namespace, name, resource_version, .. } = thing.metadata();
        let mut state = self.write();
        let here = state.objects.entry(namespace.clone()).or_default();
        match event {
            "DELETED" => {
                here.remove(name);
            }
            "ADDED" | "MODIFIED" => {
                here.insert(name.clone(), thing.clone());
            }
            _ => {}
        }
        state.version.clone_from(resource_version);
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}
