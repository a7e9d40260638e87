//! Writes the messages of the contract as Rust: `generate FOLDER`.

use std::path::{Path, PathBuf};
use std::{env, error::Error, fs};

use prost_build::Config;

const FILES: [&str; 2] = ["setplan/v1/service.proto", "setplan/v1/error.proto"];

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::args().nth(1).ok_or("usage: generate FOLDER")?);
    let set = protox::compile(FILES, [Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../proto")])?;
    // Maps keep the order of keys, so that the same message is the same bytes.
    Config::new().btree_map(["."]).include_file("_").out_dir(&out).compile_fds(set)?;
    fs::remove_file(out.join("_"))?;
    fs::rename(out.join("setplan.v1.rs"), out.join("messages.rs"))?;
    Ok(())
}
