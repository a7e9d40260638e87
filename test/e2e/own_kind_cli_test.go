//go:build e2e

package e2e

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters/kube"
)

// TestCommandLineOwn: commands that ask the planner take sets of our own kind, in every spelling, and tell them from sets of apps/v1.
func TestCommandLineOwn(t *testing.T) {
	t.Parallel()
	s := onManaged(t)
	s.createUnder(ownSets, s.underKind(webSet("web", 2), ownKind, "StatefulSet"))
	if watched := s.mustSetplan("watch", "ssts/web", "--until-done"); !strings.Contains(watched, "web is in the desired state") {
		t.Errorf("watch says:\n%s", watched)
	}
	s.ownSettled(ownSets, "web", "web-0 web-1")
	for _, name := range []string{"ssts/web", "statefulsets.apps.setplan.io/web", "statefulset.v1beta1.apps.setplan.io/web"} {
		if text := s.mustSetplan("plan", name); !strings.Contains(text, s.namespace+"/web: in the desired state") {
			t.Errorf("plan %s: %s", name, text)
		}
		if text := s.mustSetplan("why", name, "--exit-code"); !strings.Contains(text, "in the desired state") {
			t.Errorf("why %s: %s", name, text)
		}
	}
	for args, want := range map[string]string{
		"web":         "there is ssts/web",
		"sts/web":     "there is ssts/web",
		"":            "there are some of apps.setplan.io/v1beta1: write ssts/",
		"widgets/web": "no matches for",
		"deploy/web":  "not a StatefulSet, nor of a kind that has its spec",
	} {
		if out, err := s.setplan(append([]string{"why"}, strings.Fields(args)...)...); err == nil || !strings.Contains(err.Error()+out, want) {
			t.Errorf("why %s: %s%v, want %q", args, out, err, want)
		}
	}
	s.do(fmt.Sprintf("setplan __complete why -n %s ssts/w | grep -qx ssts/web", s.namespace))
	tape := s.file("web.rec")
	s.mustSetplan("record", "ssts/web", "-f", tape)
	s.mustSetplan("replay", "-f", tape)

	// The command line asks for the defaults of a template that has no revision yet, as the adapter does.
	s.own("patch", "ssts", "web", "--type", "merge", "-p", `{"spec":{"pause":"All"}}`)
	s.own("patch", "ssts", "web", "--type", "json", "-p", `[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"registry.example/nginx:2"}]`)
	eventually(t, 30*time.Second, "why tells of the pause", func() error {
		if text := s.mustSetplan("why", "ssts/web"); !strings.Contains(text, "PAUSED") {
			return errors.New(text)
		}
		return nil
	})

	// A name alone means the set of apps/v1, once there is one.
	s.createUnder(kube.StatefulSets().GVR(), s.underKind(webSet("other", 0), "apps/v1", "StatefulSet"))
	s.mustSetplan("plan", "other")
	if text := s.mustSetplan("plan", "ssts/", "-o", "name"); strings.Contains(text, "other") {
		t.Errorf("of our own kind there is %s", text)
	}
	if list, err := s.of(ownSets).List(t.Context(), metav1.ListOptions{}); err != nil || len(list.Items) != 1 {
		t.Errorf("the dry run has left something: %v, %v", list, err)
	}
}
