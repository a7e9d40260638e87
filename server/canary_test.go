package server

import (
	"bytes"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// canary is put where people put secrets, one place at a time, and looked for in everything that leaves the server.
const canary = "canary-5up3r-s3cr3t"

// mayTell lists the places whose text may leave, by where it leaves. Text from any other place is a leak, and a place that is
// listed and does not leave fails the test, too. docs/security.md has the list for people.
var mayTell = map[string][]string{
	// Names of objects, the API's messages, and invalid values of a policy. From JSON: a claim template's name, which is in the claims'
	// names; the key of a label whose value is not a string; a drain template's restart policy, and the names of its containers that may be
	// stopped.
	"plan": {
		"snapshot.claims[].name", "snapshot.claims[].uid", "snapshot.pods[].name", "snapshot.pods[].uid", "snapshot.revisions[].name",
		"snapshot.outcomes[].message",
		"snapshot.policy.drain.pod_template:spec.containers[].name", "snapshot.policy.drain.pod_template:spec.restartPolicy",
		"snapshot.set.annotations{}", "snapshot.set.annotations{}:spec.containers[].name", "snapshot.set.annotations{}:spec.restartPolicy",
		"snapshot.set.claim_templates[]:metadata.name", "snapshot.set.kind", "snapshot.set.name", "snapshot.set.namespace",
		"snapshot.set.pod_template:metadata.labels.k{key}",
		"snapshot.set.status.current_revision", "snapshot.set.uid",
	},
	"refusal": nil,
	"log":     {"snapshot.set.name", "snapshot.set.namespace", "snapshot.set.uid"},
}

// maxSentence bounds the text of one block or cause, however much it quotes.
const maxSentence = 2 << 10

// TestCanary puts a secret into every text of a request (a new field's from its first day) and into every value and key of
// the JSON in it. It looks for it in a server's most verbose log, its metrics, its refusals, and the texts of a plan.
func TestCanary(t *testing.T) {
	found := map[string]map[string]bool{"plan": {}, "refusal": {}, "log": {}}
	tried, planned := 0, 0
	for name, base := range canaryRequests(t) {
		for batch := range slices.Chunk(places(t, base), failuresAtOnce*4/5) { // so that every line is in the log
			log := &buffer{}
			debug := &slog.HandlerOptions{Level: slog.LevelDebug}
			r := start(t, Config{MetricsAddress: "127.0.0.1:0", Log: slog.New(slog.NewMultiHandler(
				slog.NewTextHandler(log, debug), slog.NewJSONHandler(log, debug)))}, nil)
			planner := r.planner(t)
			for _, p := range batch {
				tried++
				before := len(log.String())
				response, err := planner.Plan(testContext(t), p.with(canary))
				if err == nil {
					planned++
				}
				if said := log.String()[before:]; strings.Contains(said, canary) {
					found["log"][p.path] = true
				}
				if strings.Contains(told(err), canary) {
					found["refusal"][p.path] = true
				}
				if strings.Contains(strings.Join(readable(response), "\n"), canary) {
					found["plan"][p.path] = true
				}
				long, err := r.service.Plan(testContext(t), p.with(strings.Repeat(canary, 1000)))
				if n := longestSentence(long, err); n > maxSentence {
					t.Errorf("%s: %d bytes are said about the text of %s", name, n, p.path)
				}
			}
			if metrics := get(t, "http://"+r.MetricsAddr().String()+"/metrics", http.StatusOK); strings.Contains(metrics, canary) {
				t.Errorf("%s: the metrics have it", name)
			}
			if strings.Contains(log.String(), "left out") {
				t.Errorf("%s: the test has not seen every line", name)
			}
		}
	}
	for exit, paths := range found {
		if diff := cmp.Diff(slices.Sorted(slices.Values(mayTell[exit])), slices.Sorted(maps.Keys(paths)), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: what may leave (-) and what leaves (+):\n%s", exit, diff)
		}
	}
	if t.Logf("%d places, %d plans", tried, planned); tried < 1000 || planned < 500 {
		t.Errorf("only %d places were tried, and %d planned", tried, planned)
	}
}

// TestCanaryInBytes: bytes that are no message of the contract may be a secret, too.
func TestCanaryInBytes(t *testing.T) {
	r := start(t, Config{}, nil)
	connection := r.dial(t)
	whole, err := proto.Marshal(request())
	if err != nil {
		t.Fatal(err)
	}
	whole = bytes.ReplaceAll(whole, []byte(secret), []byte(canary)[:len(secret)])
	const cuts = failuresAtOnce * 2 / 5
	for n := range cuts {
		cut := len(whole) * n / cuts
		for _, data := range [][]byte{whole[cut:], append(bytes.Clone(whole[:cut]), 0xff)} {
			if err := (raw{connection}).plan(testContext(t), data); strings.Contains(told(err), canary[:len(secret)]) {
				t.Errorf("it is told: %v", err)
			}
		}
	}
	if strings.Contains(r.log.String(), canary[:len(secret)]) {
		t.Error("it is logged")
	}
}

// told returns all that a refusal says.
func told(err error) string {
	s := status.Convert(err)
	return fmt.Sprint(s.Message(), s.Details(), err)
}

// readable returns what people read of a plan: its texts, but not its documents, which are the objects to create.
func readable(response *setplanv1.PlanResponse) (sentences []string) {
	for _, text := range textsOf(response) {
		if !text.document {
			sentences = append(sentences, text.get())
		}
	}
	return sentences
}

// longestSentence ignores names: a caller chooses how long the names of objects are.
func longestSentence(response *setplanv1.PlanResponse, refused error) int {
	longest := len(status.Convert(refused).Message())
	for _, text := range textsOf(response) {
		if field := text.path[strings.LastIndexByte(text.path, '.')+1:]; field == "message" || field == "remedy" {
			longest = max(longest, len(text.get()))
		}
	}
	return longest
}

// canaryRequests are a new set, a set in the middle of its life, and the recorded requests, which have every field of the
// contract.
func canaryRequests(t *testing.T) map[string]*setplanv1.PlanRequest {
	t.Helper()
	all := map[string]*setplanv1.PlanRequest{}
	fresh := request()
	fresh.Snapshot.Set.Replicas = proto.Int32(2)
	fresh.Snapshot.Set.PodTemplate = []byte(canaryTemplate)
	fresh.Snapshot.Set.ClaimTemplates = [][]byte{[]byte(canaryClaim)}
	fresh.Snapshot.Set.Annotations = map[string]string{"note": "x"}
	all["fresh"] = fresh

	running := proto.CloneOf(fresh)
	running.Snapshot.Revisions = []*setplanv1.Revision{{Name: "web-1", Uid: "u-r1", Number: 1, OwnerSetIndex: 1,
		Labels: map[string]string{"app": "web"}, Data: []byte(`{"spec":{"template":{"$patch":"replace",` + canaryTemplate[1:] + `}}`)}}
	running.Snapshot.Pods = []*setplanv1.Pod{{Name: "web-0", Uid: "u-0", Phase: setplanv1.PodPhase_POD_PHASE_RUNNING, Ready: true, OwnerSetIndex: 1, LabelSetIndex: 1}}
	running.Snapshot.Tables = &setplanv1.Tables{
		OwnerSets: []*setplanv1.OwnerSet{{}, {Owners: []*setplanv1.OwnerReference{{ApiVersion: "apps/v1", Kind: "StatefulSet", Name: "web", Uid: "u-set", Controller: true}}}},
		LabelSets: []*setplanv1.LabelSet{{}, {Labels: map[string]string{"app": "web"}}},
	}
	running.Snapshot.Outcomes = []*setplanv1.Outcome{{ActionId: firstAction(t, running), Message: "no",
		Result: setplanv1.OutcomeResult_OUTCOME_RESULT_REJECTED}}
	all["running"] = running

	draining := proto.CloneOf(running)
	draining.Snapshot.Set.Replicas = proto.Int32(0)
	draining.Snapshot.Claims = []*setplanv1.Claim{{Name: "www-web-0", Uid: "u-c0", Phase: setplanv1.ClaimPhase_CLAIM_PHASE_BOUND}}
	drainTemplate := strings.NewReplacer(`"Always"`, `"Never"`, `"app":"web"`, `"app":"drain"`).Replace(canaryTemplate)
	draining.Snapshot.Policy = &setplanv1.Policy{Drain: &setplanv1.DrainPolicy{PodTemplate: []byte(drainTemplate), Leftovers: proto.Bool(true),
		Proof: setplanv1.DrainProof_DRAIN_PROOF_TOKEN}}
	all["draining"] = draining
	for name, text := range map[string]string{"draining by annotations": drainTemplate, "and in YAML": yamlComment + drainTemplate} {
		annotated := proto.CloneOf(draining)
		annotated.Snapshot.Policy = nil
		annotated.Snapshot.Set.Annotations = map[string]string{"note": "x", "setplan.io/repair": "Never", "setplan.io/drain-pod-template": text,
			"statefulsets.kubernetes.io/drainer-pod-template": "x", "setplan.io/drain-scale-up": "Finish", "setplan.io/drain-max-parallel": "5",
			"setplan.io/drain-leftovers": "true", "setplan.io/drain-on-delete": "true", "setplan.io/drain-ask": "false",
			"setplan.io/drain-proof": "Token"}
		all[name] = annotated
	}

	marked := proto.CloneOf(running) // its drain policy was removed
	marked.Snapshot.Claims = proto.CloneOf(draining).Snapshot.Claims
	marked.Snapshot.Claims[0].AnnotationSetIndex = 1
	marked.Snapshot.Tables.AnnotationSets = []*setplanv1.AnnotationSet{{}, {Annotations: map[string]string{
		"setplan.io/drain-set": "web/u-set", "setplan.io/drain-attempts": "3", "setplan.io/drain-begun": "2026-01-31T12:00:00Z"}}}
	all["marked"] = marked

	lost := proto.CloneOf(running) // the revision in its status does not exist
	lost.Snapshot.Set.Status = &setplanv1.StatefulSetStatus{CurrentRevision: proto.String("web-lost"), UpdateRevision: proto.String("web-lost")}
	all["lost"] = lost

	odd := proto.CloneOf(fresh)
	odd.Snapshot.Set.PodTemplate = []byte(strings.Replace(canaryTemplate, `"app":"web"`, `"app":"web","k":1`, 1))
	all["a label that is not a string"] = odd
	twice := proto.CloneOf(fresh)
	twice.Snapshot.Set.ClaimTemplates = append(twice.Snapshot.Set.ClaimTemplates, []byte(canaryClaim))
	all["two claim templates of a name"] = twice

	small := proto.CloneOf(running) // its documents have been tried already
	small.Snapshot.Set.PodTemplate = request().Snapshot.Set.PodTemplate
	small.Snapshot.Set.ClaimTemplates = [][]byte{[]byte(`{"metadata":{"name":"www"}}`)}
	small.Snapshot.Revisions[0].Data = []byte(`{}`)
	for _, file := range []string{"v0.1.0-plan-request-1", "v0.1.0-plan-request-2", "v0.1.0-plan-request-3", "v0.1.0-plan-request-zeros"} {
		data, err := os.ReadFile("../proto/testdata/wire/" + file + ".binpb")
		recorded := &setplanv1.PlanRequest{}
		if err == nil {
			err = proto.Unmarshal(data, recorded)
		}
		if err != nil {
			t.Fatal(err)
		}
		// By itself it has every field, with values that mean nothing, and is refused.
		whole := proto.CloneOf(small)
		proto.Merge(whole, recorded)
		all[file] = whole
	}
	return all
}

func firstAction(t *testing.T, request *setplanv1.PlanRequest) string {
	t.Helper()
	response, err := NewService(ServiceOptions{}).Plan(testContext(t), request)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range textsOf(response) {
		if strings.HasSuffix(text.path, "actions[].id") {
			return text.get()
		}
	}
	t.Fatalf("nothing is to be done: %v", response)
	return ""
}

const canaryTemplate = `{"metadata":{"labels":{"app":"web"},"annotations":{"note":"x"},"name":"n"},"spec":{"restartPolicy":"Always",` +
	`"nodeSelector":{"disk":"fast"},"hostname":"h","subdomain":"s","serviceAccountName":"db","imagePullSecrets":[{"name":"pull"}],` +
	`"volumes":[{"name":"v","secret":{"secretName":"password"}},{"name":"www","persistentVolumeClaim":{"claimName":"c"}}],` +
	`"initContainers":[{"name":"i","image":"i:1"}],` +
	`"containers":[{"name":"c","image":"c:1","command":["sh","-c","run --password=x"],"args":["--token=x"],` +
	`"env":[{"name":"PASSWORD","value":"x"},{"name":"FROM","valueFrom":{"secretKeyRef":{"name":"s","key":"k"}}}],` +
	`"lifecycle":{"preStop":{"exec":{"command":["stop"]}}},"livenessProbe":{"httpGet":{"path":"/","httpHeaders":[{"name":"A","value":"x"}]}},` +
	`"volumeMounts":[{"name":"www","mountPath":"/www"}]}]}}`

const canaryClaim = `{"metadata":{"name":"www","labels":{"l":"x"},"annotations":{"a":"x"}},` +
	`"spec":{"accessModes":["ReadWriteOnce"],"storageClassName":"fast","selector":{"matchLabels":{"m":"x"}},` +
	`"resources":{"requests":{"storage":"1Gi"}},"dataSource":{"kind":"K","name":"n"}}}`
