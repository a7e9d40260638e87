package why

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/clients/cli/show"
)

// obstacle is what keeps a pod off a node: the scheduler's words in this release and earlier ones, with a number of nodes; what it
// is; and what to change. That is in the set's template unless the help says otherwise.
type obstacle struct {
	says     *regexp.Regexp
	what     string
	help     string
	commands []string
}

var (
	showLabels = "kubectl get nodes --show-labels"
	showTaints = `kubectl get nodes -o jsonpath='{range .items[*]}{.metadata.name} {.spec.taints}{"\n"}{end}'`
	showNodes  = "kubectl get nodes"
)

// describeClaims stands for the command in the set's namespace.
const describeClaims = "describe pvc"

const room = "not enough room"

// obstacles are ordered by what people must fix first: more room does not help against a rule that no node meets.
var obstacles = []obstacle{
	{says(`didn't match (Pod's|scheduler-enforced) node affinity`), "its node selector or node affinity",
		"Change nodeSelector or nodeAffinity in the set's template, or label a node so that it matches.", []string{showLabels}},
	{says(`were unschedulable`), "a cordon", "Uncordon a node.", []string{showNodes, "kubectl uncordon NODE"}},
	{says(`had untolerated taint|had taints? .*didn't tolerate`), "a taint that the pod does not tolerate",
		"Tolerate the taint in the set's template, or take it off a node.", []string{showTaints}},
	{says(`didn't match pod topology spread constraints`), "its topology spread constraints",
		"Change topologySpreadConstraints in the set's template, or free a node in a topology domain with fewer pods. No pod fits a node without the topologyKey label.",
		[]string{showLabels}},
	{says(`didn't match pod affinity rules`), "its pod affinity",
		"Change podAffinity in the set's template, or run the pods that it has to be near.", nil},
	{says(`didn't match pod anti-affinity rules|didn't satisfy existing pods anti-affinity rules`), "pod anti-affinity",
		"Change podAntiAffinity in the set's template, or in the pods that keep it off, or add a node.", []string{showNodes}},
	{says(`didn't match PersistentVolume's node affinity|had volume node affinity conflict|had no available volume zone`), "where its volume is",
		"Only nodes that can attach the pod's volume fit it: bring such a node back, or add one.",
		[]string{"kubectl get persistentvolumes -o wide", showLabels}},
	{says(`unavailable due to one or more pvc\(s\) bound to non-existent pv\(s\)`), "a claim whose volume does not exist",
		"Restore the volume, or delete the claim to start the ordinal with an empty volume.", []string{describeClaims}},
	{says(`unavailable due to PersistentVolumeClaim with ReadWriteOncePod`), "a claim that another pod uses, and that only one pod may use",
		"Wait until the other pod is gone, or delete it.", []string{describeClaims}},
	{says(`didn't find available persistent volumes to bind`), "that no free volume fits its claim", "Create a volume that fits, in the zone of a node that could take the pod.",
		[]string{"kubectl get persistentvolumes -o wide"}},
	{says(`did not have enough free storage`), "not enough storage for a new volume",
		"Free storage, or ask for less storage in a new set's claim template.", []string{"kubectl get csistoragecapacities -A"}},
	{says(`exceed max volume count`), "the number of volumes that a node can attach", "Add a node, or move pods with volumes off one.", []string{showNodes}},
	{says(`didn't have free ports`), "host ports that are taken", "Change hostPort in the set's template, or add a node.", []string{showNodes}},
	{says(`Insufficient \S+|Too many pods`), room,
		"Make room on a node, add a node, or lower the requests in the set's template.", []string{"kubectl describe nodes"}},
}

// says matches what the scheduler says, with the number of nodes.
func says(what string) *regexp.Regexp {
	return regexp.MustCompile(`(?:(\d+) )?(?:node\(s\) )?(?:` + what + `)`)
}

// nodes counts the nodes for which the scheduler says it, in one wording or several. It may mention one node several times for too
// little room: for cpu and for memory.
func (o *obstacle) nodes(found [][]string) (nodes int) {
	for _, said := range found {
		n, err := strconv.Atoi(said[1])
		switch {
		case err != nil:
		case o.what == room:
			nodes = max(nodes, n)
		default:
			nodes += n
		}
	}
	return nodes
}

// unschedulable finds in the scheduler's message what keeps the pod off every node. It quotes an unknown message.
func (c *Case) unschedulable(r *Reason, pod *corev1.Pod, message string) {
	r.Severity, r.Cause = Attention, "No node fits the pod."
	message, _, _ = strings.Cut(message, "preemption:") // which repeats the same about the nodes
	var keeps, helps, commands []string
	for _, o := range obstacles {
		found := o.says.FindAllStringSubmatch(message, -1)
		if found == nil {
			continue
		}
		what := o.what
		if nodes := o.nodes(found); nodes > 0 {
			what += " (" + show.Count(nodes, "node") + ")"
		}
		keeps, helps = append(keeps, what), append(helps, o.help)
		for _, command := range o.commands {
			if command == describeClaims {
				command = c.kubectl("describe pvc")
			}
			if !slices.Contains(commands, command) {
				commands = append(commands, command)
			}
		}
	}
	switch {
	case len(keeps) > 0:
		r.Cause = "No node fits the pod: " + strings.Join(keeps, ", ") + "."
	case message != "":
		r.Cause = "No node fits the pod. The scheduler says: " + sentence(quoted(message))
		helps = []string{"Change what the scheduler objects to, in the set's template or on the nodes."}
	}
	if node := pod.Status.NominatedNodeName; node != "" {
		r.Cause += " The scheduler has chosen node " + node + ", and waits until pods of lower priority have left it."
	}
	if len(pod.Spec.NodeSelector) > 0 && obstacles[0].says.MatchString(message) {
		r.saw("pod %s: nodeSelector %s", pod.Name, metav1.FormatLabelSelector(&metav1.LabelSelector{MatchLabels: pod.Spec.NodeSelector}))
	}
	c.mendTemplate(r, pod, strings.Join(helps, " "), append(commands, c.edit())...)
}
