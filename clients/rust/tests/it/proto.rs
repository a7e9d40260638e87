//! Protobuf's JSON, which prost does not read: the messages of the contract by their descriptors.

use std::sync::LazyLock;

use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage};

use crate::servers::root;

static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    let files = ["setplan/v1/service.proto", "setplan/v1/error.proto"];
    DescriptorPool::from_file_descriptor_set(protox::compile(files, [root().join("proto")]).expect("the contract")).expect("a pool")
});

/// Reads a message in protobuf's JSON: its bytes.
pub fn bytes_of(message: &str, json: &str) -> Vec<u8> {
    let descriptor = POOL.get_message_by_name(&format!("setplan.v1.{message}")).expect("a message of the contract");
    let mut reader = serde_json::Deserializer::from_str(json);
    DynamicMessage::deserialize(descriptor, &mut reader).expect("protobuf's JSON").encode_to_vec()
}

/// Reads a message in protobuf's JSON.
pub fn from_json<M: Message + Default>(message: &str, json: &str) -> M {
    M::decode(bytes_of(message, json).as_slice()).expect("the message that was written")
}
