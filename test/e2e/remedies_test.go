//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/setplan/setplan/server"
	"github.com/setplan/setplan/test/vectors"
)

// objectOf finds what a remedy's command is about: a kind and a name, of which none has to exist for the rest.
var objectOf = regexp.MustCompile(`^kubectl -n \S+ (?:(logs)|\S+ (pod|pvc|statefulset|storageclass)) ([a-z0-9.-]+)`)

// manifests are objects of those kinds.
var manifests = map[string]string{
	"pod": `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"NAME"},"spec":{"containers":[{"name":"nginx","image":"registry.example/nginx:1"}]}}`,
	"pvc": `{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"NAME","annotations":{"setplan.io/claim-request":"1Gi"}},
		"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}`,
	"statefulset": `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"NAME"},"spec":{"replicas":0,"selector":{"matchLabels":{"app":"x"}},
		"template":{"metadata":{"labels":{"app":"x"}},"spec":{"containers":[{"name":"nginx","image":"registry.example/nginx:1"}]}}}}`,
	"storageclass": `{"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"NAME"},"provisioner":"kwok.x-k8s.io/volume"}`,
}

// TestRemedies runs the commands of all blocks that some vector has, each form once and as printed, in a namespace of its own. It first
// makes the object that a command names.
func TestRemedies(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	ctx := context.Background()
	made := must(vectors.Make(ctx, "../.."))(t)
	planner := server.NewService(server.ServiceOptions{})
	ran := map[string]bool{}
	for _, v := range made {
		request, err := v.PlanRequest()
		if err != nil || request.GetSnapshot().GetSet().GetApiVersion() != "apps/v1" {
			continue // no request that any planner would read, or of a kind that this control plane may not have
		}
		request.Snapshot.Set.Namespace = s.namespace
		if strings.HasPrefix(v.Name, "stories/claims_grow") { // no vector has claims that do not request what they were given
			for _, storage := range request.GetSnapshot().GetTables().GetClaimStorages()[1:] {
				storage.Request = "1"
			}
		}
		response, err := planner.Plan(ctx, request)
		if err != nil {
			continue // such as vectors of errors
		}
		for _, block := range response.GetPlan().GetBlocks() {
			_, command, has := strings.Cut(block.GetRemedy(), "`")
			command = strings.TrimSuffix(command, "`")
			words := strings.Fields(command)
			if !has || len(words) < 5 {
				continue
			}
			form := fmt.Sprint(block.GetCode(), words[3:5], len(words))
			if words[3] == "logs" {
				form = fmt.Sprint(block.GetCode(), words[3])
			}
			if !ran[form] {
				ran[form] = true
				s.runsAsPrinted(command)
			}
		}
	}
	if len(ran) < 23 {
		t.Errorf("only these have commands: %v", ran)
	}
}

// runsAsPrinted runs a command on an object that is there.
func (s *scene) runsAsPrinted(command string) {
	s.Helper()
	command = "cd ../.. && " + command
	if of := objectOf.FindStringSubmatch(strings.TrimPrefix(command, "cd ../.. && ")); of != nil {
		kind, name := of[2], of[3]
		if of[1] != "" {
			kind = "pod"
			command = "out=$(" + command + " 2>&1) || grep -q '^Error from server: Get \"https://' <<<\"$out\"" // no kubelet serves logs here
		}
		get := fmt.Sprintf("kubectl -n %s get %s %s >/dev/null 2>&1", s.namespace, kind, name)
		s.do(fmt.Sprintf("%s || kubectl -n %s create -f - <<<'%s'", get, s.namespace, strings.ReplaceAll(manifests[kind], "NAME", name)))
		if kind == "storageclass" {
			command += " --dry-run=server" // it is everybody's
			defer s.do("kubectl delete --ignore-not-found storageclass " + name)
		}
	}
	s.do(command)
	s.Log(command)
}
