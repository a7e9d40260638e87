//! The page shows the examples as they are, and they run: on a real control plane, and in an empty folder by the page's commands.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs, process};

use setplan::kube::{Api, read};
use setplan::v1::Plan;
use tonic::Status;

use crate::clusters::{Cluster, SET, said};
use crate::fakes::Fake;
use crate::servers::{example as program, planner, root};

fn text(file: &str) -> String {
    fs::read_to_string(root().join("clients/rust").join(file)).expect(file)
}

/// Returns the blocks of code of a language on the page.
fn blocks(language: &str) -> Vec<String> {
    let page = text("README.md");
    let begin = format!("```{language}\n");
    page.split(&begin).skip(1).map(|rest| rest.split("```").next().unwrap_or_default().to_owned()).collect()
}

fn example(name: &str) -> Command {
    Command::new(program(name))
}

fn run(command: &mut Command) -> String {
    let output = command.output().expect("a program");
    said(command, &output)
}

#[test]
fn the_page_has_the_examples() {
    assert_eq!(blocks("rust"), [text("examples/look.rs"), text("examples/errors.rs")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn errors() {
    let said = |address: &str| run(example("errors").arg(address));
    let real = planner(&[]).await;
    assert_eq!(said(&real.address), "mend the request: snapshot\n");
    let broken = Fake::new(|_| Err::<Plan, _>(Status::internal("a bug"))).serve("127.0.0.1:0").await;
    assert_eq!(said(&broken.address), "no plan, so change nothing: Internal: a bug\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_says_why_a_paused_set_waits_by_hand_and_by_the_page() {
    let here = Cluster::shared();
    let asked = planner(&[]).await;
    here.kubectl("create namespace looked", "");
    here.kubectl("apply -n looked -f -", &SET.replace(r#""annotations": {}"#, r#""annotations": {"setplan.io/pause": "All"}"#));
    let by_hand = run(example("look").args(["looked", "web", &asked.address]).env("KUBECONFIG", &here.kubeconfig));
    let waits = |line: &str| ["Attention web: ", "Wait web: ", "Info web: "].iter().any(|block| line.starts_with(block));
    assert!(by_hand.lines().any(|line| waits(line) && line.contains("setplan.io/pause")), "{by_hand}");

    // An empty folder, and the page's commands. The planner runs already, and what was built for tests need not be built again.
    let folder: PathBuf = env::temp_dir().join(format!("setplan-page-{}", process::id()));
    fs::create_dir(&folder).expect("an empty folder");
    std::os::unix::fs::symlink(root().join("clients"), folder.join("clients")).expect("a link");
    let commands = blocks("sh").remove(0);
    let (before, serve, after) = split(&commands, "setplan-server --listen-address 127.0.0.1:7450");
    assert!(serve.ends_with('&'), "{serve}");
    let script = format!("{before}{}", after.replace("default web 127.0.0.1:7450", &format!("looked web {}", asked.address)));
    assert!(script.contains(&asked.address), "{script}");
    let mut shell = Command::new("bash");
    shell.args(["-euo", "pipefail", "-c", &script]).current_dir(&folder);
    shell
        .env("KUBECONFIG", &here.kubeconfig)
        .env("TMPDIR", &folder)
        .env("CARGO_TARGET_DIR", root().join("clients/rust/target/page"));
    assert_eq!(run(&mut shell), by_hand);
    let left = fs::read_dir(&folder).expect("the folder").map(|entry| entry.expect("an entry").file_name());
    let left: Vec<_> = left.filter(|name| !name.to_string_lossy().starts_with("tmp.")).collect();
    assert_eq!(left, ["clients"], "the commands leave nothing");
    fs::remove_dir_all(&folder).expect("the folder");

    let api = Api::connect(here.kubeconfig.to_str()).await.expect("a client");
    let objects = read(&api, "looked", "web").await.expect("the set");
    let stored = here.kubectl("get --raw /apis/apps/v1/namespaces/looked/statefulsets/web", "");
    assert_eq!(objects.set.text(), stored.trim_end());
    assert_eq!((objects.other_sets.len(), objects.other_sets[0].kind()), (1, "StatefulSet"));
}

/// Splits lines at the one that has a text.
fn split<'a>(lines: &'a str, text: &str) -> (&'a str, &'a str, &'a str) {
    let at = lines.find(text).expect(text);
    let begin = lines[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = lines[at..].find('\n').map_or(lines.len(), |length| at + length);
    (&lines[..begin], &lines[begin..end], &lines[end..])
}
