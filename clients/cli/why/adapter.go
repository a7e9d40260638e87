package why

import (
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/clients/cli/world"
)

// paused finds out from the adapter's last event whether it leaves the set alone. A later write of the adapter shows that it went
// on. And a missing planner does not matter if there is nothing to do.
func (c *Case) paused() []*Reason {
	set := c.World.Set(c.Key)
	for _, event := range c.World.EventsOf(set.GetKind(), set) {
		r := &Reason{Code: CodePaused, Severity: Attention, Subject: set.GetKind() + "/" + set.GetName(), rank: rankPaused}
		switch event.Reason {
		case kube.EventForeignWriter:
			r.Message = "The adapter does not act on the set, because another controller writes to it."
			r.helps("Stop the other controller for this set, then mark the set as taken over.", c.kubectl(
				"annotate %s %s %s=$(date -u +%%Y-%%m-%%dT%%H:%%M:%%SZ) --overwrite", c.sets(), set.GetName(), kube.AnnotationTakenOver))
		case kube.EventPlannerUnreachable:
			r.Message = "The adapter cannot reach a planner, and changes nothing without a plan."
			r.helps("Restore the planner; the adapter retries by itself.")
		case kube.EventPlannerRefused:
			r.Message = "The planner refuses to plan the set, and the adapter changes nothing without a plan."
			r.helps("The message says what the planner rejects. Often the planner is older than the adapter.")
		case kube.EventPlanRefused:
			r.Message = "The adapter has rejected the planner's plan, because it is not a valid plan for this set."
			r.helps("The releases of planner and adapter may be incompatible, or the planner is not yours. The adapter retries by itself.")
		default:
			continue
		}
		idle := event.Reason != kube.EventForeignWriter && len(c.Plan.GetStages()) == 0
		if idle || c.wentOn(world.LastSeen(&event)) {
			return nil
		}
		r.Since = new(world.LastSeen(&event).UTC())
		r.saw("%s", eventText(&event, c.now()))
		return []*Reason{r}
	}
	return nil
}

// wentOn reports whether after a time somebody gave the set back to the adapter, or the adapter wrote to it.
func (c *Case) wentOn(after time.Time) bool {
	set := c.World.Set(c.Key)
	given, err := time.Parse(time.RFC3339, set.GetAnnotations()[kube.AnnotationTakenOver])
	if err == nil && !given.Before(after.Truncate(time.Second)) && !given.After(c.now()) { // one in the future tells nothing
		return true
	}
	for _, entry := range set.GetManagedFields() {
		if entry.Manager == kube.Manager && entry.Time != nil && entry.Time.After(after) {
			return true
		}
	}
	return false
}

// needed returns the quota that would be enough, as members of a JSON object: used plus requested.
func needed(requested, used string) string {
	have := amounts(used)
	var members []string
	for pair := range strings.SplitSeq(requested, ",") {
		name, text, _ := strings.Cut(pair, "=")
		sum, err := resource.ParseQuantity(text)
		if err != nil {
			continue
		}
		sum.Add(have[name])
		members = append(members, quote(name)+":"+quote(sum.String()))
	}
	return strings.Join(members, ",")
}

func amounts(list string) map[string]resource.Quantity {
	out := map[string]resource.Quantity{}
	for pair := range strings.SplitSeq(list, ",") {
		name, text, _ := strings.Cut(pair, "=")
		if q, err := resource.ParseQuantity(text); err == nil {
			out[name] = q
		}
	}
	return out
}
