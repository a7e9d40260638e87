package hostile

import (
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func nest() *setplanv1.PlanRequest { return nested(40) }

func nested(depth int) *setplanv1.PlanRequest {
	r := base()
	setTemplate(r.Snapshot, `,"x":`+strings.Repeat(`{"a":`, depth)+"0"+strings.Repeat("}", depth))
	addRevision(r.Snapshot, "web-1", " ")
	return r
}

func wide() *setplanv1.PlanRequest {
	r := base()
	setTemplate(r.Snapshot, `,"x":`+manyKeys(40_000, "0"))
	addRevision(r.Snapshot, "web-1", " ")
	return r
}

func affinity() *setplanv1.PlanRequest {
	r := base()
	term := `,"affinity":{"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,` +
		`"podAffinityTerm":{"topologyKey":"k","labelSelector":{"matchLabels":` + manyKeys(4000, `"v"`) + `}}}]}}`
	setTemplate(r.Snapshot, term+`,"nodeName":"new"`)
	addRevision(r.Snapshot, "web-1", "")
	setTemplate(r.Snapshot, term+`,"nodeName":"old"`)
	return r
}

func del() *setplanv1.PlanRequest {
	r := base()
	setTemplate(r.Snapshot, `,"x":"`+strings.Repeat("\x7f", 100_000)+`"`)
	return r
}

func delClaims() *setplanv1.PlanRequest {
	r := base()
	setTemplate(r.Snapshot, `,"x":"`+strings.Repeat("\x7f", 10_000)+`"`)
	addClaimTemplates(r.Snapshot, 100)
	return r
}

func zeros() *setplanv1.PlanRequest {
	r := base()
	setTemplate(r.Snapshot, `,"x":[0`+strings.Repeat(",0", 4_000_000)+`]`)
	return r
}

func templateClaims() *setplanv1.PlanRequest {
	r := base()
	setTemplate(r.Snapshot, `,"x":"`+strings.Repeat("y", 500_000)+`"`)
	addClaimTemplates(r.Snapshot, 5000)
	return r
}

func matchLabels() *setplanv1.PlanRequest {
	r := base()
	labelled(r.Snapshot.Set)
	addClaimTemplates(r.Snapshot, 500)
	return r
}

func labelled(set *setplanv1.StatefulSet) {
	set.Selector.MatchLabels = manyLabels(1000)
	set.PodTemplate = []byte(`{"metadata":{"labels":` + manyKeys(1000, `"v"`) + `},"spec":{"containers":[{"name":"c"}]}}`)
}

func labelsClaims() *setplanv1.PlanRequest {
	r := base()
	set := r.Snapshot.Set
	labelled(set)
	for i := range 1000 {
		set.ClaimTemplates = append(set.ClaimTemplates, fmt.Appendf(nil,
			`{"metadata": {"name": "d%d"}, "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}`, i))
	}
	return r
}

func incapable() *setplanv1.PlanRequest {
	r := base()
	r.Capabilities = []setplanv1.Capability{setplanv1.Capability_CAPABILITY_CREATE_REVISION, setplanv1.Capability_CAPABILITY_UPDATE_STATUS}
	setTemplate(r.Snapshot, `,"x":"`+strings.Repeat("y", 100_000)+`"`)
	r.Snapshot.Set.Replicas = proto.Int32(100_000)
	return r
}

func unusableRevision() *setplanv1.PlanRequest {
	r := base()
	set := r.Snapshot.Set
	set.Replicas = proto.Int32(100_000)
	set.UpdateStrategy = &setplanv1.UpdateStrategy{RollingUpdate: &setplanv1.RollingUpdate{Partition: 100_000}}
	set.Status = &setplanv1.StatefulSetStatus{CurrentRevision: new("web-1")}
	addRevision(r.Snapshot, "web-1", "").Data = []byte(`{"spec":{"template":{"x":"` + strings.Repeat("y", 100_000) + `"}}}`)
	return r
}

func collide() *setplanv1.PlanRequest {
	const collisions = 20_000
	r := base()
	setTemplate(r.Snapshot, `,"x":"`+strings.Repeat("y", 100_000)+`"`)
	data := patch(r.Snapshot.Set.PodTemplate)
	for i := range collisions {
		r.Snapshot.Revisions = append(r.Snapshot.Revisions, &setplanv1.Revision{Name: setName + "-" + nameHash(data, i), Uid: "r"})
	}
	return r
}

// nameHash is the hash in the name of the revision that stores data after so many collisions.
func nameHash(data []byte, collisions int) string {
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	h := uint32(2166136261)
	for _, b := range fmt.Appendf(data[:len(data):len(data)], "%d", collisions) {
		h = h*16777619 ^ uint32(b)
	}
	text := fmt.Append(nil, h)
	for i, c := range text {
		text[i] = letters[int(c)%len(letters)]
	}
	return string(text)
}

// onTheWay is a set with pods that are updated in place, from a container to another, and carry a note.
func onTheWay(from, to string, pods int, note string) *setplanv1.PlanRequest {
	r := base()
	s := r.Snapshot
	for i, c := range []string{from, to} {
		s.Set.PodTemplate = []byte(strings.Replace(plainTemplate, `{"name":"c"}`, c, 1))
		addRevision(s, "web-"+strconv.Itoa(i), "").Number = int64(i + 1)
	}
	s.Set.Annotations = map[string]string{"setplan.io/in-place": "InPlaceIfPossible"}
	s.Tables.RevisionNames = []string{"", "web-0"}
	s.Tables.AnnotationSets = []*setplanv1.AnnotationSet{{}, {Annotations: map[string]string{"setplan.io/in-place-update": note}}}
	addPods(s, pods, func(_ int, p *setplanv1.Pod) {
		p.RevisionNameIndex, p.AnnotationSetIndex = 1, 1
		p.Containers = &setplanv1.PodContainers{Generation: 1, ObservedGeneration: 1, Containers: []*setplanv1.Container{{Name: "c", Image: "new", StatusImage: "y",
			ImageId: "o", ContainerId: "j", StartedUnixMs: 1777895100000, Resources: &setplanv1.ContainerResources{Limits: map[string]string{"memory": eights}}}}}
	})
	return r
}

const eights = "8888888888888888888888888888Ei"
