package inplace

import (
	"strconv"
	"strings"
	"time"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// comparisons are what a pass has read of revisions, and the differences that it has looked at. Pods at the same revision share one. Of the templates it keeps
// only those that pods are updated to: a tree takes many times the bytes of its text.
type comparisons struct {
	of      map[[2]string]*podtemplate.Difference // two revisions by name
	stored  map[string]*model.Revision
	facts   map[string]*facts
	targets map[string]*jsontree.Value // templates of revisions that pods are updated to; nil: one that cannot be read
	bytes   int                        // of templates that have been read or compared
}

// facts are what is asked of a revision's template for each pod.
type facts struct {
	images  map[string]string   // by container; nil: the template cannot be read
	amounts podtemplate.Amounts // that containers are to have
	grace   time.Duration       // how long a container may take to stop
	notes   map[string]string   // its annotations under our prefix
}

// longestImage is longer than the name of any image that runs, which has a registry and a path of 255 bytes each, a tag and a digest. A longer one counts
// as none. Nor does an annotation of a template count that is longer than any that a plan writes on a pod.
const (
	longestImage = 1 << 10
	longestNote  = state.RoomForRecord
)

// mostCompared is how many bytes of templates a pass reads and compares in all. Pods at so many revisions, or at such long ones, that it takes more are treated
// as pods at a revision that is missing.
const mostCompared = 8 << 20

// begin finds the revisions, once.
func (c *comparisons) begin(v *Pods) {
	if c.of != nil {
		return
	}
	c.of, c.stored, c.facts, c.targets = map[[2]string]*podtemplate.Difference{}, make(map[string]*model.Revision, len(v.Revisions)), map[string]*facts{}, map[string]*jsontree.Value{}
	for _, r := range v.Revisions {
		c.stored[r.Name] = r
	}
}

// takes reports whether so many more bytes may be read or compared.
func (c *comparisons) takes(bytes int) bool {
	c.bytes += bytes
	return c.bytes <= mostCompared
}

// templateStored reads the template of a stored revision; ok is false if it is not there or cannot be read.
func (v *Pods) templateStored(revision string) (template jsontree.Value, ok bool) {
	c := &v.compared
	c.begin(v)
	stored := c.stored[revision]
	if stored == nil || v.Ends() || !c.takes(len(stored.Data)) {
		return jsontree.Value{}, false
	}
	return podtemplate.Of(stored.Data)
}

// target is the template of a revision that pods are updated to; nil if it cannot be read.
func (v *Pods) target(choice state.RevisionChoice) *jsontree.Value {
	c := &v.compared
	c.begin(v)
	if to, known := c.targets[choice.Name]; known {
		return to
	}
	var template jsontree.Value
	var ok bool
	switch {
	case c.stored[choice.Name] != nil: // which may say less than the set, and is what the pod is to be at
		template, ok = v.templateStored(choice.Name)
	case choice.Data != nil || choice.Lost:
		template, ok = podtemplate.Of(choice.Data)
	default:
		var err error
		template, err = jsontree.Parse(v.Set.PodTemplate)
		ok = err == nil
	}
	var to *jsontree.Value
	if ok {
		to = &template
	}
	c.targets[choice.Name] = to
	return to
}

var noFacts = &facts{grace: defaultGrace}

// factsOf are those of a revision that is stored, or is the update's.
func (v *Pods) factsOf(revision string) *facts {
	c := &v.compared
	c.begin(v)
	if known := c.facts[revision]; known != nil {
		return known
	}
	var template *jsontree.Value
	switch {
	case c.stored[revision] != nil:
		if read, ok := v.templateStored(revision); ok {
			template = &read
		}
	case revision == v.Update.Name:
		template = v.target(v.Update)
	default:
		return noFacts
	}
	c.facts[revision] = noFacts
	if template != nil {
		c.facts[revision] = readFacts(template)
	}
	return c.facts[revision]
}

func readFacts(template *jsontree.Value) *facts {
	f := facts{images: map[string]string{}, grace: defaultGrace, notes: map[string]string{}}
	spec := template.Get("spec")
	for _, list := range [...]string{"containers", "initContainers"} {
		for _, container := range spec.Get(list).Items() {
			name := container.Get("name").Text
			if f.images[name] = container.Get("image").Text; len(f.images[name]) > longestImage {
				f.images[name] = ""
			}
			for key := range model.Resizable {
				value := podtemplate.AmountIn(container, key)
				if _, ok := podtemplate.ReadAmount(value); ok && value.Kind != jsontree.Null {
					f.amounts.Put(name, key, value.Text)
				}
			}
		}
	}
	if seconds, err := strconv.ParseInt(spec.Get("terminationGracePeriodSeconds").Text, 10, 32); err == nil && seconds >= 0 {
		f.grace = time.Duration(seconds) * time.Second
	}
	for _, m := range template.Get("metadata").Get("annotations").Members() {
		if strings.HasPrefix(m.Key, policy.Prefix) && m.Value.Kind == jsontree.String && len(m.Value.Text) <= longestNote {
			f.notes[m.Key] = m.Value.Text
		}
	}
	return &f
}
