use std::collections::{BTreeSet, HashSet};
use std::time::SystemTime;

use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::api::{Api, ApiError, CLAIMS, PODS, REVISIONS, Resource, SETS, object};
use super::cache::Cache;
use super::guard::Guard;
use crate::adapter::{self, Key, SetIdentity, SourceError, Write, neighbours_of, policy_of};
use crate::rawjson::nullable;
use crate::snapshot::{Metadata, Object, Objects, claim_templates, neighbours, of, revisions};
use crate::v1::{Coverage, Snapshot};

/// Reads sets from the caches of sets, pods, claims and revisions, in one namespace or in all, or from the API server if required.
pub struct Source {
    /// The cache of sets.
    pub sets: Cache,
    /// The cache of pods.
    pub pods: Cache,
    /// The cache of claims.
    pub claims: Cache,
    /// The cache of revisions.
    pub revisions: Cache,
    api: Api,
    guard: Guard,
}

#[derive(Deserialize)]
struct Stored {
    #[serde(default, deserialize_with = "nullable")]
    status: Status,
}

#[derive(Default, Deserialize)]
struct Status {
    #[serde(default, deserialize_with = "nullable")]
    conditions: Vec<Box<RawValue>>,
}

impl Source {
    /// Makes the caches; run them to fill them.
    ///
    /// # Errors
    /// The namespace is not a name.
    pub fn new(api: Api, namespace: Option<&str>) -> Result<Self, ApiError> {
        Ok(Self {
            sets: Cache::new(SETS, namespace)?,
            pods: Cache::new(PODS, namespace)?,
            claims: Cache::new(CLAIMS, namespace)?,
            revisions: Cache::new(REVISIONS, namespace)?,
            api,
            guard: Guard::default(),
        })
    }

    /// Keeps the caches current, and never returns. `changed` is told of the sets that something has changed for, and `failed` why a
    /// watch ended.
    pub async fn run(&self, changed: &(dyn Fn(Key) + Send + Sync), failed: &(dyn Fn(&str) + Send + Sync)) {
        let caches = self.caches().map(|cache| async move {
            let told = |thing: &Object| self.concerned(cache.resource, thing).into_iter().for_each(changed);
            cache.run(&self.api, &told, failed).await;
        });
        join_all(caches).await;
    }

    /// Lists the sets that an object may concern: its owners, by its name, of a claim those that might use it, and of a set those with
    /// the same claim names, which may go on when it is gone.
    fn concerned(&self, resource: Resource, thing: &Object) -> HashSet<Key> {
        let metadata = thing.metadata();
        let key = |name: &str| Key { namespace: metadata.namespace.clone(), name: name.to_owned() };
        if resource == SETS {
            let past = self.revisions.of(&metadata.namespace);
            let neighbours = neighbours(thing, &self.candidates(thing), &past).unwrap_or_default();
            return neighbours.iter().map(|one| key(&one.set)).chain([key(&metadata.name)]).collect();
        }
        let mut keys: HashSet<Key> = metadata.owner_references.iter().map(|owner| key(&owner.name)).collect();
        let Some((base, _)) = metadata.name.rsplit_once('-') else { return keys };
        if resource == CLAIMS {
            keys.extend(self.users(&metadata.namespace, &[base.to_owned()]).iter().map(|set| key(&set.metadata().name)));
        } else {
            keys.insert(key(base));
        }
        keys
    }

    /// Lists the sets that might have the claim names of a set, itself among them: to ask all of a namespace takes long where it has
    /// thousands.
    fn candidates(&self, set: &Object) -> Vec<Object> {
        let Metadata { namespace, name, .. } = set.metadata();
        let past = self.revisions.of(namespace);
        let templates = claim_templates(set, &revisions(set, &past)).unwrap_or_default();
        self.users(namespace, &templates.iter().map(|template| format!("{template}-{name}")).collect::<Vec<String>>())
    }

    /// Lists the sets that might use the claims of these names, which are without an ordinal: a dash is before a set's own name.
    fn users(&self, namespace: &str, bases: &[String]) -> Vec<Object> {
        let mut names = BTreeSet::new();
        for base in bases {
            names.extend(base.match_indices('-').map(|(at, _)| &base[at + 1..]));
        }
        names.into_iter().filter_map(|name| self.sets.get(namespace, name)).collect()
    }

    /// Waits until all caches have their lists.
    ///
    /// These are as new as the call of [`Source::run`]: what an earlier process wrote is in them.
    pub async fn filled(&self) {
        join_all(self.caches().map(Cache::filled)).await;
    }

    /// Returns a set as the API server sent it.
    ///
    /// # Errors
    /// There is no such set.
    pub fn cached(&self, key: &Key) -> Result<Object, SourceError> {
        self.sets.get(&key.namespace, &key.name).ok_or(SourceError::Gone)
    }

    /// Returns the conditions of a set as stored at a resource version; `None` if the cache has another one.
    pub(super) fn conditions(&self, key: &Key, version: &str) -> Option<Vec<Box<RawValue>>> {
        let set = self.cached(key).ok().filter(|set| set.metadata().resource_version == version)?;
        Some(serde_json::from_str::<Stored>(set.text()).ok()?.status.conditions)
    }

    fn checked(&self, key: &Key) -> Result<Object, SourceError> {
        let set = self.cached(key).inspect_err(|_| self.guard.forget(key))?;
        self.guard.check(key, &set)?;
        Ok(set)
    }

    fn caches(&self) -> [&Cache; 4] {
        [&self.sets, &self.pods, &self.claims, &self.revisions]
    }

    fn cache(&self, kind: &str) -> Option<&Cache> {
        self.caches().into_iter().find(|cache| cache.resource.kind == kind)
    }
}

impl adapter::Source for Source {
    fn snapshot(&self, key: &Key) -> Result<Snapshot, SourceError> {
        let Self { pods, claims, revisions, .. } = self;
        // What is complete is asked before the lists are read: they only get newer.
        let coverage = Coverage {
            pods: pods.is_filled(),
            claims: claims.is_filled(),
            revisions: revisions.is_filled(),
            pods_version: pods.version(),
            claims_version: claims.version(),
            revisions_version: revisions.version(),
        };
        let observed_at = SystemTime::now();
        let set = self.checked(key)?;
        let objects = Objects {
            pods: pods.of(&key.namespace),
            claims: claims.of(&key.namespace),
            revisions: revisions.of(&key.namespace),
            other_sets: self.candidates(&set),
            set,
        };
        of(&objects, coverage, observed_at).map_err(|error| SourceError::Failed(error.into()))
    }

    fn set(&self, key: &Key) -> Result<SetIdentity, SourceError> {
        let set = self.checked(key)?;
        let past = self.revisions.of(&key.namespace);
        let found = neighbours(&set, &self.candidates(&set), &past).map_err(|error| SourceError::Failed(error.into()))?;
        Ok(SetIdentity { neighbours: neighbours_of(&found), ..identity(&set) })
    }

    async fn live_set(&self, key: &Key) -> Result<SetIdentity, SourceError> {
        let path = SETS.one(&key.namespace, &key.name).map_err(failed)?;
        match object(self.api.get(&path).await) {
            Ok(set) => Ok(identity(&set)),
            Err(error) if error.is_not_found() => Err(SourceError::Gone),
            Err(error) => Err(failed(error)),
        }
    }

    /// A write is shown when the cache has read its kind up to it, whatever became of the object since: one that was deleted right
    /// after we created it may never show.
    fn observed(&self, key: &Key, write: &Write) -> bool {
        let Some(cache) = self.cache(&write.kind) else { return false };
        let found = cache.get(&key.namespace, &write.name);
        let metadata = found.as_ref().map(Object::metadata);
        if write.deleted {
            return metadata.is_none_or(|metadata| !metadata.deletion_timestamp.is_empty() || metadata.uid != write.uid);
        }
        let wanted = &write.resource_version;
        is_at_least(&cache.version(), wanted) || metadata.is_some_and(|metadata| is_at_least(&metadata.resource_version, wanted))
    }

    /// The cache is read second, so that what it has shown meanwhile counts.
    async fn current(&self, key: &Key, write: &Write) -> Result<bool, SourceError> {
        let cache =
            self.cache(&write.kind).ok_or_else(|| SourceError::Failed(format!("there is no cache of {}", write.kind).into()))?;
        let path = cache.resource.one(&key.namespace, &write.name).map_err(failed)?;
        let live = match object(self.api.get(&path).await) {
            Ok(live) => Some(live),
            Err(error) if error.is_not_found() => None,
            Err(error) => return Err(failed(error)),
        };
        Ok(version(live.as_ref()) == version(cache.get(&key.namespace, &write.name).as_ref()))
    }
}

pub(super) fn failed(error: ApiError) -> SourceError {
    SourceError::Failed(error.into())
}

fn identity(set: &Object) -> SetIdentity {
    let metadata = set.metadata();
    SetIdentity {
        uid: metadata.uid.clone(),
        generation: metadata.generation,
        policy: policy_of(&metadata.annotations),
        deleting: !metadata.deletion_timestamp.is_empty(),
        neighbours: String::new(),
    }
}

fn version(thing: Option<&Object>) -> Option<(String, String)> {
    thing.map(|thing| (thing.metadata().uid.clone(), thing.metadata().resource_version.clone()))
}

/// Compares versions of one kind. Versions that are no numbers can only be equal.
fn is_at_least(seen: &str, wanted: &str) -> bool {
    match (seen.parse::<u128>(), wanted.parse::<u128>()) {
        (Ok(seen), Ok(wanted)) => seen >= wanted,
        _ => seen == wanted,
    }
}
