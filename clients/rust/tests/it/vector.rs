//! The vectors of the contract, which no code of ours has made.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::{env, fs};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage};
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};
use setplan::v1::{Objects, Plan, PlanRequest};

use crate::servers::root;

static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    let files = ["setplan/v1/service.proto", "setplan/v1/error.proto"];
    DescriptorPool::from_file_descriptor_set(protox::compile(files, [root().join("proto")]).expect("the contract")).expect("a pool")
});

/// Reads a message in protobuf's JSON, which prost does not read, by its descriptor: its bytes.
pub fn bytes_of(message: &str, json: &str) -> Vec<u8> {
    let descriptor = POOL.get_message_by_name(&format!("setplan.v1.{message}")).expect("a message of the contract");
    let mut reader = serde_json::Deserializer::from_str(json);
    DynamicMessage::deserialize(descriptor, &mut reader).expect("protobuf's JSON").encode_to_vec()
}

/// One file.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Vector {
    #[serde(skip)]
    pub name: String,
    #[serde(default)]
    limits: BTreeMap<String, u64>,
    request: Option<Box<RawValue>>,
    request_bytes: Option<String>,
    plan: Option<Box<RawValue>>,
    error: Option<Value>,
    objects: Option<BTreeMap<String, Box<RawValue>>>,
}

impl Vector {
    /// The request, as far as prost knows it.
    pub fn request(&self) -> PlanRequest {
        PlanRequest::decode(self.request_bytes().as_slice()).expect("a request")
    }

    /// What is sent.
    pub fn request_bytes(&self) -> Vec<u8> {
        match &self.request_bytes {
            Some(bytes) => BASE64_STANDARD.decode(bytes).expect("base64"),
            None => bytes_of("PlanRequest", self.request.as_ref().expect("a request").get()),
        }
    }

    /// The set and the other objects, each as a document.
    pub fn documents(&self) -> Option<Vec<String>> {
        let mut others = self.objects.clone()?;
        let set = others.remove("set").expect("a set");
        let lists = others.values().flat_map(|list| serde_json::from_str::<Vec<Box<RawValue>>>(list.get()).expect("a list"));
        Some(std::iter::once(set).chain(lists).map(|object| object.get().to_owned()).collect())
    }

    /// The request with objects in place of the snapshot. Objects cannot say what became of earlier actions, nor why an API server refused
    /// a template.
    pub fn by_objects(&self) -> Option<PlanRequest> {
        let mut documents = self.documents()?;
        let PlanRequest { snapshot, capabilities, .. } = self.request();
        let snapshot = snapshot?;
        let set = snapshot.set?;
        if !snapshot.outcomes.is_empty() || !set.refusal.is_empty() {
            return None;
        }
        let class =
            |name| json!({"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": name}}).to_string();
        documents.extend(snapshot.fixed_storage_classes.iter().map(class));
        let objects = Objects {
            namespace: set.namespace,
            api_version: set.api_version,
            kind: set.kind,
            observed_at: snapshot.observed_at,
            policy: snapshot.policy,
            ..Objects::new(&set.name, documents, snapshot.coverage.unwrap_or_default())
        };
        Some(PlanRequest { capabilities, ..objects.into() })
    }

    /// The plan that comes back, unless an error does.
    pub fn plan(&self) -> Option<Plan> {
        self.plan.as_ref().map(|plan| Plan::decode(bytes_of("Plan", plan.get()).as_slice()).expect("a plan"))
    }

    /// The error, with its code as tonic spells it, in capitals.
    pub fn error(&self) -> Value {
        let mut error = self.error.clone().expect("an error");
        error["code"] = json!(error["code"].as_str().expect("a code").replace('_', ""));
        error
    }

    /// The flags of a server with the limits.
    pub fn flags(&self) -> Vec<String> {
        self.limits
            .iter()
            .map(|(name, value)| format!("--{}={value}", name.replace('M', "-m").replace('B', "-b").replace('P', "-p")))
            .collect()
    }
}

/// Reads all vectors, of `$SETPLAN_VECTORS` where that is set.
pub fn all() -> Vec<Vector> {
    let root = env::var_os("SETPLAN_VECTORS").map_or_else(|| root().join("proto/testdata/vectors"), PathBuf::from);
    let (mut left, mut found) = (vec![root.clone()], Vec::new());
    while let Some(path) = left.pop() {
        if path.is_dir() {
            left.extend(fs::read_dir(path).expect("a folder of vectors").map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|extension| extension == "json") {
            let name = path.strip_prefix(&root).expect("a vector").display().to_string();
            let text = fs::read_to_string(&path).expect("a vector");
            let vector: Vector = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            found.push(Vector { name, ..vector });
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}
