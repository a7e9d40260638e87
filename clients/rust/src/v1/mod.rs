//! The contract: messages and enums of `setplan.v1`. The comments of the `.proto` files define each message and field.

#[rustfmt::skip]
#[allow(clippy::all, clippy::pedantic, missing_docs, rustdoc::all)]
mod messages;
mod more;

pub use messages::*;
