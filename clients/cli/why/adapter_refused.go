package why

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/clients/cli/shell"
	"github.com/setplan/setplan/clients/cli/world"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// refused finds the first action of the plan that the API refuses. It is tried again and again, and its event quotes the API's answer,
// in the same words from the built-in controller and our adapter.
func (c *Case) refused() []*Reason {
	set := c.World.Set(c.Key)
	events := c.World.EventsOf(set.GetKind(), set)
	for action := range actions(c.Plan) {
		event := c.refusalOf(action, events)
		if event == nil {
			continue
		}
		name := action.GetTarget().GetName()
		r := &Reason{Code: CodeRefused, Severity: Attention, Subject: action.GetTarget().GetKind() + "/" + name, rank: rankRefused,
			Message: fmt.Sprintf("The set needs to %s %s, but the API server refuses it.", operation(action), name),
			Since:   new(firstSeen(event).UTC())}
		r.Waiting = c.waitingFor(name)
		r.saw("%s", eventText(event, c.now()))
		_, answer, _ := strings.Cut(event.Message, failed)
		if !c.refusedNow(action, event, answer) {
			r.Code, r.Severity, r.rank = CodeRefusedBefore, Wait, rankTime
			r.Message = fmt.Sprintf("The set needs to %s %s. The API server refused that before, and nothing shows that it refuses what the set asks for now.", operation(action), name)
			r.helps("Wait for the next try: if this revision is refused, too, a new event says so.")
			return []*Reason{r}
		}
		c.refusal(r, answer)
		return []*Reason{r} // later actions wait for it
	}
	return nil
}

// fresh is how old an action's last refusal may be: the adapter waits some minutes between two tries, and client-go drops events of an
// object that has many.
const fresh = 20 * time.Minute

// failed parts what was tried from the API's answer.
const failed = " failed error: "

// tried reads what an event of a set says was done or tried: the verb, the kind and the name.
var tried = regexp.MustCompile(`^(\w+) (?:drain )?(Pod|Claim) (\S+) `)

// refusalOf returns the newest event that tells of a refusal of this action; nil if there is none, or a later one tells of a success.
func (c *Case) refusalOf(action *setplanv1.Action, events []corev1.Event) *corev1.Event {
	for i := range events { // the newest comes first
		event := &events[i]
		if !tells(event.Message, action, c.Key.Name) || c.now().Sub(world.LastSeen(event)) > fresh || world.LastSeen(event).Before(c.made(action)) {
			continue
		}
		if event.Type == corev1.EventTypeWarning && strings.Contains(event.Message, failed) {
			return event
		}
		return nil
	}
	return nil
}

// tells reports whether an event's message is about an action: the same verb, kind and name.
func tells(message string, action *setplanv1.Action, set string) bool {
	did := tried.FindStringSubmatch(message)
	if did == nil {
		return false
	}
	verb, kind, name := strings.ToLower(did[1]), did[2], did[3]
	target := action.GetTarget().GetName()
	if action.GetSetClaimOwners() != nil { // told of the pod that has the claim
		return verb == "update" && strings.Contains(message, "could not update claim "+target+" ")
	}
	verbs, kinds := []string(nil), "Pod"
	switch action.GetOperation().(type) {
	case *setplanv1.Action_CreatePod:
		verbs = []string{"create"}
	case *setplanv1.Action_CreateClaim:
		verbs, kinds = []string{"create"}, "Claim"
	case *setplanv1.Action_DeletePod:
		verbs = []string{"delete"}
	case *setplanv1.Action_EvictPod: // what no budget refuses is told in the words of a deletion
		verbs = []string{"evict", "delete"}
	case *setplanv1.Action_PatchPod, *setplanv1.Action_UpdatePod, *setplanv1.Action_ResizePod:
		verbs = []string{"update"}
	case *setplanv1.Action_DeleteClaim:
		verbs, kinds = []string{"delete"}, "Claim"
	}
	return slices.Contains(verbs, verb) && kind == kinds && name == target && !strings.Contains(message, "could not update claim ") &&
		strings.Contains(message, " StatefulSet "+set+" ")
}

// made is when the object of an action was made: what was tried before was tried with another one of its name.
func (c *Case) made(action *setplanv1.Action) time.Time {
	name := c.key(action.GetTarget().GetName())
	if pod := c.World.Pod(name); pod != nil && action.GetTarget().GetKind() == "Pod" {
		return pod.CreationTimestamp.Time
	}
	if claim := c.World.Claim(name); claim != nil && action.GetTarget().GetKind() != "Pod" {
		return claim.CreationTimestamp.Time
	}
	return time.Time{}
}

// refusedNow reports whether an answer is about what the set asks for now. Some do not depend on the template. The others were given to
// another revision if the set had one then: it has had one alone, or nobody has written to it since.
func (c *Case) refusedNow(action *setplanv1.Action, event *corev1.Event, answer string) bool {
	writes := action.GetCreatePod() != nil || action.GetUpdatePod() != nil || action.GetResizePod() != nil
	if !writes || anyTemplate.MatchString(answer) || len(c.Snapshot.GetRevisions()) < 2 {
		return true
	}
	changed := latest(c.World.Set(c.Key), func(entry *metav1.ManagedFieldsEntry) bool {
		return entry.Subresource == "" && entry.Manager != kube.Manager
	})
	seen := world.LastSeen(event)
	if nodeTooSmall.MatchString(answer) { // tried once in five minutes, and the first time in the second of the change
		return !changed.IsZero() && !seen.Before(changed)
	}
	return !changed.IsZero() && seen.After(changed)
}

// anyTemplate matches what the API server would answer whatever the set's template says.
var anyTemplate = regexp.MustCompile(`exceeded quota: |failed calling webhook |cannot \S+ resource |because it is being terminated|disruption budget`)

var (
	quotaAnswer    = regexp.MustCompile(`exceeded quota: ([^,]+), requested: (.+), used: (.+), limited: (.+)$`)
	quotaUnstated  = regexp.MustCompile(`failed quota: ([^:]+): must specify (.+)$`)
	webhookDenied  = regexp.MustCompile(`admission webhook "([^"]+)" denied the request(?::\s*(.*))?`)
	webhookFailed  = regexp.MustCompile(`failed calling webhook "([^"]+)": (.*)$`)
	policyDenied   = regexp.MustCompile(`ValidatingAdmissionPolicy '([^']+)' with binding '[^']+' denied request: (.*)$`)
	podSecurity    = regexp.MustCompile(`violates PodSecurity "([^"]+)"(?:: (.*))?$`)
	rightMissing   = regexp.MustCompile(`User "([^"]+)" cannot (\S+) resource "([^"/]+)(?:/([^"]+))?"(?: in API group "([^"]*)")?`)
	budgetSpent    = regexp.MustCompile(`disruption budget (\S+) (needs|is still being processed)`)
	budgetsTooMany = regexp.MustCompile(`more than one PodDisruptionBudget`)
	limitRange     = regexp.MustCompile(`is forbidden: \[?((?:minimum|maximum) .+ usage per .+)$`)
	nodeTooSmall   = regexp.MustCompile(`node didn't have enough allocatable resources: (.*)$`)
	accountMissing = regexp.MustCompile(`error looking up service account \S+: serviceaccount "([^"]+)" not found`)
	namespaceEnds  = regexp.MustCompile(`unable to create new content in namespace \S+ because it is being terminated`)
)

const webhooks = "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations"

// refusal explains the API's answer. What it does not know it quotes.
func (c *Case) refusal(r *Reason, answer string) {
	said := func(pattern *regexp.Regexp) []string { return pattern.FindStringSubmatch(answer) }
	if m := said(quotaAnswer); m != nil {
		r.Cause = fmt.Sprintf("The quota %s is used up: requested %s, used %s, limited to %s.", m[1], m[2], m[3], m[4])
		r.helps("Raise the quota, or free some of it.", c.kubectl("patch resourcequota %s --type=merge -p %s", m[1], `{"spec":{"hard":{`+needed(m[2], m[3])+`}}}`))
	} else if m := said(quotaUnstated); m != nil {
		r.Cause = fmt.Sprintf("The quota %s takes only pods that specify %s", m[1], sentence(m[2]))
		r.helps("Set them in the template, or give the namespace a LimitRange with defaults.", c.edit())
	} else if m := said(webhookDenied); m != nil {
		r.Cause = fmt.Sprintf("The admission webhook %s denies it", m[1])
		if m[2] != "" {
			r.Cause += ": " + sentence(m[2])
		} else {
			r.Cause += ", and does not say why."
		}
		r.helps("Change what the webhook objects to in the set's template, or change the webhook's rules.", c.edit(), webhooks)
	} else if m := said(webhookFailed); m != nil {
		r.Cause = fmt.Sprintf("The API server cannot call the admission webhook %s, and accepts nothing without its answer: %s", m[1], sentence(m[2]))
		r.helps("Restore the webhook's service, or remove the webhook.", webhooks)
	} else if m := said(policyDenied); m != nil {
		r.Cause = fmt.Sprintf("The admission policy %s denies it: %s", m[1], sentence(m[2]))
		r.helps("Change what the policy objects to in the set's template, or change the policy.", c.edit(), shell.Command("kubectl get validatingadmissionpolicy %s -o yaml", m[1]))
	} else if m := said(podSecurity); m != nil {
		r.Cause = sentence(strings.TrimSuffix(fmt.Sprintf("The namespace enforces the Pod Security Standard %s, and the pod violates it: %s", m[1], m[2]), ": "))
		r.helps("Change the set's template, or the namespace's pod-security.kubernetes.io/enforce label.", c.edit(), shell.Command("kubectl get namespace %s --show-labels", c.Key.Namespace))
	} else if m := said(rightMissing); m != nil {
		what, ask := m[3], c.kubectl("auth can-i %s %s --as=%s", m[2], strings.TrimSuffix(m[3]+"."+m[5], "."), m[1])
		if m[4] != "" {
			what, ask = what+"/"+m[4], ask+shell.Command(" --subresource=%s", m[4])
		}
		r.Cause = fmt.Sprintf("%s may not %s %s.", m[1], m[2], what)
		r.helps("Grant that user the permission with a Role and a RoleBinding. The command shows whether it has it.", ask)
	} else if m := said(budgetSpent); m != nil {
		r.Severity, r.Cause = Wait, fmt.Sprintf("The disruption budget %s does not allow the pod to be evicted now.", m[1])
		r.helps("The eviction is retried. If the budget never allows it, check the pods that the budget covers, or let it allow more disruptions.", c.kubectl("describe poddisruptionbudget %s", m[1]))
	} else if said(budgetsTooMany) != nil {
		r.Cause = "More than one disruption budget selects the pod, and the API server does not evict such pods."
		r.helps("Keep only one of them.", c.kubectl("get poddisruptionbudgets"))
	} else if strings.Contains(answer, "disruption budget") {
		r.Severity, r.Cause = Wait, "A disruption budget does not allow the pod to be evicted now."
		r.helps("The eviction is retried. If the budget never allows it, check the pods that the budget covers, or let it allow more disruptions.", c.kubectl("get poddisruptionbudgets"))
	} else if m := said(limitRange); m != nil {
		r.Cause = "A LimitRange of the namespace refuses it: " + sentence(strings.TrimSuffix(m[1], "]"))
		r.helps("Change the resources in the set, or the LimitRange.", c.edit(), c.kubectl("describe limitrange"))
	} else if m := said(nodeTooSmall); m != nil {
		r.Cause = "The pod requests more than its node can allocate in total: " + sentence(m[1])
		r.helps("Request less, or have the pod recreated, where another node may have room: setplan.io/resize-infeasible says what becomes of such a pod.", c.edit())
	} else if m := said(accountMissing); m != nil {
		r.Cause = fmt.Sprintf("The service account %s does not exist.", m[1])
		r.helps("Create it, or name another one in the set's template.", c.kubectl("create serviceaccount %s", m[1]))
	} else if strings.Contains(answer, "the object has been modified") {
		r.Severity, r.Cause = Wait, "Someone else changed the object at the same time."
		r.helps("It is tried again.")
	} else if said(namespaceEnds) != nil {
		r.Cause = "The namespace is being deleted, so nothing is created in it."
		r.helps("See what the namespace still waits for.", shell.Command("kubectl get namespace %s -o yaml", c.Key.Namespace))
	} else {
		r.Cause = "The API server says: " + sentence(answer)
		r.helps("Change what the API server objects to.")
	}
}

// sentence ends a text from outside with a full stop.
func sentence(text string) string {
	if text = strings.TrimSpace(text); strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}
