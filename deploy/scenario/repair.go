package scenario

import "time"

const (
	newImage = "registry.k8s.io/nginx-slim:0.9"
	badImage = "registry.example/never-ready:1" // simulated nodes never make its pods ready
)

var stuck = Condition{What: Runs, Pod: "web-2", Image: badImage}

// Repair is a bad template and its correction, first under the built-in controller and then, with the set as that one has
// left it, under ours.
var Repair = Scenario{
	Intro: `Starting a control plane (etcd, kube-apiserver, controller manager with its StatefulSet controller, scheduler, simulated
nodes) and setplan-server. Of setplan's adapter there is only one that observes; the built-in controller acts.`,
	BuiltIn: true, Narrated: true, File: "nginx.yaml", Manifest: nginx, Set: "web",
	Steps: []Step{
		{Command: "apply -f nginx.yaml", About: "three replicas"},
		{Command: "set image statefulset/web nginx=" + badImage, About: "a bad image: its pods never become ready", Until: stuck},
		{Command: "set image statefulset/web nginx=" + newImage, About: "the correction", Until: stuck, Pause: 20 * time.Second,
			Then: "web-2 still has the bad image. Kubernetes waits for it to become ready, until someone deletes it."},
		{TakeOver: true, Say: "Now the built-in controller is switched off, and setplan-adapter takes the set over as it is."},
		{Command: "set image statefulset/web nginx=" + badImage, About: "once more: a bad image", Until: stuck},
		{Command: "set image statefulset/web nginx=" + newImage, About: "and the correction"},
	},
}
