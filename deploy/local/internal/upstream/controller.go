// Package upstream has the name and the signature of the StatefulSet controller of Kubernetes, and runs setplan-adapter. Upstream's own integration tests start
// it in the place of the controller: .ci/upstream.
package upstream

import (
	"context"
	"log"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	appsinformers "k8s.io/client-go/informers/apps/v1"
	coreinformers "k8s.io/client-go/informers/core/v1"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// StatefulSetController is an adapter that is not started yet.
type StatefulSetController struct{ api *rest.RESTClient }

// NewStatefulSetController has the signature of upstream's. Of its arguments the adapter needs the API server alone.
func NewStatefulSetController(_ context.Context, _ coreinformers.PodInformer, _ appsinformers.StatefulSetInformer, _ coreinformers.PersistentVolumeClaimInformer,
	_ appsinformers.ControllerRevisionInformer, client clientset.Interface) *StatefulSetController {
	return &StatefulSetController{client.AppsV1().RESTClient().(*rest.RESTClient)}
}

// Run runs the adapter until the context ends.
func (c *StatefulSetController) Run(ctx context.Context, _ int) {
	// The credentials are inside the client, so what the adapter asks goes through it.
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Transport:     c.api.Client.Transport,
		FlushInterval: -1, // watches
		Rewrite: func(r *httputil.ProxyRequest) {
			target := c.api.Get().URL()
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = target.Scheme, target.Host, ""
		},
	})
	defer proxy.Close()
	defer proxy.CloseClientConnections()
	dir, err := os.MkdirTemp("", "setplan-upstream-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	kubeconfig := filepath.Join(dir, "kubeconfig")
	text := `{"apiVersion":"v1","kind":"Config","current-context":"t","clusters":[{"name":"t","cluster":{"server":"` + proxy.URL + `"}}],"contexts":[{"name":"t","context":{"cluster":"t"}}]}`
	if err := os.WriteFile(kubeconfig, []byte(text), 0o600); err != nil {
		log.Fatal(err)
	}
	adapter := exec.CommandContext(ctx, os.Getenv("SETPLAN_ADAPTER"),
		"--kubeconfig", kubeconfig, "--own", "apps/v1", "--leader-elect=false", "--planner-address", os.Getenv("SETPLAN_PLANNER"))
	adapter.Cancel = func() error { return adapter.Process.Signal(syscall.SIGTERM) }
	adapter.Stdout, adapter.Stderr = os.Stderr, os.Stderr
	if err := adapter.Run(); err != nil && ctx.Err() == nil {
		log.Fatal("setplan-adapter: ", err)
	}
}
