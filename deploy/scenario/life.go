package scenario

import _ "embed"

//go:embed nginx.yaml
var nginx []byte

// Life is the manual's example: a set comes up, is scaled, updated, rolled back and deleted.
var Life = Scenario{
	Intro: `Starting a control plane (etcd, kube-apiserver, controller manager without its StatefulSet controller, scheduler,
simulated nodes), setplan-server and setplan-adapter.`,
	Narrated: true, File: "nginx.yaml", Manifest: nginx, Set: "web",
	Steps: []Step{
		{Command: "apply -f nginx.yaml", About: "three replicas, one after the other, each ready for 2 seconds before the next begins"},
		{Command: "scale statefulset/web --replicas=5", About: "two more"},
		{Command: "scale statefulset/web --replicas=2", About: "three fewer, from the highest; their claims stay"},
		{Command: "scale statefulset/web --replicas=3", About: "three again: web-2 gets its old claim"},
		{Command: `patch statefulset/web -p {"spec":{"updateStrategy":{"rollingUpdate":{"partition":2}}}}`,
			About: "from now on only ordinals from 2 on are updated"},
		{Command: "set image statefulset/web nginx=" + newImage, About: "a new image: web-2 is the canary"},
		{Command: `patch statefulset/web -p {"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}`,
			About: "the canary sings: now all of them"},
		{Command: "rollout undo statefulset/web", About: "back to the first image; its revision is used again"},
		{Command: "delete statefulset/web --wait=false", About: "the end: whenDeleted is Delete, so the claims go too",
			Until: Condition{What: Left}},
	},
}
