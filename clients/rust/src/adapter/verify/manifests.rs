//! The checks of the manifests of creates.

use std::collections::BTreeMap;

use super::changes::request_of;
use super::json::{Json, differing, parse, quote};
use super::names::{
    CLAIM_METADATA, CLAIM_REQUEST, CLAIM_TEMPLATES, DRAIN_CLAIMS, DRAIN_SET, LABEL_HASH, LABEL_POD_INDEX, LABEL_POD_NAME,
    LABEL_REVISION, ordinal_in, trailing_digits,
};
use super::subject::Subject;
use super::view::{NO_TEXTS, selects};
use super::{Verdict, must};

const TYPE: [&str; 3] = ["apiVersion", "kind", "metadata"];
const METADATA: [&str; 7] = ["name", "namespace", "generateName", "labels", "annotations", "finalizers", "ownerReferences"];
const REVISION_BASE: usize = 223;

/// A key beside the template's, and its value; `None` is a value that other checks cover.
type More<'a> = Vec<(&'a str, Option<&'a str>)>;

pub(super) fn manifest_fault(s: &Subject<'_>) -> Verdict {
    s.unreadable.clone().map_or(Ok(()), Err)
}

pub(super) fn object_fault(s: &Subject<'_>) -> Verdict {
    // The apiVersion and the other keys of each kind of manifest; without them the rest is the template's.
    let (version, fields): (_, Option<&[&str]>) = match s.operation {
        "createPod" => ("v1", Some(&["spec"])),
        "createRevision" => ("apps/v1", Some(&["data", "revision"])),
        _ => ("v1", None),
    };
    let has = |keys: &[&str], text: &str| s.manifest.get(keys).is(text);
    must(has(&["apiVersion"], version) && has(&["kind"], s.kind), "the manifest's kind is not the target's")?;
    must(has(&["metadata", "name"], s.name), "the manifest's name is not the target's")?;
    must(has(&["metadata", "namespace"], &s.set().namespace), "the manifest's namespace is not the set's")?;
    let is_other = |key: &&String| fields.is_some_and(|fields| !TYPE.contains(&key.as_str()) && !fields.contains(&key.as_str()));
    match s.manifest.members().keys().find(is_other) {
        Some(key) => Err(format!("the manifest has the field {}", quote(key))),
        None => Ok(()),
    }
}

/// Allows, beside labels, annotations and owners, which have their own checks, only the template's finalizers.
pub(super) fn metadata_fault(s: &Subject<'_>) -> Verdict {
    let metadata = s.manifest.get(&["metadata"]);
    if let Some(key) = metadata.members().keys().find(|key| !METADATA.contains(&key.as_str())) {
        return Err(format!("the metadata has the field {}", quote(key)));
    }
    let generated = metadata.get(&["generateName"]);
    let name = &s.set().name;
    let fits = generated.is_null() || generated.is(name) || generated.is(&format!("{name}-"));
    must(fits, "generateName is not made of the set's name")?;
    let none = Json::Null;
    let finalizers = if s.operation == "createPod" { s.template().get(&["metadata", "finalizers"]) } else { &none };
    must(metadata.get(&["finalizers"]) == finalizers, "the finalizers are not the template's")
}

/// Asks for the set as the controller. It only owns a drain pod, and not even that while it is drained for its deletion.
pub(super) fn owner_fault(s: &Subject<'_>) -> Verdict {
    let owners = s.manifest.get(&["metadata", "ownerReferences"]);
    if s.is_drain() && s.view.emptying() && owners.is_null() {
        return Ok(());
    }
    let [owner] = owners.items() else { return Err("the manifest must have exactly one owner".to_owned()) };
    let set = s.set();
    let texts = [("apiVersion", &set.api_version), ("kind", &set.kind), ("name", &set.name), ("uid", &set.uid)];
    let mut wanted: BTreeMap<String, Json> = texts.into_iter().map(|(key, text)| (key.to_owned(), text.as_str().into())).collect();
    if !s.is_drain() {
        wanted.insert("controller".to_owned(), Json::Bool(true));
        if owner.members().contains_key("blockOwnerDeletion") {
            wanted.insert("blockOwnerDeletion".to_owned(), Json::Bool(true));
        }
    }
    must(*owner == Json::Object(wanted), "the owner is not this set, as what is made needs it")
}

pub(super) fn labels_fault(s: &Subject<'_>) -> Verdict {
    let labels = s.manifest.get(&["metadata", "labels"]);
    let template = s.template().get(&["metadata", "labels"]);
    if s.operation == "createRevision" {
        return added("label", labels, template, &[(LABEL_HASH, None)]);
    }
    if s.is_drain() {
        return drain_labels_fault(s, labels, template);
    }
    let mut more = identity(s);
    more.push((LABEL_REVISION, None));
    added("label", labels, template, &more)
}

fn identity<'a>(s: &Subject<'a>) -> More<'a> {
    vec![(LABEL_POD_NAME, Some(s.name)), (LABEL_POD_INDEX, Some(trailing_digits(s.name)))]
}

/// Keeps a drain pod from being taken for a replica: it lacks the labels of the ordinal if the selector would match by them.
fn drain_labels_fault(s: &Subject<'_>, labels: &Json, template: &Json) -> Verdict {
    let texts = labels.members().iter().filter_map(|(key, value)| Some((key.clone(), value.text()?.to_owned()))).collect();
    let taken = selects(s.set().selector.as_ref(), &texts);
    must(!taken, "the selector matches its labels, so it would be taken for a replica")?;
    let plain = differing(labels, template, &[LABEL_REVISION]).is_none() && labels.get(&[LABEL_REVISION]).is_null();
    if plain { Ok(()) } else { added("label", labels, template, &identity(s)) }
}

pub(super) fn annotations_fault(s: &Subject<'_>) -> Verdict {
    let annotations = s.manifest.get(&["metadata", "annotations"]);
    if s.operation == "createRevision" {
        return match differing(annotations, &Json::texts(&s.set().annotations), &[]) {
            Some(key) => Err(format!("the annotation {key} is not the set's")),
            None => Ok(()),
        };
    }
    let more = if s.is_drain() { vec![(DRAIN_SET, Some(s.view.mark.as_str())), (DRAIN_CLAIMS, None)] } else { Vec::new() };
    added("annotation", annotations, s.template().get(&["metadata", "annotations"]), &more)
}

/// Compares a map of strings with the template's and some more.
fn added(what: &str, got: &Json, template: &Json, more: &[(&str, Option<&str>)]) -> Verdict {
    for (key, value) in more {
        let found = got.get(&[key]).text();
        if found.is_none() || (value.is_some() && *value != found) {
            return Err(format!("the {what} {key} is missing or wrong"));
        }
    }
    let but: Vec<&str> = more.iter().map(|(key, _)| *key).collect();
    match differing(got, template, &but) {
        Some(key) => Err(format!("the {what} {key} is not what the template says")),
        None => Ok(()),
    }
}

/// Compares a claim with its template; with odd names more than one may fit.
pub(super) fn claim_manifest_fault(s: &Subject<'_>) -> Verdict {
    let mut verdict = Err("no claim template has this name".to_owned());
    let templates = s.view.claim_templates.iter().zip(s.view.patched_templates());
    for ((template, patched), name) in templates.zip(&s.view.claim_names) {
        if ordinal_in(s.name, &format!("{name}-{}", s.set().name)).is_some() {
            verdict = claim_differs(s, template);
            if verdict.is_ok() || claim_differs(s, patched).is_ok() {
                return Ok(());
            }
        }
    }
    verdict
}

fn claim_differs(s: &Subject<'_>, template: &Json) -> Verdict {
    let metadata = s.manifest.get(&["metadata"]);
    let of = template.get(&["metadata"]);
    if let Some(key) = differing(&s.manifest, template, &TYPE) {
        return Err(format!("{key} is not what the claim template says"));
    }
    if let Some(key) = differing(metadata, of, &["name", "namespace", "labels", "annotations", "creationTimestamp"]) {
        return Err(format!("metadata {key} is not what the claim template says"));
    }
    let selected = s.set().selector.as_ref().map_or(&NO_TEXTS, |selector| &selector.match_labels);
    let labels: More<'_> = selected.iter().map(|(key, value)| (key.as_str(), Some(value.as_str()))).collect();
    added("label", metadata.get(&["labels"]), of.get(&["labels"]), &labels)?;
    let marked = s.view.draining() && !metadata.get(&["annotations", DRAIN_SET]).is_null();
    let mut notes = if marked { vec![(DRAIN_SET, Some(s.view.mark.as_str()))] } else { Vec::new() };
    for (note, value) in [(CLAIM_REQUEST, Some(request_of(template))), (CLAIM_METADATA, None)] {
        if !metadata.get(&["annotations", note]).is_null() {
            notes.push((note, value));
        }
    }
    added("annotation", metadata.get(&["annotations"]), of.get(&["annotations"]), &notes)
}

pub(super) fn revision_name_fault(s: &Subject<'_>) -> Verdict {
    let name = &s.set().name;
    let rest = s.name.strip_prefix(name.get(..REVISION_BASE).unwrap_or(name)).and_then(|rest| rest.strip_prefix('-'));
    must(rest.is_some_and(|rest| !rest.is_empty()), "the name is not made of the set's")
}

/// Asks for the set's own template, in the form of a patch that replaces it, and for claim templates that the set removes or adds.
pub(super) fn revision_data_fault(s: &Subject<'_>) -> Verdict {
    let stored;
    let data = if s.operation == "createRevision" {
        s.manifest.get(&["data"])
    } else {
        stored = parse(&s.revision().data, false).unwrap_or(Json::Null);
        &stored
    };
    let template = data.get(&["spec", "template"]);
    let replaces = template.get(&["$patch"]).is("replace");
    let bare = differing(data, &Json::Null, &["spec", CLAIM_TEMPLATES]).is_none() && data.get(&["spec"]).members().len() == 1;
    must(bare && replaces, "the data is not a template that replaces the set's")?;
    let said = data.members().get(CLAIM_TEMPLATES);
    let by_name = said.is_none_or(|said| matches!(said, Json::Object(_)));
    must(by_name, "the data does not have claim templates by name")?;
    for (name, value) in data.get(&[CLAIM_TEMPLATES]).members() {
        let removed = !value.is_null() || s.view.may_remove(name);
        must(removed, "the data has a claim template that the set does not remove")?;
        let added = value.is_null() || s.operation != "createRevision" || s.view.may_add(name, value);
        must(added, "the data has a claim template that the set does not add")?;
    }
    match differing(template, &s.view.template, &["$patch"]) {
        Some(key) => Err(format!("{key} of the data is not what the set's template says")),
        None => Ok(()),
    }
}
