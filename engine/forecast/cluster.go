package forecast

import (
	"bytes"
	"iter"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// cluster is a copy of a snapshot that plans are applied to. The caller's snapshot stays as it is: lists are copied once, and what an object
// shares with others (owners, labels, annotations) is replaced and never changed in place. A fork shares the lists of claims and revisions until it
// changes one.
type cluster struct {
	model.Snapshot
	*meter
	available               state.Availability // Availability says it at the clock of the forecast
	pods, claims, revisions index
	templates               map[string]bool // the names of the claim templates, with those that are added
	shared                  *shared
	made                    int  // objects and versions that got a number
	texts                   int  // bytes that every plan reads
	claimsLent, revsLent    bool // to forks
	held                    int  // bytes that this fork alone has

	why     model.Cause // of the action that is carried out
	told    func(change)
	refused map[string]string // what a disruption budget has said of evictions that it has not allowed, by the id of the action
	asked   bool              // the last plan tried one of these
	setGone bool              // the set itself is gone
	untidy  bool              // the garbage collector may have something to do
}

// index is the place of each object in its list, by name.
type index map[string]int

func newCluster(m *meter, s *model.Snapshot) *cluster {
	m.objects(len(s.Pods)+len(s.Claims)+len(s.Revisions), 0)
	texts := bytesOf(s)
	m.keep(texts)
	c := &cluster{Snapshot: *s, meter: m, texts: texts, pods: index{}, claims: index{}, revisions: index{}, templates: map[string]bool{}, shared: newShared(m), untidy: true}
	c.Pods, c.Claims, c.Revisions = slices.Clone(s.Pods), slices.Clone(s.Claims), slices.Clone(s.Revisions)
	c.Outcomes, c.refused = slices.Clone(s.Outcomes), map[string]string{}
	for _, o := range c.Outcomes {
		if o.Result == model.OutcomeDisruptionBudget || o.Result == model.OutcomeNodeCapacity {
			c.refused[o.ActionID] = o.Message
		}
	}
	for i := range c.Pods {
		c.pods[c.Pods[i].Name] = i
		c.shared.remember(c.Pods[i].Annotations)
		c.work(1)
	}
	for i := range c.Claims {
		c.claims[c.Claims[i].Name] = i
		c.shared.remember(c.Claims[i].Annotations)
		c.work(1)
	}
	for i := range c.Revisions {
		c.revisions[c.Revisions[i].Name] = i
		c.work(1)
	}
	c.available = engine.Availability(s, m.stop)
	for _, name := range engine.ClaimTemplateNames(s, m.stop) {
		c.templates[name] = true
	}
	return c
}

// Availability is the rule by which the set's pods count as available now.
func (c *cluster) Availability() state.Availability {
	c.available.Now = c.ObservedAt
	return c.available
}

// now is the clock of the forecast.
func (c *cluster) now() time.Time { return c.ObservedAt }

// stamp is the clock as the API writes it.
func (c *cluster) stamp() time.Time { return c.ObservedAt.Truncate(time.Second) }

// number is the uid of a new object, or the next resource version: no API server writes one like it.
func (c *cluster) number() string {
	c.made++
	return "forecast-" + strconv.Itoa(c.made)
}

// pod returns a pod, or nil. The pointer holds until a pod is made or goes.
func (c *cluster) pod(name string) *model.Pod { return at(c.Pods, c.pods, name) }

// claim returns a claim to read, or nil.
func (c *cluster) claim(name string) *model.Claim { return at(c.Claims, c.claims, name) }

// claimToChange returns a claim to change, or nil.
func (c *cluster) claimToChange(name string) *model.Claim {
	c.ownClaims()
	return c.claim(name)
}

// ownClaims ends the sharing of the claims with forks.
func (c *cluster) ownClaims() { own(c, &c.Claims, &c.claims, &c.claimsLent) }

// revision returns a revision to read, or nil.
func (c *cluster) revision(name string) *model.Revision { return at(c.Revisions, c.revisions, name) }

// revisionToChange returns a revision to change, or nil.
func (c *cluster) revisionToChange(name string) *model.Revision {
	c.ownRevisions()
	return c.revision(name)
}

func (c *cluster) ownRevisions() { own(c, &c.Revisions, &c.revisions, &c.revsLent) }

func own[T any](c *cluster, list *[]T, by *index, lent *bool) {
	if *lent {
		c.hold(len(*list) * objectBytes)
		*list, *by, *lent = slices.Clone(*list), maps.Clone(*by), false
	}
}

// hold counts bytes that are given back when the fork ends.
func (c *cluster) hold(bytes int) {
	c.keep(bytes)
	c.held += bytes
}

// makes counts an object that is made.
func (c *cluster) makes(bytes int) {
	c.objects(1, 0)
	c.hold(bytes)
}

func at[T any](list []T, by index, name string) *T {
	if i, there := by[name]; there {
		return &list[i]
	}
	return nil
}

// add appends an object to its list.
func add[T any](list []T, by index, name string, object T) []T {
	by[name] = len(list)
	return append(list, object)
}

// remove takes an object out of its list. The last one gets its place, because the engine does not mind the order.
func remove[T any](list []T, by index, name string, nameOf func(*T) string) []T {
	i, last := by[name], len(list)-1
	list[i] = list[last]
	by[nameOf(&list[i])] = i
	delete(by, name)
	return list[:last]
}

// onNode reports whether a host has taken a pod: then somebody has to stop it before it can go.
func onNode(p *model.Pod) bool {
	return p.Phase > model.PodPending || !p.StartedAt.IsZero()
}

// claimsOf are the names of the claims that a pod mounts, one after the other: any number of pods may share a long list of volumes.
func claimsOf(p *model.Pod) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, volume := range p.Volumes {
			if !yield(volume + "-" + p.Name) {
				return
			}
		}
		for _, b := range p.OtherClaims {
			if !yield(b.Claim) {
				return
			}
		}
	}
}

// names lists the names of the pods that the set shall have, by ordinal.
func (c *cluster) names() []string {
	names := engine.Wanted(&c.Snapshot, c.stop)
	c.work(c.texts / 16)
	c.objects(len(names), 0)
	return names
}

// bytesOf are the texts of a snapshot that are long for a reason.
func bytesOf(s *model.Snapshot) int {
	size := len(s.Set.PodTemplate) + len(s.Set.OwnFields) + len(s.Policy.Drain.PodTemplate)
	for name, text := range s.Set.Annotations {
		size += len(name) + len(text)
	}
	for _, template := range s.Set.ClaimTemplates {
		size += len(template)
	}
	for i := range s.Revisions {
		data := s.Revisions[i].Data
		size += len(data)
		if claimtemplate.SaysOfClaims(data) {
			size += treeBytes * bytes.Count(data, []byte(",")) // every plan makes trees of it
		}
	}
	return size
}
