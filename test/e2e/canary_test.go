//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// canaries are the places where people put secrets, each with the outputs that may show its text. Most lists are empty: only
// the objects themselves hold the text. docs/security.md has the list for people.
var canaries = map[string][]string{
	"leak-env":                   nil,
	"leak-old-env":               nil, // of a revision
	"leak-args":                  nil,
	"leak-template-annotation":   nil,
	"leak-claim-annotation":      nil, // of a claim template
	"leak-set-annotation":        nil,
	"leak-pod-annotation":        nil,
	"leak-live-claim-annotation": nil,
	// People wrote these to be read. Only "why", which reads with the rights of its user, shows what a pod's status and events
	// say.
	"leak-policy":      {"plans", "events", "conditions", "adapter log", "setplan plan", "setplan why", "setplan why -o json"},
	"leak-denial":      {"plans", "events", "conditions", "adapter log", "setplan why", "setplan why -o json"},
	"leak-termination": {"setplan why", "setplan why -o json"},
	"leak-waiting":     {"setplan why", "setplan why -o json"},
	"leak-event":       {"setplan why", "setplan why -o json"},
}

// TestCanaries puts a distinct word into each place, and looks for all of them in every output of our programs.
func TestCanaries(t *testing.T) {
	t.Parallel()
	s := lab(t)
	planner := must(startPlanner(s.dir, s.namespace+"-server", "127.0.0.1:0", "--log-level", "debug", "--metrics-address", "127.0.0.1:0"))(t)
	t.Cleanup(planner.kill)
	a := s.ownAdapter("adapter", s.adapterConfig("direct", ""), planner, append(unelected, "--log-level", "debug")...)
	s.createWithCanaries()
	s.liveWithCanaries()

	said := map[string]string{
		"plans": a.fetch("/plans"), "adapter metrics": a.fetch("/metrics"), "adapter log": s.logOf(a.process),
		"server log": s.logOf(planner.process), "server metrics": s.metricsOf(planner),
		"events": s.eventsOfOurs(), "conditions": s.conditionsOf("web") + s.conditionsOf("odd"),
		"setplan plan":        s.anyway("plan", "web") + s.anyway("plan", "odd"),
		"setplan why":         s.anyway("why", "web") + s.anyway("why", "odd"),
		"setplan why -o json": s.anyway("why", "web", "-o", "json") + s.anyway("why", "odd", "-o", "json"),
	}
	for canary, allowed := range canaries {
		for exit, text := range said {
			if at := strings.Index(text, canary); at >= 0 && !slices.Contains(allowed, exit) {
				t.Errorf("%q is in %s: ...%s...", canary, exit, text[max(0, at-300):min(len(text), at+100)])
			}
		}
	}
	// The test would find a word that is there.
	for _, exit := range canaries["leak-denial"] {
		if !strings.Contains(said[exit], "leak-denial") {
			t.Errorf("the denial is not in %s:\n%.3000s", exit, said[exit])
		}
	}
	for exit, text := range said {
		if len(text) == 0 {
			t.Errorf("%s is empty", exit)
		}
	}
}

// createWithCanaries makes a set that waits for a webhook, and one whose policy is invalid.
func (s *scene) createWithCanaries() {
	s.Helper()
	set := webSet("web", 1, func(set *appsv1.StatefulSet) {
		set.Annotations = map[string]string{"example.org/note": "leak-set-annotation"}
		template := &set.Spec.Template
		template.Annotations = map[string]string{"example.org/note": "leak-template-annotation"}
		template.Spec.Containers[0].Args = []string{"--password=leak-args"}
		template.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "PASSWORD", Value: "leak-old-env"}}
		set.Spec.VolumeClaimTemplates[0].Annotations = map[string]string{"example.org/note": "leak-claim-annotation"}
	})
	s.create(set)
	s.settled("web")
	s.create(webSet("odd", 1, func(set *appsv1.StatefulSet) { set.Annotations = map[string]string{"setplan.io/repair": "leak-policy"} }))
	s.settled("odd")
}

// liveWithCanaries changes the template, and writes what users and kubelets would about the new pod.
func (s *scene) liveWithCanaries() {
	s.Helper()
	s.patchPod("web-0", `{"metadata":{"annotations":{"example.org/note":"leak-pod-annotation"}}}`)
	must(s.kubectl("-n", s.namespace, "annotate", "pvc", "www-web-0", "example.org/live=leak-live-claim-annotation"))(s)
	s.patch("web", `{"spec":{"template":{"spec":{"containers":[{"name":"nginx","image":"`+broken+`","env":[{"name":"PASSWORD","value":"leak-env"}]}]}}}}`)
	eventually(s, 60*time.Second, "web-0 is at the new template", func() error { return s.hasImage("web-0", broken) })
	pod := s.pod("web-0")
	must(s.client.CoreV1().Events(s.namespace).Create(context.Background(), &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{GenerateName: "canary-"},
		InvolvedObject: corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: s.namespace, Name: pod.Name, UID: pod.UID},
		Type:           corev1.EventTypeWarning, Reason: "BackOff", Message: "leak-event", Count: 1,
		FirstTimestamp: metav1.Now(), LastTimestamp: metav1.Now(), Source: corev1.EventSource{Component: "kubelet"},
	}, metav1.CreateOptions{}))(s)
	s.blocked("web", "POD_NOT_READY", "Pod/web-0")
	eventually(s, 60*time.Second, "why says what the pod and its events say", func() error {
		// Repeated on each try, because kwok writes the status too.
		s.podStatus("web-0", `{"status":{"containerStatuses":[{"name":"nginx","ready":false,"restartCount":3,"image":"x","imageID":"x",
			"state":{"waiting":{"reason":"CrashLoopBackOff","message":"leak-waiting"}},
			"lastState":{"terminated":{"exitCode":1,"reason":"Error","message":"leak-termination"}}}]}}`)
		if text := s.anyway("why", "web"); !strings.Contains(text, "leak-termination") || !strings.Contains(text, "leak-event") {
			return fmt.Errorf("it says %s", text)
		}
		return nil
	})
	s.blocked("odd", "INVALID_POLICY", "StatefulSet/odd", "leak-policy")
	s.condition("odd", "Blocked", "True InvalidPolicy")

	s.webhook("leak-denial")
	s.scale("odd", 2)
	s.blocked("odd", "ACTION_FAILED_BEFORE", "Pod/odd-1", "leak-denial")
	s.warned(s.get("odd").UID, "FailedCreate", "leak-denial")
	// The condition names one cause only. Without the policy it is the denial.
	s.patch("odd", `{"metadata":{"annotations":{"setplan.io/repair":null}}}`)
	s.condition("odd", "Blocked", "True ActionFailedBefore", "leak-denial")
}

// eventsOfOurs returns what our programs said in events.
func (s *scene) eventsOfOurs() string {
	s.Helper()
	list := must(s.client.CoreV1().Events(s.namespace).List(context.Background(), metav1.ListOptions{}))(s)
	list.Items = slices.DeleteFunc(list.Items, func(e corev1.Event) bool { return !strings.HasPrefix(e.Source.Component, "setplan") })
	return s.asJSON(list.Items)
}

func (s *scene) conditionsOf(set string) string {
	s.Helper()
	return s.asJSON(s.get(set).Status.Conditions)
}

func (s *scene) asJSON(value any) string {
	s.Helper()
	data := must(json.Marshal(value))(s)
	return string(data)
}

func (s *scene) logOf(p *process) string {
	s.Helper()
	data := must(os.ReadFile(p.log))(s)
	return string(data)
}

func (s *scene) metricsOf(p *planner) string {
	s.Helper()
	line := must(p.waitForLog(`"listening"`, 10*time.Second))(s)
	var listening struct {
		Address string `json:"metrics_addr"`
	}
	noError(s, json.Unmarshal([]byte(line), &listening))
	response := must(http.Get("http://" + listening.Address + "/metrics"))(s)
	defer response.Body.Close()
	data := must(io.ReadAll(response.Body))(s)
	return string(data)
}

// anyway returns what the command line prints, with its error if it fails.
func (s *scene) anyway(args ...string) string {
	out, err := s.setplan(args...)
	return fmt.Sprint(out, "\n", err, "\n")
}
