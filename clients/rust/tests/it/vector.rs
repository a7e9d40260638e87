//! The vectors of the contract, which no code of ours has made.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use prost::Message;
use serde::Deserialize;
use serde_json::value::RawValue;
use setplan::snapshot::{Object, Objects};
use setplan::v1::{Plan, PlanRequest};

use crate::proto::{bytes_of, from_json};
use crate::servers::root;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Content {
    #[serde(default)]
    limits: BTreeMap<String, u64>,
    pub objects: Option<Listed>,
    request: Option<Box<RawValue>>,
    request_bytes: Option<String>,
    pub plan: Option<Box<RawValue>>,
    pub error: Option<serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    set: Box<RawValue>,
    #[serde(default)]
    pods: Vec<Box<RawValue>>,
    #[serde(default)]
    claims: Vec<Box<RawValue>>,
    #[serde(default)]
    revisions: Vec<Box<RawValue>>,
    #[serde(default)]
    other_sets: Vec<Box<RawValue>>,
}

/// One file.
pub struct Vector {
    pub name: String,
    pub content: Content,
}

impl Vector {
    /// The request, as far as prost knows it.
    pub fn request(&self) -> PlanRequest {
        PlanRequest::decode(self.request_bytes().as_slice()).expect("a request")
    }

    /// What is sent.
    pub fn request_bytes(&self) -> Vec<u8> {
        match &self.content.request_bytes {
            Some(bytes) => BASE64_STANDARD.decode(bytes).expect("base64"),
            None => bytes_of("PlanRequest", self.content.request.as_ref().expect("a request").get()),
        }
    }

    /// The plan that comes back.
    pub fn plan(&self) -> Plan {
        from_json("Plan", self.content.plan.as_ref().expect("a plan").get())
    }

    /// The flags of a server with the limits.
    pub fn flags(&self) -> Vec<String> {
        self.content.limits.iter().map(|(name, value)| format!("--{}={value}", flag(name))).collect()
    }
}

fn flag(name: &str) -> String {
    let mut flag = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            flag.push('-');
        }
        flag.push(c.to_ascii_lowercase());
    }
    flag
}

impl Listed {
    /// The objects that become the request, as they stand in the file.
    pub fn objects(&self) -> Objects {
        let object = |text: &RawValue| Object::parse(text.get()).expect("an object");
        let all = |texts: &[Box<RawValue>]| texts.iter().map(|text| object(text)).collect();
        Objects {
            set: object(&self.set),
            pods: all(&self.pods),
            claims: all(&self.claims),
            revisions: all(&self.revisions),
            other_sets: all(&self.other_sets),
        }
    }
}

/// Reads all vectors.
pub fn all() -> Vec<Vector> {
    let root = root().join("proto/testdata/vectors");
    let mut found = Vec::new();
    read(&root, &root, &mut found);
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

fn read(root: &Path, folder: &Path, found: &mut Vec<Vector>) {
    for entry in fs::read_dir(folder).expect("a folder of vectors") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read(root, &path, found);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            let name = path.strip_prefix(root).expect("a vector").display().to_string();
            let text = fs::read_to_string(&path).expect("a vector");
            found.push(Vector { content: serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}")), name });
        }
    }
}
