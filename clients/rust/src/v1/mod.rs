//! The contract: messages and enums of `setplan.v1`. The comments of the `.proto` files define each message and field.

#[rustfmt::skip]
#[allow(clippy::match_same_arms)]
mod known;
#[rustfmt::skip]
#[allow(clippy::all, clippy::pedantic, missing_docs, rustdoc::all)]
mod messages;
mod names;
mod unknown;

pub use messages::*;
pub use unknown::Unknown;
