//! What of the resources of a container may change while it stays.

use std::collections::{BTreeMap, BTreeSet};

use super::images::{LISTS, pairs};
use super::json::{Json, differing, quote};
use super::quantity::Quantity;
use crate::v1::{Container, ContainerResize};

const LIMITS: &str = "limits";
const REQUESTS: &str = "requests";
const RESOURCES: [&str; 2] = ["cpu", "memory"];

/// The place of a quantity in a pod.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Amount {
    pub container: String,
    list: &'static str,
    resource: String,
}

/// Quantities; an empty text is none.
pub(super) type Amounts = BTreeMap<Amount, String>;

impl Amount {
    fn new(container: &str, list: &'static str, resource: &str) -> Self {
        Self { container: container.to_owned(), list, resource: resource.to_owned() }
    }

    pub fn words(&self) -> String {
        format!("the {} of {} of the container {}", self.list, self.resource, quote(&self.container))
    }

    /// Returns what the spec of a pod's container has; empty: nothing.
    pub fn shown<'a>(&self, container: &'a Container) -> &'a str {
        let Some(resources) = &container.resources else { return "" };
        let list = if self.list == LIMITS { &resources.limits } else { &resources.requests };
        list.get(&self.resource).map_or("", String::as_str)
    }

    /// Returns what a container of a template asks for; null: nothing. A request that it does not have is its limit.
    fn asked<'a>(&self, container: &'a Json) -> &'a Json {
        match container.get(&["resources", self.list, &self.resource]) {
            Json::Null if self.list == REQUESTS => container.get(&["resources", LIMITS, &self.resource]),
            asked => asked,
        }
    }

    /// Returns what a template asks for in a container that stays; null: nothing, or it has no such container.
    pub fn asked_in<'a>(&self, template: &'a Json) -> &'a Json {
        let found = LISTS.iter().find_map(|list| {
            let mut containers = template.get(&["spec", list]).items().iter();
            containers.find(|container| container.get(&["name"]).is(&self.container) && stays(list, container))
        });
        found.map_or(&Json::Null, |container| self.asked(container))
    }
}

/// Lists the places of a container's quantities that may change.
fn places(container: &str) -> impl Iterator<Item = Amount> {
    [LIMITS, REQUESTS].into_iter().flat_map(move |list| RESOURCES.map(|resource| Amount::new(container, list, resource)))
}

/// Returns the text of a quantity in a template, which may be a number; empty for anything else.
pub(super) fn text_of(quantity: &Json) -> &str {
    match quantity {
        Json::Text(text) | Json::Number(text) => text,
        _ => "",
    }
}

/// Reports whether a container is there for as long as its pod: of init containers those that are sidecars.
pub(super) fn stays(list: &str, container: &Json) -> bool {
    list == LISTS[0] || container.get(&["restartPolicy"]).is("Always")
}

/// Two templates without the cpu and the memory that may change in place.
pub(super) struct Apart {
    pub old: Json,
    pub new: Json,
    /// What of these the second one asks for, and the first one in another quantity.
    pub changed: BTreeSet<Amount>,
    /// A container starts anew for it.
    pub restarts: bool,
}

/// Takes the cpu and the memory that may change in place out of two templates: those of containers, and of sidecars, which have the same
/// place and name in both. What the second one no longer asks for stays where it is, and so does what is no quantity.
pub(super) fn apart_from_resources(old: &Json, new: &Json) -> Apart {
    let (mut old, mut new, mut changed, mut restarts) = (old.clone(), new.clone(), BTreeSet::new(), false);
    for list in LISTS {
        for (left, right) in pairs(&mut old, &mut new, list) {
            let (was, now) = (left.clone(), right.clone());
            let name = now.get(&["name"]).text().unwrap_or_default();
            if name.is_empty() || !was.get(&["name"]).is(name) || !stays(list, &was) || !stays(list, &now) {
                continue;
            }
            for of in places(name) {
                let (from, to) = (of.asked(&was), of.asked(&now));
                let (had, wants) = (Quantity::of(text_of(from)), Quantity::of(text_of(to)));
                if wants.is_none() || (had.is_none() && !from.is_null()) {
                    continue;
                }
                left.remove_amount(&of);
                right.remove_amount(&of);
                if had != wants {
                    restarts |= restarts_for(&now, &of.resource);
                    changed.insert(of);
                }
            }
            left.remove_empty();
            right.remove_empty();
        }
    }
    Apart { old, new, changed, restarts }
}

/// Reports whether a container starts anew where a resource of it changes.
fn restarts_for(container: &Json, resource: &str) -> bool {
    let mut policies = container.get(&["resizePolicy"]).items().iter();
    policies.any(|of| of.get(&["resourceName"]).is(resource) && of.get(&["restartPolicy"]).is("RestartContainer"))
}

impl Json {
    fn remove_amount(&mut self, of: &Amount) {
        if let Some(list) = self.get_mut(&["resources", of.list]) {
            list.remove(&of.resource);
        }
    }

    /// Leaves out limits and requests of nothing. Other controllers may have written nulls into a revision.
    fn remove_empty(&mut self) {
        let Some(resources) = self.get_mut(&["resources"]) else { return };
        for list in [LIMITS, REQUESTS] {
            let asks_nothing = match resources.get(&[list]) {
                Json::Object(amounts) => amounts.values().all(Json::is_nothing),
                other => other.is_null(),
            };
            if asks_nothing {
                resources.remove(list);
            }
        }
    }
}

/// Returns what a record says that the containers had, and whether it says that and nothing else, in its form.
pub(super) fn recorded(record: &Json) -> (Amounts, bool) {
    let mut had = Amounts::new();
    let Some(containers) = record.members().get("resize") else { return (had, true) };
    let has_form = |of: &Json, keys: &[&str]| !of.members().is_empty() && differing(of, &Json::Null, keys).is_none();
    let mut is_right = !containers.members().is_empty();
    for (name, lists) in containers.members() {
        is_right &= has_form(lists, &[LIMITS, REQUESTS]);
        for of in places(name) {
            let of_list = lists.members().get(of.list);
            is_right &= of_list.is_none_or(|list| has_form(list, &RESOURCES));
            if let Some(quantity) = of_list.and_then(|list| list.members().get(&of.resource)) {
                is_right &= quantity.text().is_some();
                had.insert(of, quantity.text().unwrap_or_default().to_owned());
            }
        }
    }
    (had, is_right)
}

/// Lists the quantities that a resize sets of a container.
pub(super) fn amounts_of(resize: &ContainerResize) -> impl Iterator<Item = (Amount, &str)> {
    let lists = [(LIMITS, &resize.limits), (REQUESTS, &resize.requests)];
    lists.into_iter().flat_map(move |(list, of)| {
        of.iter().map(move |(resource, quantity)| (Amount::new(&resize.name, list, resource), quantity.as_str()))
    })
}
