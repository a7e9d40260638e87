package scenario

import "time"

// Managed is a set on a cluster whose built-in controller stays on.
type Managed struct {
	Intro    string
	File     string
	Manifest []byte
	Steps    []ManagedStep
}

// ManagedStep is one thing that the user does.
type ManagedStep struct {
	Say      string   // a heading
	Move     string   // the set that is moved to the other kind; empty: the commands are run
	Commands []string // as they are typed
	Removed  []string // the pods that the user asks to have removed or recreated; all others must be the ones from before

	// Where the chart is installed.
	Leads  string        // version of the adapter that holds the lease afterwards
	Within time.Duration // until then; 0: it does not matter
	Gone   bool          // no adapter runs afterwards
}

const (
	edited = `[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"` + newImage + `"}]`
	again  = `[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"registry.k8s.io/nginx-slim:0.10"}]`
	status = "setplan rollout status ssts/web --timeout 2m"
)

// OnManaged moves a set in, works with it, and moves it out.
var OnManaged = Managed{
	Intro: `Starting a control plane as a provider has it: its StatefulSet controller is on, and stays on. Beside it setplan-server and
setplan-adapter --own apps.setplan.io/v1beta1.`,
	File: "nginx.yaml", Manifest: nginx,
	Steps: []ManagedStep{
		{Say: "A set of apps/v1, run by the built-in controller.",
			Commands: []string{"kubectl apply -f nginx.yaml", "kubectl rollout status statefulset/web --timeout 2m"}},
		{Say: "It is moved to apps.setplan.io, with the commands that setplan convert prints.", Move: "sts/web"},
		{Say: "It is scaled.",
			Commands: []string{"kubectl scale ssts/web --replicas 4", status, "kubectl get ssts"}},
		{Say: "It is updated.",
			Commands: []string{"kubectl patch ssts web --type json -p '" + edited + "'", status}, Removed: []string{"web-0", "web-1", "web-2", "web-3"}},
		{Say: "A pod in the middle is removed: its ordinal is reserved.",
			Commands: []string{`kubectl patch ssts web --type merge -p '{"spec":{"replicas":3,"ordinals":{"reserved":["1"]}}}'`, "kubectl wait pod/web-1 --for=delete --timeout=2m", status, "kubectl get pods"},
			Removed:  []string{"web-1"}},
		{Say: "An update that is paused replaces nothing,",
			Commands: []string{"setplan rollout pause ssts/web", "kubectl patch ssts web --type json -p '" + again + "'", "sleep 10", "kubectl get ssts"}},
		{Say: "until it is resumed.",
			Commands: []string{"setplan rollout resume ssts/web", status}, Removed: []string{"web-0", "web-2", "web-3"}},
		{Say: "The built-in controller does not support reserved ordinals, so the ordinal comes back and the last one is removed.",
			Commands: []string{`kubectl patch ssts web --type merge -p '{"spec":{"ordinals":null}}'`, "kubectl wait pod/web-3 --for=delete --timeout=2m", status, "kubectl get pods"}, Removed: []string{"web-3"}},
		{Say: "It is moved back, and the built-in controller runs it again.", Move: "ssts/web"},
		{Say: "It does.", Commands: []string{"kubectl scale statefulset/web --replicas 4", "kubectl rollout status statefulset/web --timeout 2m", "kubectl get statefulset"}},
	},
}
