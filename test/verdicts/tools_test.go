package verdicts

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/health"
	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	helm "helm.sh/helm/v4/pkg/kube"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/cli-runtime/pkg/resource"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	kubernetesfake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/kubectl/pkg/cmd/wait"
	"k8s.io/kubectl/pkg/polymorphichelpers"

	setplan "github.com/setplan/setplan/clients/cli/rollout"
)

// tool is one program, or one way to use it.
type tool struct {
	name string
	// ask returns the tool's own word. An error is of the test, not of the tool.
	ask func(seen) (string, error)
	// done is the word by which a deployment goes on.
	done string
}

// The tools by name.
const (
	rollout         = "kubectl rollout status"
	ourRollout      = "setplan rollout status"
	waitReconciling = "kubectl wait, Reconciling=false"
	waitReady       = "kubectl wait, readyReplicas"
	flux            = "kstatus (Flux, Helm 4)"
	argoCD          = "Argo CD"
	helm3           = "Helm 3"
)

var tools = []tool{
	{rollout, rolloutStatus, "done"},
	{ourRollout, ourRolloutStatus, "done"},
	{waitReconciling, waitFor("condition=Reconciling=false"), "met"},
	{waitReady, waitForReady, "met"},
	{flux, kstatus, string(status.CurrentStatus)},
	{argoCD, argo, string(health.HealthStatusHealthy)},
	{helm3, helmReady, "ready"},
}

// rolloutStatus is "kubectl rollout status statefulset/web", which ends with an error where the viewer has one.
func rolloutStatus(s seen) (string, error) {
	object := s.set
	viewer, err := polymorphichelpers.StatusViewerFor(object.GroupVersionKind().GroupKind())
	if err != nil {
		return "", err
	}
	_, finished, err := viewer.Status(object, 0)
	return progress(finished, err), nil
}

// ourRolloutStatus is "setplan rollout status sts/web".
func ourRolloutStatus(s seen) (string, error) {
	_, finished, err := setplan.Status(s.set)
	return progress(finished, err), nil
}

func progress(finished bool, err error) string {
	switch {
	case err != nil:
		return "error"
	case finished:
		return "done"
	}
	return "waits"
}

// waitForReady is what people write where they know the number: kubectl wait --for=jsonpath='{.status.readyReplicas}'=3.
func waitForReady(s seen) (string, error) {
	object := s.set
	replicas, _, err := unstructured.NestedInt64(object.Object, "spec", "replicas")
	if err != nil {
		return "", err
	}
	return waitFor(fmt.Sprintf("jsonpath={.status.readyReplicas}=%d", replicas))(s)
}

// waitFor is "kubectl wait statefulset/web --for=...", which looks once.
func waitFor(what string) func(seen) (string, error) {
	return func(s seen) (string, error) {
		object := s.set
		none := clientcmd.NewDefaultClientConfig(clientcmdapi.Config{}, &clientcmd.ConfigOverrides{
			ClusterInfo: clientcmdapi.Cluster{Server: "https://nobody.invalid"}})
		flags := wait.NewWaitFlags(genericclioptions.NewTestConfigFlags().WithClientConfig(none),
			genericiooptions.IOStreams{Out: io.Discard, ErrOut: io.Discard})
		flags.ForCondition, flags.Timeout = []string{what}, 0
		options, err := flags.ToOptions([]string{"statefulset/" + object.GetName()})
		if err != nil {
			return "", err
		}
		options.DynamicClient = dynamicfake.NewSimpleDynamicClient(runtime.NewScheme(), object)
		switch _, met, err := options.ConditionFn[0](context.Background(), info(object), options); {
		case met && err == nil:
			return "met", nil
		case err != nil && strings.HasPrefix(err.Error(), "condition not met"):
			return "waits", nil
		default:
			return "", err
		}
	}
}

// argo is Argo CD's health of a StatefulSet, where nobody has put a script of his own in its place.
func argo(s seen) (string, error) {
	object := s.set
	result, err := health.GetResourceHealth(object, nil)
	if err != nil {
		return "", err
	}
	return string(result.Status), nil
}

// helmReady is "helm upgrade --wait" of Helm 3, and --wait=legacy of Helm 4, whose source it is.
func helmReady(s seen) (string, error) {
	object := s.set
	set := &appsv1.StatefulSet{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, set); err != nil {
		return "", err
	}
	checker := helm.NewReadyChecker(kubernetesfake.NewClientset(set), helm.PausedAsReady(true), helm.CheckJobs(true))
	looked := info(object)
	looked.Object = set
	ready, err := checker.IsReady(context.Background(), looked)
	if err != nil || !ready {
		return "waits", err
	}
	return "ready", nil
}

func info(object *unstructured.Unstructured) *resource.Info {
	return &resource.Info{Namespace: object.GetNamespace(), Name: object.GetName(), Object: object, Mapping: &meta.RESTMapping{
		Resource:         appsv1.SchemeGroupVersion.WithResource("statefulsets"),
		GroupVersionKind: appsv1.SchemeGroupVersion.WithKind("StatefulSet"),
		Scope:            meta.RESTScopeNamespace}}
}
