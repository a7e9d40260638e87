package forecast

import (
	"slices"
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
)

// shared is what objects have in common that are made of one template. They share it as those of a snapshot do, so that the engine looks at it once; and
// nothing that is kept is a part of a manifest, which would be kept with it.
type shared struct {
	*meter
	texts       map[string]string
	labelSets   map[string]*model.Labels
	annotations map[string]*model.Annotations
	owners      map[string][]model.Owner
	weights     map[*model.Annotations]int
	digests     map[*model.Annotations]digest
}

func newShared(m *meter) *shared {
	return &shared{m, map[string]string{}, map[string]*model.Labels{}, map[string]*model.Annotations{}, map[string][]model.Owner{}, map[*model.Annotations]int{},
		map[*model.Annotations]digest{}}
}

// text is a text of a manifest, once and by itself.
func (s *shared) text(of string) string {
	if of == "" {
		return ""
	}
	known, ok := s.texts[of]
	if !ok {
		s.keep(2*len(of) + stateBytes)
		known = strings.Clone(of)
		s.texts[known] = known
	}
	return known
}

// key is what is the same for the same members, and for no others.
func (s *shared) key(members []jsontree.Member) string {
	var key []byte
	for _, m := range members {
		s.work(2 + (len(m.Key)+len(m.Value.Text))/16)
		key = appendText(appendText(key, m.Key), m.Value.Text)
	}
	return string(key)
}

func (s *shared) values(members []jsontree.Member) map[string]string {
	values := make(map[string]string, len(members))
	for _, m := range members {
		values[s.text(m.Key)] = s.text(m.Value.Text)
	}
	s.keep(len(members) * stateBytes)
	return values
}

func (s *shared) labelsOf(members []jsontree.Member) *model.Labels {
	return sharedBy(s, s.labelSets, members, func() *model.Labels { return &model.Labels{Values: s.values(members)} })
}

func (s *shared) annotationsOf(members []jsontree.Member) *model.Annotations {
	if len(members) == 0 {
		return nil
	}
	return sharedBy(s, s.annotations, members, func() *model.Annotations {
		a := &model.Annotations{Values: s.values(members)}
		s.remember(a)
		return a
	})
}

// sharedBy returns what has been made of the same members, or makes it.
func sharedBy[T any](s *shared, known map[string]T, members []jsontree.Member, make func() T) T {
	key := s.key(members)
	made, ok := known[key]
	if !ok {
		s.keep(len(key))
		made = make()
		known[key] = made
	}
	return made
}

// ownersOf are those of a manifest.
func (s *shared) ownersOf(meta jsontree.Value) []model.Owner {
	list := meta.Get("ownerReferences").Items()
	if len(list) == 0 {
		return nil
	}
	key := jsontree.Append(nil, meta.Get("ownerReferences"))
	owners, known := s.owners[string(key)]
	if !known {
		s.keep(len(key) + len(list)*2*stateBytes)
		for _, o := range list {
			text := func(key string) string { return s.text(o.Get(key).Text) }
			owners = append(owners, model.Owner{APIVersion: text("apiVersion"), Kind: text("kind"), Name: text("name"), UID: text("uid"),
				Controller: o.Get("controller").Text == "true", BlockOwnerDeletion: o.Get("blockOwnerDeletion").Text == "true"})
		}
		s.owners[string(key)] = slices.Clip(owners)
	}
	return owners
}

// remember weighs annotations that any number of objects may share.
func (s *shared) remember(a *model.Annotations) {
	if a == nil || s.weights[a] > 0 {
		return
	}
	weight := weighAnnotations(a)
	s.work(weight)
	s.keep(stateBytes)
	s.weights[a] = weight
}

// weigh is what annotations weigh.
func (s *shared) weigh(a *model.Annotations) int {
	if a == nil {
		return 0
	}
	if weight, known := s.weights[a]; known {
		return weight
	}
	return weighAnnotations(a)
}

func weighAnnotations(a *model.Annotations) (weight int) {
	for key, value := range a.Values {
		weight += 1 + (len(key)+len(value))/bytesPerUnit
	}
	return weight
}

// weigh is the work of looking at all that a pod has: any number of pods may share a long list or a long text, and who looks at each of them looks
// at all that each time.
func (c *cluster) weigh(p *model.Pod) int {
	weight := 1 + len(p.Owners) + len(p.Volumes) + len(p.OtherClaims) + 16*len(p.Gates) + c.shared.weigh(p.Annotations)
	if p.Containers != nil {
		weight += 4 * (len(p.Containers.Containers) + len(p.Containers.Init))
	}
	return weight
}

// lookAt is the work of looking at a pod a few times.
func (c *cluster) lookAt(p *model.Pod) {
	c.work(4)
	if p.Annotations != nil || len(p.Owners) > 2 || len(p.Volumes) > 2 || p.OtherClaims != nil || len(p.Gates) > 2 {
		c.work(4 * c.weigh(p))
	}
}
