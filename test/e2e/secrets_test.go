//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Nearly every set of this suite has secrets in its templates. Whatever our programs say during the whole run is searched for them: logs, metrics,
// /plans, events, and conditions. TestCanaries looks at each place where a secret may be, and at what the command line says, which may show whole plans.
const (
	secretInEnv        = "secret-of-every-environment"
	secretInAnnotation = "secret-of-every-annotation"
	secretInArgument   = "secret-of-every-argument"
	secretInClaim      = "secret-of-every-claim"
)

// withSecrets puts them into a set.
func withSecrets(template *corev1.PodTemplateSpec, claim *corev1.PersistentVolumeClaim) {
	template.Annotations = map[string]string{"example.org/secret": secretInAnnotation}
	container := &template.Spec.Containers[0]
	container.Env = []corev1.EnvVar{{Name: "PASSWORD", Value: secretInEnv}}
	container.Args = []string{"--password=" + secretInArgument}
	claim.Annotations = map[string]string{"example.org/secret": secretInClaim}
}

// search looks for secrets in what was said.
type search struct {
	mu       sync.Mutex
	searched map[string]int // texts, by their sort
	found    []string
}

var secrets search

// in notes a text of a sort, and where secrets are in it.
func (s *search) in(sort, name string, text []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.searched == nil {
		s.searched = map[string]int{}
	}
	s.searched[sort]++
	for _, secret := range []string{secretInEnv, secretInAnnotation, secretInArgument, secretInClaim} {
		if at := bytes.Index(text, []byte(secret)); at >= 0 {
			s.found = append(s.found, fmt.Sprintf("%q is in the %s of %s: ...%s...", secret, sort, name, text[max(0, at-300):min(len(text), at+100)]))
		}
	}
}

// verdict is an error if something was found, or nothing searched.
func (s *search) verdict() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.found) > 0 {
		return fmt.Errorf("our programs tell secrets:\n%s", strings.Join(s.found, "\n"))
	}
	for _, sort := range []string{"log", "metrics"} { // which every run has
		if s.searched[sort] == 0 {
			return fmt.Errorf("no %s was searched for secrets", sort)
		}
	}
	return nil
}

// inLog is for a process that has ended.
func (s *search) inLog(path string) {
	text, err := os.ReadFile(path)
	if err == nil { // a test that removes its logs has searched them itself
		s.in("log", path, text)
	}
}

var serves = regexp.MustCompile(`(?:address=|"address":"|"metrics_addr":")(127\.0\.0\.1:\d+)`)

// inAnswers is for a process that is about to end. One that is paused, or serves nothing over plain HTTP, has no answer.
func (s *search) inAnswers(p *process) {
	text, err := os.ReadFile(p.log)
	if err != nil || !p.running() {
		return
	}
	client := &http.Client{Timeout: 2 * time.Second}
	for line := range bytes.Lines(text) {
		address := serves.FindSubmatch(line)
		if address == nil || !bytes.Contains(line, []byte("serving metrics")) && !bytes.Contains(line, []byte("listening")) {
			continue
		}
		for path, sort := range map[string]string{"/metrics": "metrics", "/plans": "plans"} {
			answer, err := client.Get("http://" + string(address[1]) + path)
			if err != nil {
				continue
			}
			body, err := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			if err == nil && answer.StatusCode == http.StatusOK {
				s.in(sort, p.log, body)
			}
		}
	}
}

// inScene is for the events and conditions of a scene that ends.
func (s *search) inScene(scene *scene) {
	ctx, cancel := context.WithTimeout(context.Background(), busy*10*time.Second)
	defer cancel()
	list, err := scene.client.CoreV1().Events(scene.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return // the test has taken its API server away
	}
	for i := range list.Items {
		if e := &list.Items[i]; strings.HasPrefix(e.Source.Component, "setplan") || strings.HasPrefix(e.ReportingController, "setplan") {
			text, _ := json.Marshal(e)
			s.in("events", scene.namespace, text)
		}
	}
	for _, c := range scene.all() {
		if status, found, _ := unstructured.NestedMap(c.object.Object, "status"); found && strings.HasSuffix(c.kind(), "StatefulSet") {
			text, _ := json.Marshal(status)
			s.in("status", scene.namespace, text)
		}
	}
}

// TestSearch: what is there is found, and a run in which nothing was said is no proof.
func TestSearch(t *testing.T) {
	var s search
	if s.verdict() == nil {
		t.Error("nothing was searched, and nothing is missing")
	}
	for _, sort := range []string{"log", "metrics"} {
		s.in(sort, "x", []byte("all is well"))
	}
	if err := s.verdict(); err != nil {
		t.Error(err)
	}
	s.in("log", "x", []byte(`env="`+secretInEnv+`"`))
	if err := s.verdict(); err == nil || !strings.Contains(err.Error(), `env="`+secretInEnv) {
		t.Errorf("got %v", err)
	}
}
