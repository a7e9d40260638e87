package story

import (
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/setplan/setplan/test/sim"
)

// budgetCommand: "budget guard min=2 labels=app=web", a disruption budget, or another number for one that is there; "budget guard off" takes it
// away.
func (r *Runner) budgetCommand(c Command) {
	name := c.arg(0)
	if c.argOr(1, "") == "off" {
		r.must(r.world.Remove(user, sim.KindBudget, name))
		return
	}
	least := intstr.FromInt(c.number(c.Options["min"]))
	if r.world.State().Get(sim.KindBudget, name) == nil {
		budget := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Name: name}}
		budget.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels(c.Options["labels"])}
		budget.Spec.MinAvailable = &least
		_, err := r.world.Create(user, budget)
		r.must(err)
		return
	}
	r.change(sim.KindBudget, name, func(o sim.Object) { o.(*policyv1.PodDisruptionBudget).Spec.MinAvailable = &least })
}
