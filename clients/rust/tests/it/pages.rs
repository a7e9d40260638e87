//! The page shows the examples as they are, and its commands run in an empty folder, with what kubectl printed on a real control plane.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use serde_json::{Value, json};

use crate::servers::{root, server};
use crate::vector::{Vector, all};

fn text(file: &str) -> String {
    fs::read_to_string(root().join("clients/rust").join(file)).expect(file)
}

/// Returns the blocks of code of a language on the page.
fn blocks(language: &str) -> Vec<String> {
    let page = text("README.md");
    let begin = format!("```{language}\n");
    page.split(&begin).skip(1).map(|rest| rest.split("```").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_page_has_the_examples() {
    assert_eq!(blocks("rust"), [text("examples/why.rs"), text("examples/forecast.rs")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_commands_of_the_page() {
    let running = server(&[]).await;
    // The same folder each time, so that cargo need not build all again.
    let folder = env::temp_dir().join(format!("setplan-page{}", root().display().to_string().replace('/', "-")));
    let kubectl = folder.join("path/kubectl");
    let _ = fs::remove_dir_all(&folder);
    for new in ["path", "empty"] {
        fs::create_dir_all(folder.join(new)).expect("an empty folder");
    }
    std::os::unix::fs::symlink(root().join("clients"), folder.join("clients")).expect("a link");
    // It prints what it has printed for a set.
    fs::write(&kubectl, "#!/bin/sh\ncat \"$RECORDED.$1\"\n").expect("a program");
    fs::set_permissions(&kubectl, fs::Permissions::from_mode(0o755)).expect("a program");
    record(&folder, "web", |set| set["spec"]["template"]["spec"]["containers"][0]["image"] = json!("example/web:2"));
    record(&folder, "slow", |set| set["spec"]["replicas"] = json!(5));

    let [why, forecast]: [String; 2] = blocks("sh").try_into().expect("two blocks of commands");
    let why = why.replace("bin/setplan-server --listen-address 127.0.0.1:7450 &\n", ""); // it runs already
    let build = "cp \"$RUST/Cargo.lock\" .\nexport CARGO_TARGET_DIR=\"$RUST/target\" CARGO_PROFILE_DEV_DEBUG=false\ncargo add";
    let why = why.replace("\"$(mktemp -d)\"", "empty").replacen("cargo add", build, 1);
    let other = forecast.replace(" web ", " slow ");
    let script = format!("{why}( {forecast} ) || echo refused\nexport RECORDED=${{RECORDED%web}}slow\n{other}");
    let mut shell = Command::new("bash");
    shell.args(["-euo", "pipefail", "-c", &script.replace("127.0.0.1:7450", &running.address)]).current_dir(&folder);
    let path = format!("{}:{}", folder.join("path").display(), env::var("PATH").expect("a path"));
    shell.env("PATH", path).env("RUST", root().join("clients/rust")).env("RECORDED", folder.join("web"));
    let output = shell.output().expect("bash");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let wants =
        ["Wait web-1: The pod is being deleted", "; restarts: [\"web-0\"]\nrefused\nConverged after 9 steps; restarts: []\n"];
    for want in wants {
        assert!(said.contains(want), "{said}");
    }
    fs::remove_dir_all(&folder).expect("the folder");
}

/// Writes what kubectl prints for a set that waited on a real control plane: its namespace, and the set after an edit.
fn record(folder: &Path, name: &str, edit: impl Fn(&mut Value)) {
    let stuck = format!("stuck/{name}.json");
    let documents = all().iter().find(|vector| vector.name == stuck).and_then(Vector::documents).expect(&stuck);
    let list = format!(r#"{{"apiVersion":"v1","kind":"List","items":[{}]}}"#, documents.join(","));
    fs::write(folder.join(format!("{name}.get")), list).expect("a file");
    let mut set: Value = serde_json::from_str(&documents[0]).expect("a set");
    set["metadata"]["generation"] = json!(set["metadata"]["generation"].as_i64().expect("a number") + 1);
    edit(&mut set);
    fs::write(folder.join(format!("{name}.apply")), set.to_string()).expect("a file");
}
