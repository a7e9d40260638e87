use std::collections::{HashMap, VecDeque};

use crate::adapter::Key;

/// Places beside the others, for namespaces that nothing is done for: one whose passes take long cannot have them all.
const SPARE: usize = 2;

/// Sets that wait. Namespaces take turns: only one with a thousand sets waits for a thousand.
#[derive(Default)]
pub(super) struct Rounds {
    /// The namespaces that wait, the next one first.
    order: VecDeque<String>,
    waiting: HashMap<String, VecDeque<Key>>,
    /// How many sets of a namespace are worked on.
    working: HashMap<String, usize>,
}

impl Rounds {
    /// Puts a set at the end of its namespace.
    pub fn push(&mut self, key: Key) {
        if !self.waiting.contains_key(&key.namespace) {
            self.order.push_back(key.namespace.clone());
        }
        self.waiting.entry(key.namespace.clone()).or_default().push_back(key);
    }

    /// Takes the next set that there is a place for. It has the place until [`Rounds::end`].
    pub fn begin(&mut self, places: usize) -> Option<Key> {
        let taken: usize = self.working.values().sum();
        if taken >= places + SPARE {
            return None;
        }
        let at = self.order.iter().position(|namespace| taken < places || !self.working.contains_key(namespace))?;
        let namespace = self.order.remove(at)?;
        let waiting = self.waiting.get_mut(&namespace)?;
        let key = waiting.pop_front()?;
        if waiting.is_empty() {
            self.waiting.remove(&namespace);
        } else {
            self.order.push_back(namespace.clone());
        }
        *self.working.entry(namespace).or_default() += 1;
        Some(key)
    }

    /// The work on a set has ended.
    pub fn end(&mut self, key: &Key) {
        let left = self.working.remove(&key.namespace).unwrap_or_default().saturating_sub(1);
        if left > 0 {
            self.working.insert(key.namespace.clone(), left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Rounds;
    use crate::adapter::Key;

    fn rounds(names: &str) -> Rounds {
        let mut rounds = Rounds::default();
        for name in names.split_whitespace() {
            let (namespace, set) = name.split_once('/').expect("a namespace");
            rounds.push(Key { namespace: namespace.to_owned(), name: set.to_owned() });
        }
        rounds
    }

    fn all(rounds: &mut Rounds, places: usize) -> Vec<Key> {
        std::iter::from_fn(|| rounds.begin(places)).collect()
    }

    fn names(keys: &[Key]) -> String {
        keys.iter().map(|key| key.name.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn namespaces_take_turns() {
        for (given, want) in [
            ("", ""),
            ("a/1 a/2 a/3", "1 2 3"),
            ("a/1 a/2 b/3 b/4", "1 3 2 4"),
            ("a/1 a/2 a/3 a/4 a/5 a/6 b/7 c/8", "1 7 8 2 3 4 5 6"),
        ] {
            let mut rounds = rounds(given);
            assert_eq!(names(&all(&mut rounds, 100)), want, "{given}");
            assert!(rounds.order.is_empty() && rounds.waiting.is_empty(), "{given}");
        }
    }

    #[test]
    fn a_namespace_that_has_all_places_leaves_two_for_others() {
        let mut rounds = rounds("a/1 a/2 a/3 a/4 a/5 a/6 a/7");
        assert_eq!(names(&all(&mut rounds, 3)), "1 2 3");
        for namespace in ["b", "c", "d"] {
            for name in ["x", "y"] {
                rounds.push(Key { namespace: namespace.to_owned(), name: format!("{namespace}{name}") });
            }
        }
        let spare = all(&mut rounds, 3);
        assert_eq!(names(&spare), "bx cx");
        rounds.end(&spare[0]);
        assert_eq!(names(&all(&mut rounds, 3)), "dx", "it is the next one's turn");
    }

    #[test]
    fn a_place_is_free_again_when_the_work_has_ended() {
        let mut rounds = rounds("a/1 a/2 a/3");
        let begun = all(&mut rounds, 2);
        assert_eq!(names(&begun), "1 2");
        rounds.end(&begun[0]);
        let next = all(&mut rounds, 2);
        assert_eq!(names(&next), "3");
        rounds.end(&begun[1]);
        rounds.end(&next[0]);
        assert!(rounds.working.is_empty());
    }
}
