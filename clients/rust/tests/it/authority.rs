//! Certificates for tests, by openssl.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Writes ca.crt and ca.key of a new authority.
pub fn authority(folder: &Path, name: &str) {
    fs::create_dir_all(folder).expect("a folder");
    openssl(folder, &["-subj", &format!("/CN={name}"), "-keyout", "ca.key", "-out", "ca.crt"]);
}

/// Writes ca.crt, and a certificate and a key of this name for 127.0.0.1, into a folder.
pub fn sign(authority: &Path, folder: &Path, name: &str) {
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
