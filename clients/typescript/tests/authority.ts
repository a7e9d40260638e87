// Certificates for tests.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const EC = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"];

/** Signs certificates for 127.0.0.1, and writes them as PEM files. */
export class Authority {
  readonly #folder = mkdtempSync(path.join(tmpdir(), "setplan-authority-"));

  constructor(name: string) {
    openssl([...EC, "-subj", `/CN=${name}`, "-keyout", this.#own("key"), "-out", this.#own("crt")]);
  }

  /** Writes ca.crt, and a certificate and a key of this name. */
  write(folder: string, name: string): void {
    copyFileSync(this.#own("crt"), path.join(folder, "ca.crt"));
    const signed = ["-CA", this.#own("crt"), "-CAkey", this.#own("key"), "-subj", `/CN=${name}`];
    const says = ["-addext", `subjectAltName=IP:127.0.0.1,DNS:${name}`, "-addext", "basicConstraints=critical,CA:FALSE"];
    const files = ["-keyout", path.join(folder, `${name}.key`), "-out", path.join(folder, `${name}.crt`)];
    openssl([...EC, ...signed, ...says, ...files]);
  }

  #own(suffix: string): string {
    return path.join(this.#folder, `ca.${suffix}`);
  }
}

function openssl(args: string[]): void {
  execFileSync("openssl", args, { stdio: ["ignore", "ignore", "pipe"] });
}
