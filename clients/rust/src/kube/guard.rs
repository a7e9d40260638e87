use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Deserialize;

use crate::adapter::{Key, SourceError};
use crate::rawjson::nullable;
use crate::snapshot::Object;

const TAKEN_OVER: &str = "setplan.io/taken-over-at";
const MANAGER: &str = "kube-controller-manager";

#[derive(Deserialize)]
struct Fields {
    metadata: Managed,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Managed {
    #[serde(default, deserialize_with = "nullable")]
    managed_fields: Vec<Entry>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Entry {
    manager: String,
    subresource: String,
    time: String,
}

/// Sees when a status is written by the built-in controller: two controllers on one set delete each other's pods (SPEC.md, A15).
///
/// What was written before this process saw the set is history: the set was taken over. The hold ends when the process restarts, or when
/// the annotation `setplan.io/taken-over-at` of the set gets another text.
#[derive(Default)]
pub(super) struct Guard(Mutex<HashMap<Key, Seen>>);

struct Seen {
    uid: String,
    taken: Option<String>,
    writes: HashSet<String>,
}

impl Guard {
    /// Drops what is kept for a set that is gone.
    pub fn forget(&self, key: &Key) {
        self.lock().remove(key);
    }

    /// Looks at a set. An error: nothing may be written to it.
    pub fn check(&self, key: &Key, set: &Object) -> Result<(), SourceError> {
        let Fields { metadata } = set.read().map_err(|error| SourceError::Failed(error.into()))?;
        let written = metadata.managed_fields.into_iter().filter(|entry| entry.subresource == "status" && entry.manager == MANAGER);
        let writes: HashSet<String> = written.map(|entry| entry.time).collect();
        let uid = &set.metadata().uid;
        let taken = set.metadata().annotations.get(TAKEN_OVER);
        let mut seen = self.lock();
        match seen.get(key) {
            Some(before) if before.uid == *uid && before.taken.as_ref() == taken => {
                // A write of ours may wipe the trace, so fewer are no news.
                match writes.iter().find(|time| !before.writes.contains(*time)) {
                    Some(time) => Err(SourceError::Failed(format!("{MANAGER} has written the status of {key} at {time}").into())),
                    None => Ok(()),
                }
            }
            _ => {
                seen.insert(key.clone(), Seen { uid: uid.clone(), taken: taken.cloned(), writes });
                Ok(())
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Seen>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
