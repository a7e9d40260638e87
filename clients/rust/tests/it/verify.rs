//! Lies of a planner are refused, each by the check for it; what a planner really plans passes.

use std::fs;

use serde::Deserialize;
use serde_json::value::RawValue;
use setplan::adapter::verify::{CHECKS, Check, Verifier};
use setplan::v1::action::Operation;
use setplan::v1::{Snapshot, Stage};

use crate::proto::from_json;
use crate::servers::root;
use crate::vector::all;

#[derive(Deserialize)]
struct Told {
    snapshot: Box<RawValue>,
    truths: Vec<Scene>,
    lies: Vec<Scene>,
}

#[derive(Deserialize)]
struct Scene {
    about: String,
    #[serde(default)]
    check: String,
    snapshot: Option<Box<RawValue>>,
    stage: Box<RawValue>,
}

// Checks whose lies another check would find, too: what they add is the reason. A claim of another name has no ordinal, and nothing is
// allowed for none.
const BACKED_UP: [&str; 3] = ["operation", "manifest", "own-claim"];

fn told() -> Told {
    let text = fs::read_to_string(root().join("proto/testdata/lies.json")).expect("the lies");
    serde_json::from_str(&text).expect("the lies")
}

impl Told {
    /// Returns the check that refuses a stage; empty where none does.
    fn verdict(&self, scene: &Scene, checks: impl Iterator<Item = &'static Check>) -> &'static str {
        let snapshot: Snapshot = from_json("Snapshot", scene.snapshot.as_ref().unwrap_or(&self.snapshot).get());
        let stage: Stage = from_json("Stage", scene.stage.get());
        Verifier::with(&snapshot, checks.collect()).stage(&stage).map_or_else(|refusal| refusal.check, |()| "")
    }
}

#[test]
fn truths_pass_and_lies_are_refused() {
    let told = told();
    assert!(told.truths.len() >= 15 && told.lies.len() >= 100, "{} {}", told.truths.len(), told.lies.len());
    for scene in told.truths.iter().chain(&told.lies) {
        assert_eq!(told.verdict(scene, CHECKS.iter()), scene.check, "{}", scene.about);
    }
}

#[test]
fn every_check_is_needed_without_it_one_of_its_lies_passes() {
    let told = told();
    for removed in &CHECKS {
        let without = || CHECKS.iter().filter(|check| check.name != removed.name);
        let mut lies = told.lies.iter().filter(|lie| lie.check == removed.name).peekable();
        assert!(lies.peek().is_some(), "{}", removed.name);
        if !BACKED_UP.contains(&removed.name) {
            assert!(lies.any(|lie| told.verdict(lie, without()).is_empty()), "{}", removed.name);
        }
    }
}

#[test]
fn a_manifest_that_is_too_large() {
    let told = told();
    let truth = told.truths.iter().find(|truth| truth.about == "create_pod").expect("a pod");
    let mut stage: Stage = from_json("Stage", truth.stage.get());
    let Some(Operation::CreatePod(body)) = &mut stage.steps[0].actions[0].operation else { panic!("another operation") };
    body.manifest.extend(vec![b' '; 3 << 20]);
    let snapshot: Snapshot = from_json("Snapshot", told.snapshot.get());
    assert_eq!(Verifier::new(&snapshot).stage(&stage).expect_err("a refusal").check, "manifest");
}

/// A copy of a pod's annotation in the template says nothing of its pods, which are updated like marked ones.
#[test]
fn a_note_that_every_pod_of_a_template_has() {
    let told = told();
    let truth = told.truths.iter().find(|truth| truth.about == "update_pod with images").expect("an update");
    let text = truth.snapshot.as_ref().expect("a snapshot").get();
    for (of_every_pod, check) in [("?", ""), ("!", "pod-images")] {
        let mut snapshot: Snapshot = from_json("Snapshot", text);
        for set in &mut snapshot.tables.as_mut().expect("tables").annotation_sets {
            set.annotations.entry("setplan.io/in-place-update".to_owned()).and_modify(|note| *note = "?".to_owned());
        }
        let in_template = format!(r#""a":"b","setplan.io/in-place-update":"{of_every_pod}""#);
        let with_note = |document: &mut Vec<u8>| {
            *document = String::from_utf8_lossy(document).replace(r#""a":"b""#, &in_template).into_bytes();
        };
        with_note(&mut snapshot.set.as_mut().expect("a set").pod_template);
        snapshot.revisions.iter_mut().for_each(|revision| with_note(&mut revision.data));
        let stage: Stage = from_json("Stage", truth.stage.get());
        let verdict = Verifier::new(&snapshot).stage(&stage).map_or_else(|refusal| refusal.check, |()| "");
        assert_eq!(verdict, check, "{of_every_pod}");
    }
}

#[test]
fn the_page_has_the_list_in_the_same_words_and_order() {
    let page = fs::read_to_string(root().join("docs/adapter.md")).expect("the page");
    let (_, section) = page.split_once("## What is verified").expect("the section");
    let row = |line: &str| {
        let (name, words) = line.strip_prefix("| `")?.split_once("` | ")?;
        Some((name.to_owned(), words.strip_suffix(" |")?.to_owned()))
    };
    let rows: Vec<(String, String)> = section.lines().filter_map(row).collect();
    let ours: Vec<(String, String)> = CHECKS.iter().map(|check| (check.name.to_owned(), check.words.to_owned())).collect();
    assert_eq!(rows, ours);
}

#[test]
fn every_action_of_every_vector_s_plan_passes() {
    let mut actions = 0;
    for vector in all().iter().filter(|vector| vector.content.plan.is_some()) {
        let Some(snapshot) = vector.request().snapshot else { continue };
        let mut verifier = Verifier::new(&snapshot);
        for stage in &vector.plan().stages {
            if let Err(refusal) = verifier.stage(stage) {
                // It has a pod with the name "web-", which no API server stores.
                assert_eq!((vector.name.as_str(), refusal.check), ("objects/pod-names.json", "name"), "{refusal}");
            }
            actions += stage.steps.iter().map(|step| step.actions.len()).sum::<usize>();
        }
    }
    assert!(actions > 500);
}
