use std::time::Duration;

/// Reads a duration of a message; `None` if it is negative.
///
/// Prost's own conversion negates what is negative. The least number has no opposite, and a program that checks for that would end.
pub(crate) fn duration(of: prost_types::Duration) -> Option<Duration> {
    let of = of.normalized();
    if of.seconds < 0 || of.nanos < 0 { None } else { Duration::try_from(of).ok() }
}
