//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// request is one line of the API server's audit log.
type request struct {
	Verb      string
	UserAgent string
	User      struct{ Username string }
	ObjectRef struct{ APIGroup, Resource, Subresource, Namespace, Name string }
	Response  struct{ Code int } `json:"responseStatus"`
	// Annotations say, among other things, what authorization decided.
	Annotations map[string]string
}

// what is the request in two words: "create pods", "patch statefulsets/status".
func (r request) what() string {
	resource := r.ObjectRef.Resource
	if r.ObjectRef.Subresource != "" {
		resource += "/" + r.ObjectRef.Subresource
	}
	return r.Verb + " " + resource
}

// forbidden reports whether a permission was missing. Quotas and policies answer with the same code, but authorization allowed
// those requests.
func (r request) forbidden() bool {
	return r.Response.Code == 401 || r.Annotations["authorization.k8s.io/decision"] == "forbid"
}

func (r request) reads() bool { return r.Verb == "get" || r.Verb == "list" || r.Verb == "watch" }

// adapterRequests lists the adapter's requests about a namespace, or about all namespaces if it is empty.
func (c *cluster) adapterRequests(namespace string) ([]request, error) {
	return c.requestsOf("setplan-adapter", namespace)
}

// requestsOf is the same for the program with a user agent.
func (c *cluster) requestsOf(program, namespace string) ([]request, error) {
	file, err := os.Open(c.auditLog())
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var requests []request
	lines := bufio.NewReader(file)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return requests, nil // the end, or a half-written line
		}
		if !bytes.Contains(line, []byte(namespace)) || !bytes.Contains(line, []byte(program)) {
			continue
		}
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("%w: %s", err, line)
		}
		if strings.HasPrefix(r.UserAgent, program) && (namespace == "" || r.ObjectRef.Namespace == namespace) {
			requests = append(requests, r)
		}
	}
}

// written lists the adapter's writes in the scene, without events.
func (s *scene) written() []request {
	s.Helper()
	requests := must(s.adapterRequests(s.namespace))(s)
	var writes []request
	for _, r := range requests {
		if !r.reads() && r.ObjectRef.Resource != "events" {
			writes = append(writes, r)
		}
	}
	return writes
}

// tries counts the adapter's writes of one sort in the scene, such as "create pods".
func (s *scene) tries(what string) int {
	s.Helper()
	n := 0
	for _, r := range s.written() {
		if r.what() == what {
			n++
		}
	}
	return n
}

// told is how often events with one reason occurred, and the last one's message.
type told struct {
	count   int
	message string
}

// warnings returns the warning events on an object by reason.
func (s *scene) warnings(uid types.UID) map[string]told {
	s.Helper()
	list := must(s.client.CoreV1().Events(s.namespace).List(context.Background(), metav1.ListOptions{}))(s)
	found := map[string]told{}
	for i := range list.Items {
		if e := &list.Items[i]; e.InvolvedObject.UID == uid && e.Type == corev1.EventTypeWarning {
			found[e.Reason] = told{found[e.Reason].count + max(int(e.Count), 1), e.Message}
		}
	}
	return found
}

// warned waits for a warning event on a set whose message contains a text, and returns how often it occurred.
func (s *scene) warned(uid types.UID, reason, text string) int {
	s.Helper()
	var event told
	eventually(s, 30*time.Second, "a warning "+reason, func() error {
		all := s.warnings(uid)
		if event = all[reason]; event.count == 0 || !strings.Contains(event.message, text) {
			return fmt.Errorf("there are %v", all)
		}
		return nil
	})
	return event.count
}
