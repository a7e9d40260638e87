//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestWhyQuota(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.do("kubectl -n " + s.namespace + " create quota pods --hard=pods=1")
	eventually(t, 30*time.Second, "the quota is in force", func() error { return s.quotaInForce(1) })
	s.create(webSet("web", 2))
	r := s.firstCause("web", "ACTION_REFUSED", "Pod/web-1", "The quota pods is used up: requested pods=1, used pods=1, limited to pods=1.")
	s.do(r.Commands[0])
	s.unblocked("web")
}

func TestWhyMissingStorageClass(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	class := s.namespace // only this test uses it: classes have no namespace
	set := webSet("web", 2)
	set.Spec.VolumeClaimTemplates[0].Spec.StorageClassName = &class
	s.create(set)
	r := s.firstCause("web", "POD_NOT_READY", "Pod/web-0", "www-web-0 has no volume", "storage class "+class+" does not exist", "ProvisioningFailed")
	file := s.file("class.yaml")
	noError(t, os.WriteFile(file, []byte("{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: "+class+
		"}, provisioner: kwok.x-k8s.io/volume}"), 0o600))
	s.do(r.Commands[1], "STORAGECLASS.yaml", file)
	t.Cleanup(func() { s.do("kubectl delete storageclass " + class) })
	s.unblocked("web")
}

// TestWhyWebhook runs an admission webhook that requires a label on every pod of the namespace.
func TestWhyWebhook(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.webhook("team")
	s.create(webSet("web", 1))
	r := s.firstCause("web", "ACTION_REFUSED", "Pod/web-0", "The admission webhook labels.setplan.test denies it: the label team is missing")
	// The editor adds the label to the template, and not to the selector, which comes first in the file.
	s.do(`export KUBE_EDITOR="sed -i -E '/^  template:/,/^    spec:/s/^( +)app: web/&\n\1team: db/'"; ` + r.Commands[0])
	s.unblocked("web")
	if got := s.pod("web-0").Labels["team"]; got != "db" {
		t.Errorf("the label is %q", got)
	}
}

// webhook refuses pods of the scene's namespace without a label.
func (s *scene) webhook(label string) {
	s.Helper()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review struct {
			APIVersion, Kind string
			Request          struct {
				UID    string
				Object corev1.Pod
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		_, there := review.Request.Object.Labels[label]
		_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": review.APIVersion, "kind": review.Kind, "response": map[string]any{
			"uid": review.Request.UID, "allowed": there, "status": map[string]any{"message": "the label " + label + " is missing"}}})
	}))
	s.Cleanup(server.Close)
	hooks := s.client.AdmissionregistrationV1().ValidatingWebhookConfigurations()
	hook := must(hooks.Create(context.Background(), &admissionv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: s.namespace},
		Webhooks: []admissionv1.ValidatingWebhook{{
			Name: "labels.setplan.test",
			ClientConfig: admissionv1.WebhookClientConfig{
				URL:      new(server.URL),
				CABundle: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}),
			},
			Rules: []admissionv1.RuleWithOperations{{
				Operations: []admissionv1.OperationType{admissionv1.Create},
				Rule:       admissionv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods"}},
			}},
			NamespaceSelector:       &metav1.LabelSelector{MatchLabels: map[string]string{"kubernetes.io/metadata.name": s.namespace}},
			SideEffects:             new(admissionv1.SideEffectClassNone),
			AdmissionReviewVersions: []string{"v1"},
		}},
	}, metav1.CreateOptions{}))(s)
	s.Cleanup(func() { _ = hooks.Delete(context.Background(), hook.Name, metav1.DeleteOptions{}) })
}
