// Makes the snapshot of the objects of every vector, and compares it with that of its request. What it knows stands in
// snapshot.proto and SPEC.md: it is a test of their sentences.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { isDeepStrictEqual } = require('node:util');
const { difference } = require('./difference.js');

const folder = path.join(__dirname, '..', '..', 'proto', 'testdata', 'vectors');

// raw is the text of a value within JSON, as it stands: JSON.parse would lose digits of numbers. Undefined where there is none.
function raw(text, keys) {
  const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
  const next = () => token.exec(text)[0];
  const skip = (first) => { // to the end of a value
    let depth = 0;
    for (let t = first; ; t = next()) {
      if (t === '{' || t === '[') depth++;
      if (t === '}' || t === ']') depth--;
      if (depth === 0) return token.lastIndex;
    }
  };
  for (const key of keys) {
    next();
    for (let i = 0; ; i++) {
      const name = typeof key === 'string' ? next() : i;
      if (name === '}') return undefined;
      if (typeof key === 'string') next();
      if (typeof key === 'string' ? JSON.parse(name) === key : i === key) break;
      skip(next());
      if (next() !== ',') return undefined;
    }
  }
  const first = next();
  const start = token.lastIndex - first.length;
  return text.slice(start, skip(first));
}

const base64 = (text) => Buffer.from(text).toString('base64');
const millis = (time) => (time ? String(Date.parse(time)) : undefined);
const controls = (set, object) => (object.metadata.ownerReferences || []).some((o) => o.controller && o.uid === set.metadata.uid);
const ordinalOf = (name, base) => name.startsWith(base + '-') && /^[0-9]+$/.test(name.slice(base.length + 1));

// tables hold what objects share; an index stands for an entry, and none for nothing.
function newTables() {
  const tables = { labelSets: [{}], ownerSets: [{}], revisionNames: [''], volumeSets: [{}], annotationSets: [{}], claimStorages: [{}] };
  const index = (table, entry, empty) => {
    if (empty) return undefined;
    const at = tables[table].findIndex((e) => isDeepStrictEqual(e, entry));
    return at >= 0 ? at : tables[table].push(entry) - 1;
  };
  const owners = ({ metadata: { ownerReferences = [] } }) => index('ownerSets', { owners: ownerReferences.map(clean) }, ownerReferences.length === 0);
  const annotations = (object) => {
    const own = Object.fromEntries(Object.entries(object.metadata.annotations || {}).filter(([key]) => key.startsWith('setplan.io/')));
    return index('annotationSets', { annotations: own }, Object.keys(own).length === 0);
  };
  const storage = ({ spec = {}, status = {} }) => {
    const entry = clean({
      request: spec.resources?.requests?.storage, capacity: status.capacity?.storage, resizeStatus: status.allocatedResourceStatuses?.storage,
      storageClass: spec.storageClassName, attributesClass: spec.volumeAttributesClassName, modifyStatus: status.modifyVolumeStatus?.status,
      currentAttributesClass: status.currentVolumeAttributesClassName, conditions: (status.conditions || []).map(clean),
    });
    return index('claimStorages', entry, Object.keys(entry).length === 0);
  };
  return { tables, index, owners, annotations, storage };
}

// clean takes off what protobuf does not send: a field that is not set, or has the value that such a field has.
const isUnset = (value) => [undefined, null, false, '', '0', 0].includes(value) || (Array.isArray(value) && value.length === 0);
const clean = (message) => Object.fromEntries(Object.entries(message).filter(([, value]) => !isUnset(value)));

// resources are the cpu and the memory of a container, with the texts of the API server; undefined where it is not said.
function resources(of) {
  const amounts = (list) => Object.fromEntries(Object.entries(list || {}).filter(([name]) => ['cpu', 'memory'].includes(name)));
  return of && Object.fromEntries(['requests', 'limits'].map((list) => [list, amounts(of[list])]).filter(([, list]) => Object.keys(list).length > 0));
}

// resize is a condition of a pod whose resources change, if it is true.
function resize(conditions, type, of) {
  const i = (conditions || []).findIndex((c) => c.type === type && c.status === 'True');
  const { reason, message = '', lastTransitionTime } = conditions?.[i] || {};
  return i < 0 ? undefined : clean({
    reason, message: cut(message, 1024), sinceUnixMs: millis(lastTransitionTime), observedGeneration: of('status', 'conditions', i, 'observedGeneration'),
  });
}

// running is what runs in a pod whose images and resources may change in place.
function running({ metadata: { annotations }, spec = {}, status = {} }, of) {
  if (annotations?.['setplan.io/in-place-update'] === undefined) return undefined;
  const list = (containers, statuses) => (containers || []).map(({ name, image, resources: asked }) => {
    const wanted = resources(asked);
    const { image: statusImage, imageID: imageId, containerID: containerId, state = {}, resources: given } = (statuses || []).find((s) => s.name === name) || {};
    return clean({
      name, image, statusImage, imageId, containerId, startedUnixMs: millis(state.running?.startedAt), waitingReason: state.waiting?.reason,
      resources: Object.keys(wanted || {}).length > 0 ? wanted : undefined, statusResources: resources(given),
    });
  });
  return clean({
    generation: of('metadata', 'generation'), observedGeneration: of('status', 'observedGeneration'),
    containers: list(spec.containers, status.containerStatuses), initContainers: list(spec.initContainers, status.initContainerStatuses),
    resizePending: resize(status.conditions, 'PodResizePending', of), resizeInProgress: resize(status.conditions, 'PodResizeInProgress', of),
  });
}

function pod(t, object, of) {
  const { metadata: { name, labels = {} }, spec = {}, status = {} } = object;
  const condition = (type) => (status.conditions || []).find((c) => c.type === type);
  const ready = condition('Ready');
  const [, digits] = /-([0-9]+)$/.exec(name) || [];
  const rest = { ...labels };
  const podNameLabel = labels['statefulset.kubernetes.io/pod-name'] === name;
  const podIndexLabel = digits !== undefined && labels['apps.kubernetes.io/pod-index'] === digits;
  if (podNameLabel) delete rest['statefulset.kubernetes.io/pod-name'];
  if (podIndexLabel) delete rest['apps.kubernetes.io/pod-index'];
  delete rest['controller-revision-hash'];
  const revision = labels['controller-revision-hash'] || '';
  const bound = (spec.volumes || []).filter((v) => v.persistentVolumeClaim);
  const own = bound.filter((v) => v.persistentVolumeClaim.claimName === `${v.name}-${name}`).map((v) => v.name);
  const others = bound.filter((v) => !own.includes(v.name)).map((v) => ({ volume: v.name, claim: v.persistentVolumeClaim.claimName }));
  const asked = (spec.containers || []).filter((c) => (c.env || []).some((e) => e.name === 'SETPLAN_DRAIN_TOKEN'));
  return clean({
    ...identity(object), phase: phase('POD_PHASE_', status.phase, ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown']),
    ready: ready?.status === 'True', podNameLabel, podIndexLabel, disrupted: condition('DisruptionTarget')?.status === 'True',
    readyChangedUnixMs: millis(ready?.lastTransitionTime), createdUnixMs: millis(object.metadata.creationTimestamp),
    startedUnixMs: ready?.status === 'True' ? undefined : millis(status.startTime),
    labelSetIndex: t.index('labelSets', { labels: rest }, Object.keys(rest).length === 0), ownerSetIndex: t.owners(object),
    revisionNameIndex: t.index('revisionNames', revision, revision === ''),
    volumeSetIndex: t.index('volumeSets', { volumes: own }, own.length === 0), annotationSetIndex: t.annotations(object), otherClaims: others,
    containers: running(object, of),
    terminationMessages: asked.map((c) => cut((status.containerStatuses || []).find((s) => s.name === c.name)?.state?.terminated?.message || '', 4096)),
  });
}

const identity = ({ metadata: m }) => ({ name: m.name, uid: m.uid, resourceVersion: m.resourceVersion, deletionUnixMs: millis(m.deletionTimestamp) });
const phase = (prefix, text, known) => (known.includes(text) ? prefix + text.toUpperCase() : undefined);
const cut = (text, bytes) => new TextDecoder().decode(Buffer.from(text).subarray(0, bytes)).replace(/\ufffd$/, '');

function setMessage(set, { template, claimTemplates, generation, observedGeneration = '0' }) {
  const { metadata: m, spec, status = {} } = set;
  const { updateStrategy: strategy, persistentVolumeClaimRetentionPolicy: retention } = spec;
  const rolling = strategy?.rollingUpdate;
  const budget = (most) => most !== undefined && (typeof most === 'number' ? { count: most } : { percent: most });
  const present = Object.entries({ replicas: spec.replicas, revisionHistoryLimit: spec.revisionHistoryLimit }).filter(([, v]) => v !== undefined);
  return {
    ...clean({
      ...identity(set), apiVersion: set.apiVersion, kind: set.kind, namespace: m.namespace, generation,
      annotations: m.annotations, finalizers: m.finalizers, ordinalsStart: spec.ordinals?.start, serviceName: spec.serviceName,
      podManagementPolicy: spec.podManagementPolicy, minReadySeconds: spec.minReadySeconds,
      podTemplate: base64(template), claimTemplates: claimTemplates.map(base64),
      selector: spec.selector && clean({ matchLabels: spec.selector.matchLabels, matchExpressions: spec.selector.matchExpressions }),
      updateStrategy: strategy && clean({ type: strategy.type,
        rollingUpdate: rolling && clean({ partition: rolling.partition, maxUnavailable: budget(rolling.maxUnavailable) }) }),
      claimRetention: retention && clean(retention),
    }),
    ...Object.fromEntries(present), // a zero that is there counts
    status: { ...status, observedGeneration },
  };
}

function snapshot(objects, text) {
  const { set, otherSets = [], pods = [], claims = [], revisions = [] } = objects;
  const { name, namespace } = set.metadata;
  const templates = (s) => s.spec.volumeClaimTemplates || [];
  const named = (s) => templates(s).map((c) => c.metadata?.name).filter(Boolean);
  const here = (object) => object.metadata.namespace === namespace;
  const belongs = (r) => controls(set, r) || !(r.metadata.ownerReferences || []).some((o) => o.controller) || r.metadata.name.startsWith(name + '-');
  const t = newTables();
  const of = (...keys) => raw(text, ['objects', ...keys]);
  return {
    set: setMessage(set, {
      template: of('set', 'spec', 'template'), claimTemplates: templates(set).map((_, i) => of('set', 'spec', 'volumeClaimTemplates', i)),
      generation: of('set', 'metadata', 'generation'), observedGeneration: of('set', 'status', 'observedGeneration'),
    }),
    pods: pods.map((p, i) => [p, i]).filter(([p]) => here(p) && (controls(set, p) || ordinalOf(p.metadata.name, name)))
      .map(([p, i]) => pod(t, p, (...keys) => of('pods', i, ...keys))),
    claims: claims.filter((c) => here(c) && named(set).some((template) => ordinalOf(c.metadata.name, `${template}-${name}`))).map((c) => clean({
      ...identity(c), phase: phase('CLAIM_PHASE_', c.status?.phase, ['Pending', 'Bound', 'Lost']),
      ownerSetIndex: t.owners(c), annotationSetIndex: t.annotations(c), storageIndex: t.storage(c),
    })),
    revisions: revisions.map((r, i) => [r, i]).filter(([r]) => here(r) && belongs(r)).map(([r, i]) => clean({
      ...identity(r), number: of('revisions', i, 'revision'), ownerSetIndex: t.owners(r), labels: r.metadata.labels,
      createdUnixMs: millis(r.metadata.creationTimestamp), data: base64(of('revisions', i, 'data')),
    })),
    claimNeighbours: otherSets.filter(here).flatMap((other) => named(set)
      .filter((template) => named(other).some((their) => `${their}-${other.metadata.name}` === `${template}-${name}`))
      .map((template) => ({ set: other.metadata.name, claimTemplate: template }))),
    tables: t.tables,
  };
}

// spelledOut has the entries of tables in place of indexes, lists in the order of names, and JSON without blanks.
function spelledOut({ set, pods = [], claims = [], revisions = [], claimNeighbours = [], tables = {} }) {
  const entry = (table, index) => tables[table]?.[index || 0] || {};
  const out = (object) => {
    const { labelSetIndex, ownerSetIndex, revisionNameIndex, volumeSetIndex, annotationSetIndex, storageIndex, ...rest } = object;
    return {
      ...rest, ...(rest.data && { data: compact(rest.data) }), labelSet: entry('labelSets', labelSetIndex), owners: entry('ownerSets', ownerSetIndex),
      revision: tables.revisionNames?.[revisionNameIndex || 0] || '', volumes: entry('volumeSets', volumeSetIndex),
      annotations: entry('annotationSets', annotationSetIndex), storage: entry('claimStorages', storageIndex),
    };
  };
  const byName = (list, key) => list.map(out).sort((a, b) => (key(a) < key(b) ? -1 : 1));
  const status = clean({ ...set.status, conditions: set.status?.conditions?.map(clean) }); // 0 and not set are the same there
  return {
    set: { ...set, podTemplate: compact(set.podTemplate), claimTemplates: set.claimTemplates?.map(compact), status },
    pods: byName(pods, (o) => o.name), claims: byName(claims, (o) => o.name), revisions: byName(revisions, (o) => o.name),
    claimNeighbours: byName(claimNeighbours, (n) => n.set + ' ' + n.claimTemplate),
  };
}

const compact = (data) => Buffer.from(data || '', 'base64').toString().match(/"(?:[^"\\]|\\.)*"|[^\s"]+/g).join('');

let compared = 0;
const failed = [];
for (const name of fs.readdirSync(folder, { recursive: true }).filter((n) => n.endsWith('.json')).sort()) {
  const text = fs.readFileSync(path.join(folder, name), 'utf8');
  const vector = JSON.parse(text);
  if (!vector.objects) continue;
  compared++;
  const differs = difference(spelledOut(snapshot(vector.objects, text)), spelledOut(vector.request.snapshot));
  if (differs) failed.push(`${name} ${differs}`);
}
for (const text of failed.slice(0, 20)) console.error(text);
console.log(`${compared} snapshots compared, ${failed.length} differ`);
if (failed.length > 0 || compared < 250) process.exitCode = 1;
