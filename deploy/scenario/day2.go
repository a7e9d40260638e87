package scenario

import _ "embed"

//go:embed database.yaml
var database []byte

// AnnotationData is how much data a pod of the demo has, as a quantity. Its host reports it not ready if its volume has less.
const AnnotationData = "setplan.io/demo-data"

const (
	rolledOut = "setplan rollout status sts/db --timeout 2m"
	resources = "kubectl get pods -o custom-columns='POD:.metadata.name,LIMIT:.spec.containers[0].resources.limits.memory," +
		"GIVEN:.status.containerStatuses[0].resources.limits.memory,RESTARTS:.status.containerStatuses[0].restartCount'"
	newest = `"$(kubectl get pods --sort-by=.metadata.creationTimestamp -o jsonpath='{.items[-1:].metadata.name}')"`
)

// OnDay2 is what people who run a database do once it is there.
var OnDay2 = Managed{
	Intro: `Starting a control plane (etcd, kube-apiserver, controller manager without its StatefulSet controller, scheduler, simulated
nodes), setplan-server and setplan-adapter. What a storage provider and a kubelet would do, grow volumes and give containers their
resources, the demo does for them.`,
	File: "database.yaml", Manifest: database,
	Steps: []ManagedStep{
		{Say: "A database of three replicas. The pod with the highest ordinal leads, which Kubernetes would update first.",
			Commands: []string{"kubectl apply -f database.yaml", rolledOut, "kubectl label pod db-2 role=primary"}},
		{Say: "The data outgrows the disks. No pod is ready any more.",
			Commands: []string{"kubectl annotate pods --all " + AnnotationData + "=2Gi", "kubectl wait pods --all --for=condition=Ready=false --timeout=1m", "kubectl get pods,pvc"}},
		{Say: "You request bigger disks, in one place. Claims do not wait for pods: one grows, then the others, and no pod is touched.",
			Commands: []string{`kubectl annotate sts/db 'setplan.io/claim-templates={"data":{"spec":{"resources":{"requests":{"storage":"4Gi"}}}}}'`,
				"kubectl wait pvc --all --for=jsonpath='{.status.capacity.storage}'=4Gi --timeout=1m",
				"kubectl wait pods --all --for=condition=Ready --timeout=1m", "kubectl get pods,pvc"}},
		{Say: "You raise the memory limit. Pods and containers keep running.",
			Commands: []string{"kubectl set resources sts/db --limits=memory=1Gi", rolledOut, resources,
				"test \"$(kubectl get pods -o jsonpath='{range .items[*]}{.status.containerStatuses[0].restartCount} {end}')\" = '0 0 0 '"}},
		{Say: "You want to scale down to one, and forecast it first. The claims that would be deleted hold data: the exit code is 4, and nothing is applied.",
			Commands: []string{"kubectl get sts db -o yaml | sed 's/^  replicas: 3/  replicas: 1/' > smaller.yaml",
				"setplan forecast -f smaller.yaml --exit-code; code=$?; echo \"exit code $code\"; test $code = 4", "kubectl get sts,pvc"}},
		{Say: "A variable changes, which requires new pods. The leader is updated last: one failover instead of two.",
			Commands: []string{"kubectl set env sts/db MODE=fast", rolledOut, "kubectl get pods --sort-by=.metadata.creationTimestamp", "test " + newest + " = db-2"},
			Removed:  []string{"db-0", "db-1", "db-2"}},
	},
}
