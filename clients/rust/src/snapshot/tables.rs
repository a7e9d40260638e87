use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use prost::Message;

use super::object::Owner;
use crate::v1::{self, AnnotationSet, ClaimStorage, LabelSet, OwnerReference, OwnerSet, VolumeSet};

const ANNOTATION_PREFIX: &str = "setplan.io/";

type Texts = BTreeMap<String, String>;

/// The tables of a snapshot: what pods, claims and revisions share is sent once. The first entry of each table is empty, so that index
/// 0, the value of an unset field, means none.
#[derive(Default)]
pub(super) struct Tables {
    /// The tables so far.
    pub message: v1::Tables,
    labels: HashMap<Texts, u32>,
    owners: HashMap<Vec<OwnerReference>, u32>,
    revisions: HashMap<String, u32>,
    volumes: HashMap<Vec<String>, u32>,
    annotations: HashMap<Texts, u32>,
    storages: HashMap<Vec<u8>, u32>,
}

impl Tables {
    /// Returns the index of these labels.
    pub fn labels(&mut self, labels: Texts) -> u32 {
        let is_none = labels.is_empty();
        at(&mut self.message.label_sets, &mut self.labels, labels, is_none, |labels| LabelSet { labels })
    }

    /// Returns the index of these owner references, in the object's order.
    pub fn owners(&mut self, references: &[Owner]) -> u32 {
        let owners = references.iter().map(reference).collect();
        at(&mut self.message.owner_sets, &mut self.owners, owners, references.is_empty(), |owners| OwnerSet { owners })
    }

    /// Returns the index of the value of the label controller-revision-hash; `None` is a pod without the label.
    pub fn revision_name(&mut self, name: Option<String>) -> u32 {
        let is_none = name.is_none();
        at(&mut self.message.revision_names, &mut self.revisions, name.unwrap_or_default(), is_none, |name| name)
    }

    /// Returns the index of these volumes.
    pub fn volumes(&mut self, volumes: Vec<String>) -> u32 {
        let is_none = volumes.is_empty();
        at(&mut self.message.volume_sets, &mut self.volumes, volumes, is_none, |volumes| VolumeSet { volumes })
    }

    /// Returns the index of those annotations that a snapshot carries: all under our prefix, known or not, and no others (D5).
    pub fn annotations(&mut self, annotations: &Texts) -> u32 {
        let ours: Texts =
            annotations.iter().filter(|(key, _)| key.starts_with(ANNOTATION_PREFIX)).map(|(k, v)| (k.clone(), v.clone())).collect();
        let is_none = ours.is_empty();
        at(&mut self.message.annotation_sets, &mut self.annotations, ours, is_none, |annotations| AnnotationSet { annotations })
    }

    /// Returns the index of what a claim asks for and has.
    pub fn claim_storage(&mut self, storage: ClaimStorage) -> u32 {
        let key = storage.encode_to_vec();
        let is_none = key.is_empty();
        at(&mut self.message.claim_storages, &mut self.storages, key, is_none, |_| storage)
    }
}

fn reference(owner: &Owner) -> OwnerReference {
    OwnerReference {
        api_version: owner.api_version.clone(),
        kind: owner.kind.clone(),
        name: owner.name.clone(),
        uid: owner.uid.clone(),
        controller: owner.controller,
        block_owner_deletion: owner.block_owner_deletion,
    }
}

/// Returns the place of an entry, which is made where there is none yet.
fn at<K: Clone + Eq + Hash, T: Default>(
    table: &mut Vec<T>,
    places: &mut HashMap<K, u32>,
    key: K,
    is_none: bool,
    entry: impl FnOnce(K) -> T,
) -> u32 {
    if is_none {
        return 0;
    }
    if let Some(place) = places.get(&key) {
        return *place;
    }
    if table.is_empty() {
        table.push(T::default());
    }
    let place = u32::try_from(table.len()).unwrap_or(u32::MAX);
    table.push(entry(key.clone()));
    places.insert(key, place);
    place
}
