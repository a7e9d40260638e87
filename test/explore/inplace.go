package explore

import (
	"fmt"
	"slices"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
)

// InPlaceConfigs are both management policies of sets whose pods are updated in place, and those that keep pods for which that is not possible.
// Pods of templates A and B differ in a label alone.
func InPlaceConfigs(bounds Bounds) []Config {
	var configs []Config
	for _, parallel := range []bool{false, true} {
		for _, policy := range []string{"InPlaceIfPossible", "InPlaceOnly"} {
			configs = append(configs, Config{Parallel: parallel, MaxUnavailable: 1, InPlace: policy, HistoryLimit: 10, Bounds: bounds,
				Decide: engine.Decide})
		}
	}
	return configs
}

func (config *Config) keepsPods() bool { return config.InPlace == "InPlaceOnly" }

// differs is what pods of two revisions differ in, other than labels; "": nothing.
func (config *Config) differs(from, to revision) string {
	if from == to || config.Inside == ofImages && !config.Budgets || config.InPlace != "" && config.Inside != ofImages && from != badRevision && to != badRevision {
		return ""
	}
	return "the image"
}

// relabels reports whether pods of template B have another label.
func (config *Config) relabels() bool { return config.InPlace != "" && config.Inside == noInside }

// tier is the label that pods of template B have, where it is a label in which it differs.
const tier = "tier"

// readUpdate translates an update in place, and tells one that brings a pod to no revision, or not to all of it.
func (p *planner) readUpdate(w *write, a *model.Action, op model.UpdatePod, c *cluster) error {
	w.op = updatePod
	sets := func(key string) string {
		i := slices.IndexFunc(op.Labels, func(l model.KeyValue) bool { return l.Key == key })
		if i < 0 {
			return ""
		}
		return op.Labels[i].Value
	}
	w.rev = p.scribe.revisionOf(sets("controller-revision-hash"))
	if at := slices.IndexFunc(op.Annotations, func(n model.KeyValue) bool { return n.Key == annotationUpdate }); at >= 0 {
		return p.readSteps(w, a, op, op.Annotations[at].Value, c)
	}
	at := slices.Index(p.scribe.podNames[:], a.Name)
	switch {
	case w.rev == 0:
		return fmt.Errorf("%s has no revision", a.ID)
	case w.rev == changedRevision && sets(tier) == "", at >= 0 && c.pods[at].rev == changedRevision && !slices.Contains(op.RemoveLabels, tier):
		return fmt.Errorf("%s does not do all that revision %s asks for", a.ID, w.rev)
	}
	return nil
}

// readSteps translates one of the writes to a pod whose container changes.
func (p *planner) readSteps(w *write, a *model.Action, op model.UpdatePod, text string, c *cluster) error {
	if err := p.readRecord(w, a, text); err != nil {
		return err
	}
	at := slices.Index(p.scribe.podNames[:], a.Name)
	if w.rev == 0 && at >= 0 {
		w.rev = c.pods[at].rev // it stays, or is there again
	}
	var err error
	w.inside.images, err = readImages(a, op.Containers, w.inside.to)
	if err == nil && at >= 0 && p.config.Inside == ofImages && w.inside.notes && !w.inside.images && w.inside.to != c.pods[at].at() {
		err = fmt.Errorf("%s notes another revision than the pod has the image of", a.ID)
	}
	return err
}

// updateInPlace is a patch of a pod's labels and annotations, or of its resources.
func (c *cluster) updateInPlace(w *write, same uint32) result {
	p := &c.pods[w.ordinal]
	switch {
	case !p.exists() || w.uid && same&podSame(w.ordinal) == 0 || w.version && same&podKept(w.ordinal) == 0:
		return refused
	case w.inside != insideWrite{}:
		return c.updateInside(w)
	case p.rev == w.rev:
		return futile
	}
	p.rev = w.rev
	return wrote(podKept(w.ordinal))
}

// isKept reports whether a block tells the truth about a pod that the set keeps as it is, or that the partition spares although the revision is gone that
// alone said that it has no claim.
func (s *search) isKept(c *cluster, b *model.Block) bool {
	i := slices.Index(s.planner.scribe.podNames[:], b.Name)
	return i >= 0 && c.inRange(i) && (s.config.keepsPods() && b.Code == model.BlockUpdateNotInPlace && s.config.differs(c.pods[i].rev, c.comesBackAt(i)) != "" ||
		s.config.Adds && b.Code == model.BlockIdentityMismatch && i < int(c.partition) && s.config.isWithout(c.pods[i].rev) && c.ranks[c.pods[i].rev] == 0)
}
