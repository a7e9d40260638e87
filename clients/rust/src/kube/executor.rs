use std::collections::BTreeMap;
use std::sync::Arc;

use http::Method;
use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

use super::api::{Api, ApiError, CLAIMS, PODS, REVISIONS, Resource, SETS, object};
use super::source::Source;
use crate::adapter::verify::json::{Json, parse};
use crate::adapter::{self, ActionResult, Key, Write};
use crate::snapshot::{Malformed, Object};
use crate::v1::action::Operation;
use crate::v1::{
    Action, Capability, Condition, ContainerImage, ContainerResize, OutcomeResult, OwnerReference, PatchClaim, SetFinalizer,
    StatefulSetStatus,
};

const JSON: &str = "application/json";
const MERGE: &str = "application/merge-patch+json";
const STRATEGIC: &str = "application/strategic-merge-patch+json";

const CONFLICT: u16 = 409;
const INVALID: u16 = 422;
const REJECTED: [u16; 7] = [400, 401, 403, 404, 405, 413, 422];

/// What the executor can do.
pub const CAPABILITIES: [Capability; 22] = [
    Capability::CreatePod,
    Capability::DeletePod,
    Capability::EvictPod,
    Capability::PatchPod,
    Capability::AdoptPod,
    Capability::ReleasePod,
    Capability::CreateClaim,
    Capability::SetClaimOwners,
    Capability::CreateRevision,
    Capability::RenumberRevision,
    Capability::AdoptRevision,
    Capability::DeleteRevision,
    Capability::UpdateStatus,
    Capability::PatchAnnotations,
    Capability::DeleteClaim,
    Capability::PatchClaim,
    Capability::AddClaimTemplates,
    Capability::UpdatePod,
    Capability::UpdateImages,
    Capability::ResizePod,
    Capability::SetFinalizer,
    Capability::SetConditions,
];

/// Writes through the API server, which checks each precondition together with the write (SPEC.md, A8).
pub struct Executor {
    api: Api,
    source: Arc<Source>,
}

impl Executor {
    /// A patch replaces whole lists, so a write of one condition repeats the others: it needs to know what is stored.
    #[must_use]
    pub fn new(api: Api, source: Arc<Source>) -> Self {
        Self { api, source }
    }
}

impl adapter::Executor for Executor {
    async fn apply(&self, key: &Key, action: &Action) -> ActionResult {
        let kind = action.target.as_ref().map_or("", |target| &target.kind);
        let name = action.target.as_ref().map_or("", |target| &target.name);
        let Some(resource) = [PODS, CLAIMS, REVISIONS, SETS].into_iter().find(|one| one.kind == kind) else {
            return ActionResult::failed(format!("this adapter does not write to the kind {kind}"), OutcomeResult::Error);
        };
        let call = Call { api: &self.api, source: &self.source, key, action, resource, name };
        call.run().await.unwrap_or_else(|failure| match failure {
            Failure::Api(error) => ActionResult::failed(&error, outcome(&error)),
            Failure::Conflict(why) => ActionResult::failed(why, OutcomeResult::Conflict),
            Failure::Plan(why) => ActionResult::failed(why, OutcomeResult::Error),
        })
    }
}

enum Failure {
    Api(ApiError),
    /// The world has moved.
    Conflict(String),
    /// The plan makes no sense here.
    Plan(&'static str),
}

impl<E: Into<ApiError>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Api(error.into())
    }
}

impl From<serde_json::Error> for ApiError {
    fn from(error: serde_json::Error) -> Self {
        Self::Malformed(Malformed::from(error))
    }
}

/// One action under way.
struct Call<'a> {
    api: &'a Api,
    source: &'a Source,
    key: &'a Key,
    action: &'a Action,
    resource: Resource,
    name: &'a str,
}

impl Call<'_> {
    async fn run(&self) -> Result<ActionResult, Failure> {
        let Some(operation) = &self.action.operation else { return Err(Failure::Plan("this adapter does not know the operation")) };
        match operation {
            Operation::CreatePod(body) => self.create(&body.manifest).await,
            Operation::CreateClaim(body) => self.create(&body.manifest).await,
            Operation::CreateRevision(body) => self.create(&body.manifest).await,
            Operation::DeletePod(_) | Operation::DeleteClaim(_) | Operation::DeleteRevision(_) => self.delete().await,
            Operation::EvictPod(_) => self.evict().await,
            Operation::PatchPod(body) => {
                let mut patch = self.patch()?;
                if !body.labels.is_empty() {
                    patch["metadata"]["labels"] = json!(body.labels);
                }
                if !body.claims.is_empty() {
                    let volume =
                        |of: &crate::v1::ClaimBinding| json!({"name": of.volume, "persistentVolumeClaim": {"claimName": of.claim}});
                    patch["spec"] = json!({"volumes": body.claims.iter().map(volume).collect::<Vec<Value>>()});
                }
                self.patched(STRATEGIC, "", patch.to_string()).await
            }
            Operation::UpdatePod(body) => {
                let mut patch = self.patch()?;
                patch["metadata"]["labels"] = merging(&body.labels, &body.remove_labels);
                patch["metadata"]["annotations"] = merging(&body.annotations, &body.remove_annotations);
                if body.containers.is_empty() && body.init_containers.is_empty() {
                    return self.patched(MERGE, "", patch.to_string()).await;
                }
                set_images(&mut patch, "containers", &body.containers);
                set_images(&mut patch, "initContainers", &body.init_containers);
                self.patched(STRATEGIC, "", patch.to_string()).await // which finds containers by their names
            }
            // A pod itself takes no such change. API servers before 1.33 do not have the subresource.
            Operation::ResizePod(body) => {
                let mut patch = self.patch()?;
                patch["spec"] = json!({});
                set_resources(&mut patch, "containers", &body.containers);
                set_resources(&mut patch, "initContainers", &body.init_containers);
                self.patched(STRATEGIC, "/resize", patch.to_string()).await
            }
            Operation::AdoptPod(body) => self.adopt(body.owner.as_ref()).await,
            Operation::AdoptRevision(body) => self.adopt(body.owner.as_ref()).await,
            Operation::ReleasePod(body) => self.release(&body.owner_uid).await,
            Operation::SetClaimOwners(body) => {
                let mut patch = self.patch()?;
                patch["metadata"]["ownerReferences"] = body.owners.iter().map(owner).collect();
                self.patched(MERGE, "", patch.to_string()).await
            }
            Operation::PatchClaim(body) => self.patched(MERGE, "", claim_patch(self.patch()?, body).to_string()).await,
            Operation::RenumberRevision(body) => {
                let mut patch = self.patch()?;
                patch["revision"] = json!(body.number);
                self.patched(MERGE, "", patch.to_string()).await
            }
            Operation::PatchAnnotations(body) => {
                let mut patch = self.patch()?;
                patch["metadata"]["annotations"] = merging(&body.set, &body.remove);
                self.patched(MERGE, "", patch.to_string()).await
            }
            Operation::UpdateStatus(body) => self.status(body.status.as_ref()).await,
            Operation::SetFinalizer(body) => self.finalizer(body).await,
        }
    }

    async fn create(&self, manifest: &[u8]) -> Result<ActionResult, Failure> {
        let path = self.resource.all(Some(&self.key.namespace))?;
        let error = match object(self.api.send(Method::POST, &path, JSON, manifest.to_vec()).await) {
            Ok(made) => return Ok(self.written(&made)),
            Err(error) => error,
        };
        let exists = matches!(&error, ApiError::Refused(status) if status.reason == "AlreadyExists");
        if !exists || self.resource == CLAIMS {
            return Err(error.into());
        }
        // An earlier answer may have been lost (A9).
        let live = self.get().await?;
        if is_ours(self.resource, &Object::parse(manifest)?, &live) { Ok(self.written(&live)) } else { Err(error.into()) }
    }

    async fn delete(&self) -> Result<ActionResult, Failure> {
        let preconditions = self.identity()?;
        let options = json!({"apiVersion": "v1", "kind": "DeleteOptions", "preconditions": preconditions});
        self.take_away(Method::DELETE, &self.path()?, &options).await
    }

    /// Deletes a pod if its disruption budget allows it. It is asked once: the planner says when to ask again.
    async fn evict(&self) -> Result<ActionResult, Failure> {
        let eviction = json!({"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": self.name},
            "deleteOptions": {"preconditions": self.identity()?}});
        self.take_away(Method::POST, &format!("{}/eviction", self.path()?), &eviction).await
    }

    async fn take_away(&self, method: Method, path: &str, body: &Value) -> Result<ActionResult, Failure> {
        match self.api.send(method, path, JSON, body.to_string().into()).await {
            Err(error) if !error.is_not_found() => return Err(error.into()),
            _ => {}
        }
        let uid = self.action.precondition.as_ref().map_or("", |precondition| &precondition.uid);
        let (kind, name) = (self.resource.kind.to_owned(), self.name.to_owned());
        Ok(ActionResult::written(Write { kind, name, uid: uid.to_owned(), deleted: true, ..Write::default() }))
    }

    /// Makes the new owner the first: a strategic merge patch tells owners apart by uid, and keeps the others.
    async fn adopt(&self, by: Option<&OwnerReference>) -> Result<ActionResult, Failure> {
        let mut patch = self.patch()?;
        patch["metadata"]["ownerReferences"] = by.into_iter().map(owner).collect();
        self.patched(STRATEGIC, "", patch.to_string()).await
    }

    /// Removes an owner. If the pod is gone, was replaced, or has no such owner, there is nothing to do.
    async fn release(&self, uid: &str) -> Result<ActionResult, Failure> {
        let mut patch = self.patch()?;
        patch["metadata"]["ownerReferences"] = json!([{"$patch": "delete", "uid": uid}]);
        match self.sent(STRATEGIC, "", patch.to_string()).await {
            Err(Failure::Api(error)) if error.is_not_found() || error.code() == INVALID => Ok(ActionResult::default()),
            result => result,
        }
    }

    /// Writes the fields that are set, zeros included, and leaves the rest of the status alone (A13).
    async fn status(&self, status: Option<&StatefulSetStatus>) -> Result<ActionResult, Failure> {
        let status = status.ok_or(Failure::Plan("the plan updates the status with nothing"))?;
        let mut fields: BTreeMap<&str, Box<RawValue>> = BTreeMap::new();
        let numbers = [
            ("observedGeneration", status.observed_generation),
            ("replicas", status.replicas.map(i64::from)),
            ("readyReplicas", status.ready_replicas.map(i64::from)),
            ("availableReplicas", status.available_replicas.map(i64::from)),
            ("currentReplicas", status.current_replicas.map(i64::from)),
            ("updatedReplicas", status.updated_replicas.map(i64::from)),
            ("collisionCount", status.collision_count.map(i64::from)),
        ];
        for (field, number) in numbers {
            if let Some(number) = number {
                fields.insert(field, to_raw_value(&number)?);
            }
        }
        for (field, name) in [("currentRevision", &status.current_revision), ("updateRevision", &status.update_revision)] {
            if let Some(name) = name {
                fields.insert(field, to_raw_value(name)?);
            }
        }
        if !status.conditions.is_empty() {
            let version = self.action.precondition.as_ref().map_or("", |precondition| &precondition.resource_version);
            let stored = self.source.conditions(self.key, version);
            let stored = stored.ok_or_else(|| Failure::Conflict(format!("{} has changed since the plan was made", self.key)))?;
            fields.insert("conditions", to_raw_value(&merged(stored, &status.conditions)?)?);
        }
        if fields.is_empty() {
            return Err(Failure::Plan("the plan updates the status with nothing"));
        }
        let metadata = to_raw_value(&self.identity()?)?;
        let patch = BTreeMap::from([("metadata", metadata), ("status", to_raw_value(&fields)?)]);
        self.patched(MERGE, "/status", serde_json::to_string(&patch)?).await
    }

    /// Changes one finalizer: reads the list, and writes it back at the version that was read (A19).
    async fn finalizer(&self, SetFinalizer { finalizer, present }: &SetFinalizer) -> Result<ActionResult, Failure> {
        let live = match self.get().await {
            Ok(live) => live,
            Err(error) if error.is_not_found() && !present => return Ok(ActionResult::default()),
            Err(error) if error.is_not_found() => return Err(Failure::Conflict(error.to_string())),
            Err(error) => return Err(error.into()),
        };
        let metadata = live.metadata();
        let wanted = self.action.precondition.as_ref().map_or("", |precondition| &precondition.uid);
        if metadata.uid != wanted {
            return Err(Failure::Conflict(format!("the set has uid {}, the action is for {wanted}", metadata.uid)));
        }
        if metadata.finalizers.contains(finalizer) == *present {
            return Ok(self.written(&live));
        }
        let others = metadata.finalizers.iter().filter(|one| *one != finalizer);
        let finalizers: Vec<&String> = others.chain(present.then_some(finalizer)).collect();
        let patch = json!({"metadata": {
            "uid": metadata.uid, "resourceVersion": metadata.resource_version, "finalizers": finalizers,
        }});
        self.patched(MERGE, "", patch.to_string()).await
    }

    /// Begins a patch with the metadata by which the API server checks the precondition.
    fn patch(&self) -> Result<Value, Failure> {
        Ok(json!({"metadata": self.identity()?}))
    }

    /// Returns that metadata. The API server refuses another uid as the change of an immutable field, and another resource version as a
    /// conflict.
    fn identity(&self) -> Result<Value, Failure> {
        let precondition = self.action.precondition.as_ref().filter(|precondition| !precondition.uid.is_empty());
        let precondition = precondition.ok_or(Failure::Plan("the action names no uid"))?;
        if precondition.resource_version.is_empty() {
            return Ok(json!({"uid": precondition.uid}));
        }
        Ok(json!({"uid": precondition.uid, "resourceVersion": precondition.resource_version}))
    }

    /// Changes exactly the object that the planner saw. If it is gone, that is a conflict; that the API server lacks the path is none.
    async fn patched(&self, content_type: &str, subresource: &str, patch: String) -> Result<ActionResult, Failure> {
        match self.sent(content_type, subresource, patch).await {
            Err(Failure::Api(error)) if error.is_not_found() && !error.has_no_such_path() => {
                Err(Failure::Conflict(error.to_string()))
            }
            result => result,
        }
    }

    async fn sent(&self, content_type: &str, subresource: &str, patch: String) -> Result<ActionResult, Failure> {
        let at = format!("{}{subresource}", self.path()?);
        let changed = object(self.api.send(Method::PATCH, &at, content_type, patch.into()).await)?;
        Ok(self.written(&changed))
    }

    async fn get(&self) -> Result<Object, ApiError> {
        object(self.api.get(&self.path()?).await)
    }

    fn path(&self) -> Result<String, ApiError> {
        self.resource.one(&self.key.namespace, self.name)
    }

    fn written(&self, thing: &Object) -> ActionResult {
        let metadata = thing.metadata();
        ActionResult::written(Write {
            kind: self.resource.kind.to_owned(),
            name: metadata.name.clone(),
            uid: metadata.uid.clone(),
            resource_version: metadata.resource_version.clone(),
            deleted: false,
        })
    }
}

/// Writes an owner. Absent and false mean the same, and most writers leave the field out.
fn owner(of: &OwnerReference) -> Value {
    let mut owner = json!({"apiVersion": of.api_version, "kind": of.kind, "name": of.name, "uid": of.uid});
    if of.controller {
        owner["controller"] = json!(true);
    }
    if of.block_owner_deletion {
        owner["blockOwnerDeletion"] = json!(true);
    }
    owner
}

#[derive(Deserialize)]
struct Typed {
    #[serde(default)]
    r#type: String,
}

/// Replaces conditions by the wanted ones of the same type, and keeps the text of the others.
fn merged(mut stored: Vec<Box<RawValue>>, wanted: &[Condition]) -> Result<Vec<Box<RawValue>>, serde_json::Error> {
    for of in wanted {
        let mut condition = json!({"type": of.r#type, "status": of.status, "reason": of.reason, "message": of.message});
        if let Some(at) = of.last_transition_time {
            condition["lastTransitionTime"] = json!(prost_types::Timestamp { nanos: 0, ..at }.to_string());
        }
        let text = to_raw_value(&condition)?;
        let is_same = |one: &RawValue| serde_json::from_str::<Typed>(one.get()).is_ok_and(|one| one.r#type == of.r#type);
        match stored.iter().position(|one| is_same(one)) {
            Some(place) => stored[place] = text,
            None => stored.push(text),
        }
    }
    Ok(stored)
}

/// Reports whether what exists is what an earlier attempt has made: the same controller, and of a revision the same data.
fn is_ours(resource: Resource, manifest: &Object, live: &Object) -> bool {
    let ours = manifest.controller();
    if ours.is_none() || ours != live.controller() {
        return false;
    }
    let data = |of: &Object| parse(of.text().as_bytes(), false).map_or(Json::Null, |of| of.get(&["data"]).clone());
    resource != REVISIONS || data(manifest) == data(live)
}

/// Says what an error of the API server means to the planner. It calls another uid invalid, because a uid cannot change.
fn outcome(error: &ApiError) -> OutcomeResult {
    let ApiError::Refused(status) = error else { return OutcomeResult::Error };
    let mut causes = status.details.iter().flat_map(|details| &details.causes);
    match status.code {
        CONFLICT => OutcomeResult::Conflict,
        INVALID if causes.any(|cause| cause.field == "metadata.uid") => OutcomeResult::Conflict,
        _ if !error.budget().is_empty() => OutcomeResult::DisruptionBudget,
        code if REJECTED.contains(&code) || error.has_many_budgets() => OutcomeResult::Rejected,
        _ => OutcomeResult::Error,
    }
}

/// Returns the part of a merge patch that sets and removes members of an object.
fn merging(set: &BTreeMap<String, String>, remove: &[String]) -> Value {
    let mut members: Map<String, Value> = set.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
    members.extend(remove.iter().map(|key| (key.clone(), Value::Null)));
    Value::Object(members)
}

/// Sets the images of a list of containers, in their order: a pod whose containers change places is invalid.
fn set_images(patch: &mut Value, containers: &str, images: &[ContainerImage]) {
    if !images.is_empty() {
        patch["spec"][format!("$setElementOrder/{containers}")] = images.iter().map(|c| json!({"name": c.name})).collect();
        patch["spec"][containers] = images.iter().map(|c| json!({"name": c.name, "image": c.image})).collect();
    }
}

/// Sets what of the resources of a list of containers is named. As with images, the order of all is part of the patch.
fn set_resources(patch: &mut Value, containers: &str, resizes: &[ContainerResize]) {
    let resources = |c: &ContainerResize| {
        let mut lists = Map::new();
        for (list, amounts) in [("requests", &c.requests), ("limits", &c.limits)] {
            if !amounts.is_empty() {
                lists.insert(list.to_owned(), json!(amounts));
            }
        }
        (!lists.is_empty()).then(|| json!({"name": c.name, "resources": lists}))
    };
    let changed: Vec<Value> = resizes.iter().filter_map(resources).collect();
    if !changed.is_empty() {
        patch["spec"][format!("$setElementOrder/{containers}")] = resizes.iter().map(|c| json!({"name": c.name})).collect();
        patch["spec"][containers] = changed.into();
    }
}

/// Sets what a claim asks for, and labels and annotations; everything else stays as it is.
fn claim_patch(mut patch: Value, body: &PatchClaim) -> Value {
    if !body.labels.is_empty() {
        patch["metadata"]["labels"] = json!(body.labels);
    }
    if !body.annotations.is_empty() {
        patch["metadata"]["annotations"] = json!(body.annotations);
    }
    if !body.request.is_empty() {
        patch["spec"]["resources"] = json!({"requests": {"storage": body.request}});
    }
    if !body.attributes_class.is_empty() {
        patch["spec"]["volumeAttributesClassName"] = json!(body.attributes_class);
    }
    patch
}
