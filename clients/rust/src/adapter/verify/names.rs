//! Names, labels and annotations that a plan may use.

pub const POD: &str = "Pod";
pub const CLAIM: &str = "PersistentVolumeClaim";
pub const REVISION: &str = "ControllerRevision";

pub const LABEL_POD_NAME: &str = "statefulset.kubernetes.io/pod-name";
pub const LABEL_POD_INDEX: &str = "apps.kubernetes.io/pod-index";
pub const LABEL_REVISION: &str = "controller-revision-hash";
pub const LABEL_HASH: &str = "controller.kubernetes.io/hash";

pub const DRAIN_SET: &str = "setplan.io/drain-set";
pub const DRAIN_CLAIMS: &str = "setplan.io/drain-claims";
pub const DRAIN_ATTEMPTS: &str = "setplan.io/drain-attempts";
pub const DRAIN_BEGUN: &str = "setplan.io/drain-begun";
pub const DRAIN_REQUEST: &str = "setplan.io/drain-request";
pub const DRAIN_ANSWER: &str = "setplan.io/drain-answer";

pub const CLAIM_TEMPLATES: &str = "setplan.io/claim-templates";
pub const CLAIM_POLICY: &str = "setplan.io/claim-update-policy";
pub const CLAIM_REQUEST: &str = "setplan.io/claim-request";
pub const CLAIM_CHANGED: &str = "setplan.io/claim-changed";
pub const CLAIM_METADATA: &str = "setplan.io/claim-metadata";

pub const IN_PLACE: &str = "setplan.io/in-place";
pub const UPDATE: &str = "setplan.io/in-place-update";

pub const FINALIZER: &str = "setplan.io/drain";

const MAX_NAME: usize = 253;

/// Reports whether a text is a DNS subdomain, so that it can be nothing but a name in a path.
pub fn is_name(text: &str) -> bool {
    let is_end = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let is_label = |label: &str| {
        let bytes = label.as_bytes();
        is_end(bytes.first()) && is_end(bytes.last()) && bytes.iter().all(|byte| *byte == b'-' || is_end(Some(byte)))
    };
    text.len() <= MAX_NAME && text.split('.').all(is_label)
}

/// Returns the digits that follow `<base>-` in a name, where nothing else does.
fn digits_after<'a>(name: &'a str, base: &str) -> Option<&'a str> {
    let digits = name.strip_prefix(base)?.strip_prefix('-')?;
    is_digits(digits).then_some(digits)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads the ordinal of `<base>-<ordinal>`, written as a set writes it.
pub fn ordinal_in(name: &str, base: &str) -> Option<i32> {
    let digits = digits_after(name, base)?;
    if digits.len() > 1 && digits.starts_with('0') { None } else { digits.parse().ok() }
}

/// Reports whether a pod has a name that the set could have given, leading zeros included.
pub fn is_member(name: &str, base: &str) -> bool {
    digits_after(name, base).is_some()
}

/// Reports whether a pod's name is the set's with this ordinal, leading zeros included.
pub fn is_member_at(name: &str, base: &str, ordinal: i32) -> bool {
    digits_after(name, base).is_some_and(|digits| is_same_ordinal(digits, ordinal))
}

/// Returns the digits at the end of a name.
pub fn trailing_digits(name: &str) -> &str {
    &name[name.trim_end_matches(|c: char| c.is_ascii_digit()).len()..]
}

/// Compares digits with an ordinal; leading zeros do not count.
pub fn is_same_ordinal(digits: &str, ordinal: i32) -> bool {
    let bare = digits.trim_start_matches('0');
    !digits.is_empty() && (if bare.is_empty() { "0" } else { bare }) == ordinal.to_string()
}

#[cfg(test)]
mod tests {
    use super::{is_member, is_member_at, is_name, ordinal_in};

    #[test]
    fn an_ordinal_is_written_as_a_set_writes_it_and_a_member_may_have_leading_zeros() {
        for (name, ordinal) in
            [("web-0", Some(0)), ("web-10", Some(10)), ("web-01", None), ("web-", None), ("web-2147483648", None)]
        {
            assert_eq!(ordinal_in(name, "web"), ordinal, "{name}");
        }
        assert!(is_member("web-01", "web") && is_member_at("web-01", "web", 1) && is_member_at("web-00", "web", 0));
        assert!(!is_member("web-1a", "web") && !is_member("web1", "web") && !is_member_at("web-01", "web", 0));
    }

    #[test]
    fn a_name_is_a_dns_subdomain() {
        assert!(is_name("web-0") && is_name("a.b-c.0"));
        assert!(["", "-a", "a-", "a..b", "A", "a/b", &"a".repeat(254)].iter().all(|text| !is_name(text)));
    }
}
