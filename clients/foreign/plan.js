// Plans what every vector asks, on a real server, and compares: a client of setplan.v1 that has no code of Setplan's and no
// generated code, only the .proto files. README.md says how to run it.
'use strict';
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');
const { difference } = require('./difference.js');

const root = path.join(__dirname, '..', '..');
const proto = path.join(root, 'proto');
const folder = path.join(proto, 'testdata', 'vectors');
const program = process.argv[2] || path.join(root, 'bin', 'setplan-server');
// defaults: false keeps what was not sent apart from a zero that was.
const options = { includeDirs: [proto], longs: String, enums: String, bytes: String, defaults: false };
const contract = loader.loadSync('setplan/v1/service.proto', options);
const { Plan } = contract['setplan.v1.PlannerService'];

// The details of a status, from https://github.com/googleapis/googleapis/tree/master/google/rpc.
const field = (id, type, more) => ({ id, type, ...more });
const list = { rule: 'repeated' };
const rpc = loader.fromJSON({ nested: { rpc: { nested: {
  Any: { fields: { typeUrl: field(1, 'string'), value: field(2, 'bytes') } },
  Status: { fields: { code: field(1, 'int32'), message: field(2, 'string'), details: field(3, 'Any', list) } },
  ErrorInfo: { fields: { reason: field(1, 'string'), domain: field(2, 'string'), metadata: field(3, 'string', { keyType: 'string' }) } },
  FieldViolation: { fields: { field: field(1, 'string'), description: field(2, 'string') } },
  BadRequest: { fields: { fieldViolations: field(1, 'FieldViolation', list) } },
  Duration: { fields: { seconds: field(1, 'int64'), nanos: field(2, 'int32') } },
  RetryInfo: { fields: { retryDelay: field(1, 'Duration') } },
} } } }, { ...options, bytes: undefined });

// wire turns protobuf's JSON into what proto-loader takes and gives: only times and durations differ.
function wire(type, value) {
  if (type === 'google.protobuf.Timestamp') {
    const [, second, fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(value);
    return parts(Date.parse(second + 'Z') / 1000, fraction);
  }
  if (type === 'google.protobuf.Duration') {
    const [, seconds, fraction = ''] = /^(\d+)(?:\.(\d+))?s$/.exec(value);
    return parts(seconds, fraction);
  }
  const message = contract[`setplan.v1.${type}`];
  if (!message) return value; // a map of texts
  const fields = new Map(message.type.field.map((f) => [f.name, f]));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => {
    const f = fields.get(name);
    if (!f) throw new Error(`${type} has no field ${name}`);
    if (f.type !== 'TYPE_MESSAGE') return [name, inner];
    return [name, Array.isArray(inner) ? inner.map((element) => wire(f.typeName, element)) : wire(f.typeName, inner)];
  }));
}

function parts(seconds, fraction) {
  const nanos = Number(fraction.padEnd(9, '0'));
  return { ...(Number(seconds) && { seconds: String(seconds) }), ...(nanos && { nanos }) };
}

// readStatus reads the trailer grpc-status-details-bin into the form that vectors have.
function readStatus(bytes) {
  const status = rpc['rpc.Status'].deserialize(bytes);
  const out = { code: grpc.status[status.code], message: status.message };
  for (const { typeUrl, value } of status.details) {
    const detail = rpc[typeUrl.replace('type.googleapis.com/google.rpc.', 'rpc.')].deserialize(value);
    if (detail.reason) Object.assign(out, detail);
    if (detail.fieldViolations) out.violations = detail.fieldViolations;
    if (detail.retryDelay) out.retryDelay = `${detail.retryDelay.seconds}s`;
  }
  return out;
}

// start runs a server with limits, and resolves to a client of it.
function start(limits = {}) {
  const flags = Object.entries(limits).map(([name, value]) => `--${name.replace(/[A-Z]/g, (c) => '-' + c.toLowerCase())}=${value}`);
  const server = spawn(program, ['--listen-address', '127.0.0.1:0', ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
  return new Promise((resolve, reject) => {
    let log = '';
    server.on('error', reject);
    server.on('exit', () => reject(new Error(`${program} ended:\n${log}`)));
    server.stderr.on('data', (text) => {
      log = (log + text).slice(-10_000);
      const listening = /msg=listening addr=(\S+)/.exec(log);
      if (listening) resolve({ server, client: new grpc.Client(listening[1], grpc.credentials.createInsecure()) });
    });
  });
}

function ask(client, vector) {
  const bytes = vector.requestBytes ? Buffer.from(vector.requestBytes, 'base64') : Plan.requestSerialize(wire('PlanRequest', vector.request));
  return new Promise((resolve) => {
    client.makeUnaryRequest(Plan.path, (b) => b, Plan.responseDeserialize, bytes, { deadline: Date.now() + 60_000 }, (error, response) => {
      if (!error) return resolve({ plan: response.plan });
      const [details] = error.metadata.get('grpc-status-details-bin');
      const status = details ? readStatus(details) : {};
      const told = status.code === grpc.status[error.code] && status.message === error.details;
      return resolve({ error: told ? status : String(error) });
    });
  });
}

async function main() {
  const running = new Map();
  const count = { plans: 0, errors: 0 };
  const failed = [];
  try {
    for (const name of fs.readdirSync(folder, { recursive: true }).filter((n) => n.endsWith('.json')).sort()) {
      const vector = JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));
      let got;
      const { status, ...error } = vector.error || {};
      if (status) {
        got = { error: readStatus(Buffer.from(status, 'base64')) };
      } else {
        const key = JSON.stringify(vector.limits);
        if (!running.has(key)) running.set(key, await start(vector.limits));
        got = await ask(running.get(key).client, vector);
      }
      const want = vector.plan ? { plan: wire('Plan', vector.plan) } : { error };
      count[vector.plan ? 'plans' : 'errors']++;
      const differs = difference(got, want);
      if (differs) failed.push(`${name} ${differs}`);
    }
  } finally {
    for (const { server, client } of running.values()) {
      client.close();
      server.removeAllListeners('exit');
      server.kill();
    }
  }
  for (const text of failed.slice(0, 20)) console.error(text);
  console.log(`${count.plans} plans and ${count.errors} errors compared, ${failed.length} differ`);
  if (failed.length > 0 || count.plans < 300 || count.errors < 40) process.exitCode = 1;
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
