package objects

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/setplan/setplan/proto/rawjson"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/proto/yamljson"
)

// noteClaimTemplates is the annotation in which a set adds claim templates, and where the data of a revision has them.
const noteClaimTemplates = annotationPrefix + "claim-templates"

// maxAdded is how many claim templates a set may add. The planner follows no annotation that has more, and claims are looked up for each.
const maxAdded = 100

// maxYAML is how much of it is converted from YAML, in all sets whose claims may have the same names. To convert 64 KiB takes 20 ms.
const maxYAML = 256 << 10

// maxRevisionBase is how much of a set's name a revision's name has: upstream's ControllerRevisionName cuts it.
const maxRevisionBase = 223

// Snapshot is a snapshot, and the objects that it was made of.
type Snapshot struct {
	*setplanv1.Snapshot
	set  *origin
	from map[string][]*origin // by the path of a list in the snapshot
}

func (c *candidates) snapshot(limits Limits) (*Snapshot, error) {
	b := &builder{limits: limits, pace: c.pace, at: c.set, from: map[string][]*origin{}, places: map[place]uint32{}}
	out := &setplanv1.Snapshot{ObservedAt: c.in.GetObservedAt(), Coverage: b.coverage(c), Policy: c.in.GetPolicy(), Tables: &b.tables}
	out.Set = b.set(c.set.JSON, c.kind)
	b.edit(c, out.Set)
	name, uid := out.Set.GetName(), out.Set.GetUid()
	for o := range b.take("revisions", c.revisions, func(o *origin) bool { return b.revisionBelongs(o, out.Set) }) {
		out.Revisions = append(out.Revisions, b.revision(o.JSON))
	}
	b.at = c.set
	b.fill(c, out.Set, out.Revisions)
	own, _ := b.templates(c.set.JSON)
	for _, revision := range out.Revisions {
		b.addedIn(revision.GetData(), own)
	}
	wanted := map[string]string{} // by the claims' names without the ordinals
	for _, template := range own.all {
		b.pace.Spend(perObject)
		wanted[template+"-"+name] = template
	}
	for o := range b.take("pods", c.pods, func(o *origin) bool {
		base, _, ok := splitOrdinal(o.Name)
		return ok && base == name || b.controls(o.JSON, uid)
	}) {
		out.Pods = append(out.Pods, b.pod(o.JSON))
	}
	for o := range b.take("claims", c.claims, func(o *origin) bool {
		base, _, ok := splitOrdinal(o.Name)
		return ok && wanted[base] != ""
	}) {
		out.Claims = append(out.Claims, b.claim(o.JSON))
	}
	b.neighbours(c, own.all, wanted, out)
	b.fixedClasses(c.classes, out)
	if b.wrong != nil {
		return nil, b.wrong
	}
	return &Snapshot{out, c.set, b.from}, nil
}

// take goes over those objects that belong to a set, as long as nothing is wrong.
func (b *builder) take(list string, all []*origin, belongs func(*origin) bool) iter.Seq[*origin] {
	return func(yield func(*origin) bool) {
		for _, o := range all {
			b.at = o
			b.pace.Spend(perObject)
			if b.wrong != nil {
				return
			}
			if belongs(o) && b.element(o.JSON) {
				b.from[list] = append(b.from[list], o)
				if !yield(o) {
					return
				}
			}
		}
	}
}

// splitOrdinal splits "web-3" into "web" and "3". Whether the set would use such an ordinal is the planner's business.
func splitOrdinal(name string) (base, digits string, ok bool) {
	dash := strings.LastIndexByte(name, '-')
	if dash < 0 || dash == len(name)-1 || strings.Trim(name[dash+1:], "0123456789") != "" {
		return "", "", false
	}
	return name[:dash], name[dash+1:], true
}

// controller is the uid of the object's controller; ok if it has one.
func (b *builder) controller(object rawjson.Value) (uid string, ok bool) {
	for w := b.get(object, "metadata", "ownerReferences").Items(); w.Next() && !ok; {
		uid = ""
		b.read(w.Value, field{"controller", &ok}, field{"uid", &uid})
	}
	return uid, ok
}

func (b *builder) controls(object rawjson.Value, set string) bool {
	uid, ok := b.controller(object)
	return ok && uid == set
}

func (b *builder) revisionBelongs(o *origin, set *setplanv1.StatefulSet) bool {
	if strings.HasPrefix(o.Name, set.GetName()[:min(len(set.GetName()), maxRevisionBase)]+"-") {
		return true
	}
	uid, ok := b.controller(o.JSON)
	return !ok || uid == set.GetUid()
}

// names are names of claim templates, each once.
type names struct {
	all   []string
	known map[string]bool
}

func (n *names) add(name string) {
	if n.known == nil {
		n.known = map[string]bool{}
	}
	if !n.known[name] {
		n.known[name] = true
		n.all = append(n.all, name)
	}
}

// templates are the names of the claim templates that a set has, and of those that its annotation adds. They are not known if more YAML would have to be
// converted than maxYAML. The planner follows no annotation that cannot be read.
func (b *builder) templates(set rawjson.Value) (own *names, known bool) {
	own = &names{}
	for w := set.Get("spec").Get("volumeClaimTemplates").Items(); w.Next(); {
		if name := w.Value.Get("metadata").Get("name").Text(); name != "" {
			own.add(name)
		}
	}
	annotation := set.Get("metadata").Get("annotations").Get(noteClaimTemplates).Text()
	if annotation == "" {
		return own, true
	}
	said, ok := b.object([]byte(annotation))
	if !ok {
		if len(annotation) > yamljson.MaxTemplate {
			return own, true
		}
		if b.yaml += len(annotation); b.yaml > maxYAML {
			return own, false
		}
		converted, err := yamljson.Template([]byte(annotation), b.limits.Stop)
		if errors.Is(err, yamljson.ErrStopped) {
			panic(rawjson.ErrStopped)
		}
		if said, ok = b.object(converted); err != nil || !ok {
			return own, true
		}
	}
	if added := namesIn(said, own); len(added) <= maxAdded {
		for _, name := range added {
			own.add(name)
		}
	}
	return own, true
}

// addedIn adds the names of the claim templates that the data of a revision adds: a pod of an older one keeps its claims.
func (b *builder) addedIn(data []byte, templates *names) {
	if bytes.HasPrefix(data, []byte(`{"spec":`)) && !bytes.Contains(data, []byte(noteClaimTemplates)) {
		return // as nearly always
	}
	if said, ok := b.object(data); ok {
		for _, name := range namesIn(said.Get(noteClaimTemplates), &names{}) {
			templates.add(name)
		}
	}
}

// object reads a JSON object that is in a text.
func (b *builder) object(text []byte) (rawjson.Value, bool) {
	v, err := rawjson.Read(text, b.pace)
	if errors.Is(err, rawjson.ErrStopped) {
		panic(rawjson.ErrStopped)
	}
	return v, err == nil && v.Kind() == '{'
}

// namesIn are the members of an object that are no patch of an own template and not null.
func namesIn(said rawjson.Value, own *names) (added []string) {
	last := map[string]bool{} // whether it is null
	for w := said.Members(); w.Next(); {
		key := string(w.Key())
		if _, known := last[key]; !known && !own.known[key] {
			added = append(added, key)
		}
		last[key] = !w.Value.Is()
	}
	return slices.DeleteFunc(added, func(name string) bool { return last[name] })
}

// neighbours are the other sets that use the same claim names, or of which that is not known.
func (b *builder) neighbours(c *candidates, templates []string, wanted map[string]string, out *setplanv1.Snapshot) {
	for _, o := range c.sets {
		ours := out.Set.GetName()
		if b.at = o; b.wrong != nil || !strings.HasSuffix(o.Name, "-"+ours) && !strings.HasSuffix(ours, "-"+o.Name) {
			continue // no claims of the two can have the same name
		}
		theirs, known := b.templates(o.JSON)
		if !known {
			for _, template := range templates {
				b.pace.Spend(perObject)
				if theirTemplate, could := strings.CutSuffix(template+"-"+ours, "-"+o.Name); could {
					theirs.add(theirTemplate)
				}
			}
		}
		for _, name := range theirs.all {
			if ours := wanted[name+"-"+o.Name]; ours != "" && b.element(o.JSON) {
				out.ClaimNeighbours = append(out.ClaimNeighbours, &setplanv1.ClaimNeighbour{Set: o.Name, ClaimTemplate: ours})
			}
		}
	}
}

// fixedClasses are the storage classes of the claims that let no volume grow, of those that the documents have.
func (b *builder) fixedClasses(classes []*origin, out *setplanv1.Snapshot) {
	fixed := map[string]bool{}
	for _, o := range classes {
		b.at = o
		fixed[o.Name] = !b.flag(b.get(o.JSON, "allowVolumeExpansion"))
	}
	for _, storage := range b.tables.ClaimStorages {
		b.pace.Spend(perObject)
		if class := storage.GetStorageClass(); fixed[class] && b.element(rawjson.Value{}) {
			delete(fixed, class)
			out.FixedStorageClasses = append(out.FixedStorageClasses, class)
		}
	}
}
