//! Writes the messages of the contract as Rust: `generate FOLDER`.

use std::path::{Path, PathBuf};
use std::{env, error::Error, fs};

use prost_build::Config;

const FILES: [&str; 2] = ["setplan/v1/service.proto", "setplan/v1/error.proto"];

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::args().nth(1).ok_or("usage: generate FOLDER")?);
    let set = protox::compile(FILES, [Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../proto")])?;
    let action =
        set.file.iter().flat_map(|file| &file.message_type).find(|message| message.name() == "Action").ok_or("no Action")?;
    let mut names = String::new();
    for field in action.field.iter().filter(|field| field.oneof_index.is_some()) {
        let variant = field.type_name().rsplit('.').next().unwrap_or_default();
        names += &format!("            Self::{variant}(_) => {:?},\n", field.name());
    }
    // Maps keep the order of keys, so that the same message is the same bytes.
    Config::new().btree_map(["."]).include_file("_").out_dir(&out).compile_fds(set)?;
    let messages = fs::read_to_string(out.join("setplan.v1.rs"))?;
    let begin = "impl action::Operation {\n    /// The name of the member.\n    pub fn as_str_name(&self) -> &'static str {\n        match self {\n";
    fs::write(out.join("messages.rs"), format!("{messages}{begin}{names}        }}\n    }}\n}}\n"))?;
    Ok(())
}
