//! What the client does with options, certificates, failures and limits.

use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::time::Duration;
use std::{env, fs};

use prost::Message;
use setplan::v1::{Block, ErrorReason, Plan, PlanRequest, PlanResponse, Snapshot, StatefulSet};
use setplan::{Error, Kind, Options, Planner, TlsFiles};
use tonic::{Code, Status};
use tonic_types::{RetryInfo, pb};

use crate::fakes::{converged, serve};
use crate::servers::{Server, server};

/// Makes a snapshot of about so many bytes.
fn sized(size: usize) -> Snapshot {
    let set = StatefulSet { pod_template: vec![0; size], ..StatefulSet::default() };
    Snapshot { set: Some(set), ..Snapshot::default() }
}

pub fn planner(address: &str) -> Planner {
    Planner::connect(address, Options::insecure()).expect("a planner")
}

#[test]
fn options_are_checked() {
    let tls = |files| Options::tls(files);
    let file = |name: &str| Some(PathBuf::from(name));
    let addresses = ["", "planner", ":1", "a/b:1", "::1:1", "planner:x"].map(|address| (address, Options::insecure(), "HOST:PORT"));
    let others = [
        ("planner:1", Options { timeout: Duration::ZERO, ..Options::insecure() }, "timeout"),
        ("planner:1", Options { max_message_bytes: 0, ..Options::insecure() }, "limit"),
        ("planner:1", Options { user_agent: "a\nb".to_owned(), ..Options::insecure() }, "options of the connection"),
        ("planner:1", tls(TlsFiles { certificate: file("a"), ..TlsFiles::default() }), "both"),
        ("planner:1", tls(TlsFiles { ca: file("/nowhere/ca.crt"), ..TlsFiles::default() }), "/nowhere/ca.crt"),
        ("planner:1", tls(TlsFiles { ca: file("/dev/null"), ..TlsFiles::default() }), "/dev/null holds no certificate"),
    ];
    for (target, options, message) in addresses.into_iter().chain(others) {
        let error = Planner::connect(target, options).err().unwrap_or_else(|| panic!("no error for {target} {message}"));
        assert_eq!(error.kind, Kind::Options);
        assert!(error.message.contains(message), "{error}");
    }
    for target in ["planner:1", "dns:///planner:1", "[::1]:1", "127.0.0.1:1"] {
        assert!(Planner::connect(target, Options::insecure()).is_ok(), "{target}");
    }
}

#[tokio::test]
async fn an_answer_without_a_plan_or_with_an_error_after_it_is_an_error() {
    let failed = [converged(), vec![Err(Status::data_loss("a bug"))]].concat();
    let answers = [(vec![Ok(PlanResponse::default())], "the planner answered without a plan"), (failed, "a bug")];
    for (answer, message) in answers {
        let serving = serve("127.0.0.1:0", move |_| answer.clone()).await;
        let error = planner(&serving.address).plan(sized(1)).await.expect_err("no plan");
        assert_eq!(error.message, message);
    }
}

#[tokio::test]
async fn only_unavailable_is_retried() {
    let cases = [Code::Unavailable, Code::Internal, Code::InvalidArgument, Code::ResourceExhausted, Code::FailedPrecondition];
    for code in cases {
        let answer = move |call| if call < 3 { vec![Err(Status::new(code, "not now"))] } else { converged() };
        let serving = serve("127.0.0.1:0", answer).await;
        let answer = planner(&serving.address).plan(sized(20 << 20)).await;
        if code == Code::Unavailable {
            assert!(answer.is_ok());
            assert_eq!(serving.headers().len(), 3);
        } else {
            let error = answer.expect_err("an error");
            assert_eq!((error.code, error.message.as_str(), error.reason), (code, "not now", ErrorReason::Unspecified));
            assert_eq!(serving.headers().len(), 1);
        }
    }
}

#[tokio::test]
async fn no_server_and_one_that_comes() {
    let gone = serve("127.0.0.1:0", |_| converged()).await;
    let address = gone.address.clone();
    gone.kill().await;
    for address in [&address, "nowhere.invalid:1"] {
        let error = planner(address).plan(sized(1)).await.expect_err("no plan");
        assert_eq!((error.kind, error.code), (Kind::Unreachable, Code::Unavailable), "{error}");
    }
    let start = async {
        tokio::time::sleep(Duration::from_millis(100)).await; // the first attempt fails
        serve(&address, |_| converged()).await
    };
    let asking = planner(&address);
    let (plan, _serving) = tokio::join!(asking.plan(sized(1 << 20)), start);
    assert!(plan.expect("a plan").converged);
}

#[tokio::test]
async fn the_deadline_is_kept_and_sent_with_the_user_agent() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = silent.local_addr().expect("an address").to_string();
    let options = Options { timeout: Duration::from_millis(300), ..Options::insecure() };
    let error = Planner::connect(&address, options).expect("a planner").plan(sized(1)).await.expect_err("no plan");
    assert_eq!((error.kind, error.code), (Kind::Unreachable, Code::DeadlineExceeded));

    let serving = serve("127.0.0.1:0", |_| converged()).await;
    let options = Options { timeout: Duration::from_hours(1), user_agent: "my-operator/1.2".to_owned(), ..Options::insecure() };
    Planner::connect(&serving.address, options).expect("a planner").plan(sized(1)).await.expect("a plan");
    let headers = serving.headers();
    let [sent, agent] = ["grpc-timeout", "user-agent"].map(|name| headers[0][name].to_str().expect("a text"));
    let left: u32 = sent.trim_end_matches('m').parse().expect("milliseconds");
    assert!((3_500_000..=3_600_000).contains(&left), "{sent}");
    assert!(agent.starts_with("my-operator/1.2 setplan-rust/0.1.0 tonic/"), "{agent}");
}

#[tokio::test]
async fn limits_of_messages() {
    let limit = 1 << 20;
    let long = Block { message: "x".repeat(limit), ..Block::default() };
    let long = PlanResponse { plan: Some(Plan { blocks: vec![long], ..Plan::default() }), ..PlanResponse::default() };
    let serving = serve("127.0.0.1:0", move |_| vec![Ok(long.clone())]).await;
    let options = Options { max_message_bytes: limit, ..Options::insecure() };
    let asking = Planner::connect(&serving.address, options).expect("a planner");
    for (code, size) in [(Code::ResourceExhausted, limit), (Code::OutOfRange, 1)] {
        let error = asking.plan(sized(size)).await.expect_err("no plan");
        assert_eq!((error.kind, error.code), (Kind::MessageTooLarge, code), "{error}");
        assert!(error.message.contains(&limit.to_string()), "{error}");
    }
}

#[tokio::test]
async fn a_real_server() {
    let running = server(&["--max-message-bytes=1024".to_owned()]).await;
    let asking = planner(&running.address);
    assert!(!asking.server_info().await.expect("its version").version.is_empty());
    let error = asking.plan(PlanRequest::default()).await.expect_err("no plan");
    assert_eq!((error.kind, error.violations[0].field.as_str()), (Kind::InvalidSnapshot, "snapshot"));
    let error = asking.plan(sized(2_000)).await.expect_err("no plan");
    assert!(error.kind == Kind::MessageTooLarge && error.message.contains("1024"), "{error}");
}

#[test]
fn a_wait_for_no_time_is_none() {
    for (seconds, after) in [(2, Some(Duration::from_secs(2))), (-1, None), (i64::MIN, None)] {
        let info = pb::RetryInfo { retry_delay: Some(prost_types::Duration { seconds, nanos: 0 }) };
        let detail = prost_types::Any { type_url: RetryInfo::TYPE_URL.to_owned(), value: info.encode_to_vec() };
        let told = pb::Status { details: vec![detail], ..pb::Status::default() };
        let status = Status::with_details(Code::ResourceExhausted, "no room", told.encode_to_vec().into());
        assert_eq!(Error::of_status(&status).retry_after, after, "{seconds}");
    }
}

#[tokio::test]
async fn certificates_are_read_again() {
    // A server with another authority takes the place of the first; the client gets new files, and needs no restart.
    let here = env::temp_dir().join(format!("setplan-rust-{}", process::id()));
    let ours = here.join("client");
    let [first, second] = ["first", "second"].map(|name| here.join(name));
    authority(&first, "first");
    authority(&second, "second");
    sign(&first, &ours, "operator");
    let file = |name: &str| Some(ours.join(name));
    let files = TlsFiles { ca: file("ca.crt"), certificate: file("operator.crt"), key: file("operator.key") };
    let running = mutual(&here, &first, "127.0.0.1:0").await;
    let address = running.address.clone();
    let asking = Planner::connect(&address, Options::tls(files)).expect("a planner");
    asking.server_info().await.expect("an answer");
    running.kill().await;
    let _running = mutual(&here, &second, &address).await;
    let error: Error = asking.server_info().await.expect_err("another authority");
    assert_eq!(error.kind, Kind::Unreachable, "{error}");
    sign(&second, &ours, "operator");
    asking.server_info().await.expect("the new files");
    // What was read goes on while files are replaced.
    let key = fs::read(ours.join("operator.key")).expect("a key");
    fs::write(ours.join("operator.key"), "half a key").expect("a file");
    asking.server_info().await.expect("the files before");
    fs::write(ours.join("operator.key"), key).expect("a file");
    fs::remove_file(ours.join("ca.crt")).expect("a file");
    asking.server_info().await.expect("the files before");
    fs::remove_dir_all(&here).expect("the folder");
}

async fn mutual(folder: &Path, authority: &Path, address: &str) -> Server {
    sign(authority, folder, "planner");
    let flags = [("tls-cert-file", "planner.crt"), ("tls-key-file", "planner.key"), ("client-ca-file", "ca.crt")];
    let flags = flags.map(|(flag, file)| format!("--{flag}={}", folder.join(file).display()));
    server(&[&flags[..], &[format!("--listen-address={address}")]].concat()).await
}

/// Writes ca.crt and ca.key of a new authority.
fn authority(folder: &Path, name: &str) {
    fs::create_dir_all(folder).expect("a folder");
    openssl(folder, &["-subj", &format!("/CN={name}"), "-keyout", "ca.key", "-out", "ca.crt"]);
}

/// Writes ca.crt, and a certificate and a key of this name for 127.0.0.1, into a folder.
fn sign(authority: &Path, folder: &Path, name: &str) {
    fs::create_dir_all(folder).expect("a folder");
    let [certificate, key] = ["ca.crt", "ca.key"].map(|file| authority.join(file).display().to_string());
    fs::copy(&certificate, folder.join("ca.crt")).expect("a copy");
    let (subject, says) = (format!("/CN={name}"), format!("subjectAltName=IP:127.0.0.1,DNS:{name}"));
    let signed = ["-CA", &certificate, "-CAkey", &key, "-subj", &subject, "-addext", &says];
    let files = ["-keyout", &format!("{name}.key"), "-out", &format!("{name}.crt")];
    let leaf = ["-addext", "basicConstraints=critical,CA:FALSE"];
    openssl(folder, &[&signed[..], &leaf[..], &files[..]].concat());
}

fn openssl(folder: &Path, args: &[&str]) {
    let key = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"];
    let done = Command::new("openssl").current_dir(folder).args(key).args(args).output().expect("openssl");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}
