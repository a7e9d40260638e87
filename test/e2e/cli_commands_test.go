//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// TestCommandLine runs the commands on one set, during a rollout and at rest.
func TestCommandLine(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	set := webSet("web", 3, minReady(1))
	s.create(set)
	watched := s.mustSetplan("watch", "sts/web", "--until-done")
	for _, line := range []string{"web-0 is ready", "web-2 is ready", "3 of 3 pods in the desired state", "web is in the desired state"} {
		if !strings.Contains(watched, line) {
			t.Errorf("watch does not say %q:\n%s", line, watched)
		}
	}
	s.settled("web")
	if text := s.mustSetplan("plan", "web"); !strings.Contains(text, s.namespace+"/web: in the desired state") {
		t.Errorf("plan says %s", text)
	}

	// Held pods stop a rollout half way, so that there is something to see.
	s.patch("web", `{"spec":{"template":{"metadata":{"annotations":{"setplan.io/test-hold":"x"}}}}}`)
	s.happens("-web-2")
	s.firstCause("web", "POD_NOT_READY", "Pod/web-2")
	eventually(t, 20*time.Second, "the plan has nothing left to do", func() error {
		if text := s.mustSetplan("plan", "web", "-o", "json"); strings.Contains(text, "stages") {
			return fmt.Errorf("the plan is %s", text)
		}
		return nil
	})
	s.offlineEqualsOnline()
	s.recordAndReplay()
	s.pluginAndCompletion()
	s.refusals()
	s.remotePlanner()
}

// offlineEqualsOnline: the same cluster gives the same plan, read from its API and from a file.
func (s *scene) offlineEqualsOnline() {
	s.Helper()
	at := time.Now().UTC().Format(time.RFC3339)
	for _, format := range []string{"yaml", "json"} {
		objects := must(s.kubectl("-n", s.namespace, "get", "sts,pods,pvc,controllerrevisions", "-o", format))(s)
		file := s.file("objects." + format)
		noError(s, os.WriteFile(file, []byte(objects), 0o600))
		online := s.mustSetplan("plan", "web", "-o", "json", "--at", at)
		offline := s.mustSetplan("plan", "web", "-o", "json", "--at", at, "-f", file)
		if online != offline || !strings.Contains(online, "BLOCK_CODE_POD_NOT_READY") {
			s.Errorf("online\n%soffline, from %s\n%s", online, format, offline)
		}
	}
}

func (s *scene) recordAndReplay() {
	s.Helper()
	file := s.file("web.rec")
	s.mustSetplan("record", "web", "-f", file)
	s.mustSetplan("record", "web", "-f", file)
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		s.Errorf("the recording is %v, %v; it holds secrets", info.Mode(), err)
	}
	replayed := s.mustSetplan("replay", "-f", file)
	if n := strings.Count(replayed, "the same, byte for byte"); n != 2 {
		s.Errorf("replay says\n%s", replayed)
	}
	text := strings.Replace(s.mustRead(file), `"format":"setplan.recording/v1"`, `"format":"setplan.recording/v9"`, 1)
	noError(s, os.WriteFile(file, []byte(text), 0o600))
	if _, err := s.setplan("replay", "-f", file); err == nil || !strings.Contains(err.Error(), "setplan.recording/v9") {
		s.Errorf("an unknown format gives %v", err)
	}
}

// pluginAndCompletion: kubectl finds the program under its plugin name, and shells complete the names of sets.
func (s *scene) pluginAndCompletion() {
	s.Helper()
	s.do(fmt.Sprintf("kubectl setplan why web -n %s | grep -q 'web-2 POD_NOT_READY'", s.namespace))
	s.do("kubectl setplan plan --help | grep -q 'kubectl setplan plan sts/web'")
	s.do(fmt.Sprintf("setplan __complete why -n %s sts/w | grep -qx sts/web", s.namespace))
}

func (s *scene) refusals() {
	s.Helper()
	for args, want := range map[string]string{
		"plan wbe":                             `StatefulSet "wbe" not found in namespace ` + s.namespace + ", which has: " + s.namespace + "/web",
		"watch wbe":                            `StatefulSet "wbe" not found`,
		"why deployment/web":                   "not a StatefulSet, nor of a kind that has its spec",
		"plan web -o xml":                      "--output",
		"plan web --at yesterday":              "--at",
		"plan web --planner-address 127.0.0.1": "HOST:PORT",
	} {
		if _, err := s.setplan(strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), want) {
			s.Errorf("%s: %v", args, err)
		}
	}
}

// remotePlanner: the adapter's server gives the same answer as the embedded planner.
func (s *scene) remotePlanner() {
	s.Helper()
	at := time.Now().UTC().Format(time.RFC3339)
	embedded := s.mustSetplan("plan", "web", "-o", "yaml", "--at", at)
	remote := s.mustSetplan("plan", "web", "-o", "yaml", "--at", at, "--planner-address", shared.planner.address, "--planner-ca-file", shared.planner.ca)
	if embedded != remote {
		s.Errorf("embedded\n%sremote\n%s", embedded, remote)
	}
}
