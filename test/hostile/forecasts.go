package hostile

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Forecast is a request of a forecast, in bytes: some come in parts, which no message does.
type Forecast struct {
	Name, What string
	Build      func() ([]byte, error)
	Before     string // what it took when forecasts were first attacked
}

// Forecasts lists those that multiply what only a forecast has: steps, orders, and objects that it makes.
func Forecasts() []Forecast {
	return []Forecast{
		{"starts", "bytes of start × parts that it comes in", inParts(40_000), "20 s"},
		{"grow", "bytes of an annotation of the template × pods that are made", of(annotated(16<<10, 100_000)), "1.4 GB"},
		{"grow-long", "the same, of a longer one", of(annotated(100<<10, 100_000)), "> 1 GB"},
		{"grow-fewer", "the same, of as many as are forecast", of(annotated(100<<10, 13_000)), ""},
		{"grow-many", "annotations of the template × pods that are made", of(func() *setplanv1.PlanRequest {
			return edited(func(s *setplanv1.Snapshot) {
				s.Set.PodTemplate = bytes.Replace(s.Set.PodTemplate, []byte(`{"labels"`), []byte(`{"annotations":`+strings.ReplaceAll(manyKeys(3000, `"v"`), `"k`, `"setplan.io/k`)+`,"labels"`), 1)
				s.Set.Replicas = proto.Int32(13_000)
			})
		}), ""},
		{"grow-labels", "labels of the template × pods that are made", of(func() *setplanv1.PlanRequest {
			return edited(func(s *setplanv1.Snapshot) {
				labels := manyKeys(3000, `"v"`)
				s.Set.PodTemplate = bytes.Replace(s.Set.PodTemplate, []byte(`"labels":{`), []byte(`"labels":`+labels[:len(labels)-1]+","), 1)
				s.Set.Replicas = proto.Int32(13_000)
			})
		}), ""},
		{"state-text", "bytes of an annotation that claims share × claims × states", pessimistic(func() *setplanv1.PlanRequest { return notedClaims(4000, 250_000) }), "> 1 GB"},
		{"forks", "claims × states", pessimistic(func() *setplanv1.PlanRequest { return notedClaims(100_000, 1) }), "31 s"},
		{"forks-fewer", "the same, of as many as are forecast", pessimistic(func() *setplanv1.PlanRequest { return notedClaims(35_000, 1) }), ""},
		{"made", "pods that are made × claim templates", of(func() *setplanv1.PlanRequest {
			return edited(func(s *setplanv1.Snapshot) {
				addClaimTemplates(s, 8)
				s.Set.Replicas = proto.Int32(100_000)
			})
		}), "27 s"},
		{"made-fewer", "the same, of as many as are forecast", of(func() *setplanv1.PlanRequest {
			return edited(func(s *setplanv1.Snapshot) {
				addClaimTemplates(s, 8)
				s.Set.Replicas = proto.Int32(3500)
			})
		}), ""},
		{"forecasts", "pods that are made", of(func() *setplanv1.PlanRequest {
			return edited(func(s *setplanv1.Snapshot) { s.Set.Replicas = proto.Int32(20_000) })
		}), "1.2 s"},
		{"ordered", "steps × pods", of(func() *setplanv1.PlanRequest { return outdated(3000, "OrderedReady") }), ""},
		{"orders", "orders of events of pods", pessimistic(func() *setplanv1.PlanRequest {
			r := outdated(5, "Parallel")
			r.Snapshot.Set.MinReadySeconds = 5
			return r
		}), "1.1 s"},
		{"containers", "containers of the template × pods that are updated in place", pessimistic(func() *setplanv1.PlanRequest {
			r := outdated(5, "Parallel")
			s := r.Snapshot
			s.Set.Annotations = map[string]string{"setplan.io/in-place": "true"}
			s.Tables.AnnotationSets = []*setplanv1.AnnotationSet{{}, {Annotations: map[string]string{"setplan.io/in-place-update": "{}"}}}
			for _, p := range s.Pods {
				p.AnnotationSetIndex = 1
			}
			s.Set.PodTemplate = []byte(strings.Replace(plainTemplate, `[{"name":"c"}]`, `[{"name":"c"}`+manyContainers(10_000)+`]`, 1))
			s.Set.Replicas = proto.Int32(10_000)
			return r
		}), ""},
		{"said", "values of what revisions say of claim templates × plans", of(func() *setplanv1.PlanRequest {
			r := outdated(50, "OrderedReady")
			for range 14 {
				addRevision(r.Snapshot, fmt.Sprint("said-", len(r.Snapshot.Revisions)), "").Data = []byte(`{"setplan.io/claim-templates":{"z":[0` + strings.Repeat(",0", 99_000) + `]},"spec":{"template":{}}}`)
			}
			return r
		}), "4.2 s"},
		{"differences", "depth × keys of two templates", of(func() *setplanv1.PlanRequest {
			r := outdated(5, "Parallel")
			setTemplate(r.Snapshot, `,"x":`+strings.Repeat(`{"a":`, 180)+strings.TrimSuffix(manyKeys(40_000, "1"), "}")+`,"a":1`+strings.Repeat("}", 181))
			r.Snapshot.Revisions[0].Data = bytes.Replace(patch(r.Snapshot.Set.PodTemplate), []byte(":1"), []byte(":2"), 1)
			return r
		}), ""},
		{"revisions", "bytes of revisions of which none was ever ready", of(func() *setplanv1.PlanRequest {
			r := outdated(3, "Parallel")
			s := r.Snapshot
			for i, p := range s.Pods {
				p.Ready, p.RevisionNameIndex = false, uint32(i)+2
			}
			text := strings.Repeat("x", 3000)
			for i := range 9_000 {
				name := fmt.Sprintf("web-%d", i)
				addRevision(s, name, " ").Data = patch([]byte(strings.Replace(plainTemplate, `"c"`, `"`+text+name+`"`, 1)))
				s.Tables.RevisionNames = append(s.Tables.RevisionNames, name)
			}
			return r
		}), ""},
		{"owners", "owners that claims share × claims × steps", of(func() *setplanv1.PlanRequest {
			r := outdated(3, "OrderedReady")
			s := r.Snapshot
			s.Tables.OwnerSets = append(s.Tables.OwnerSets, owners(60_000))
			for i := range 20_000 {
				s.Claims = append(s.Claims, &setplanv1.Claim{Name: fmt.Sprintf("d0-web-%d", i), Uid: fmt.Sprint(i), Phase: setplanv1.ClaimPhase_CLAIM_PHASE_BOUND, OwnerSetIndex: 2})
			}
			return r
		}), ""},
	}
}

// Foreseen are the requests that cost most to plan, as forecasts, and the documents.
func Foreseen() (all []Forecast) {
	for _, c := range append(Cases(), DocumentCases()...) {
		all = append(all, Forecast{"foreseen: " + c.Name, c.What, pessimistic(c.Build), ""})
	}
	return all
}

func of(start func() *setplanv1.PlanRequest) func() ([]byte, error) {
	return func() ([]byte, error) { return proto.Marshal(&setplanv1.ForecastRequest{Start: start()}) }
}

func pessimistic(start func() *setplanv1.PlanRequest) func() ([]byte, error) {
	return func() ([]byte, error) {
		return proto.Marshal(&setplanv1.ForecastRequest{Start: start(), Pessimistic: true})
	}
}

// inParts is an honest request whose start comes in many parts, most of them with a field that nobody knows.
func inParts(n int) func() ([]byte, error) {
	return func() ([]byte, error) {
		start, err := proto.Marshal(base())
		if err != nil {
			return nil, err
		}
		part := func(out, start []byte) []byte {
			return protowire.AppendBytes(protowire.AppendTag(out, 1, protowire.BytesType), start)
		}
		out := part(nil, start)
		unknown := protowire.AppendBytes(protowire.AppendTag(nil, 1000, protowire.BytesType), make([]byte, 20))
		for range n {
			out = part(out, unknown)
		}
		return out, nil
	}
}

func edited(edit func(*setplanv1.Snapshot)) *setplanv1.PlanRequest {
	r := base()
	edit(r.Snapshot)
	return r
}

func annotated(long int, pods int32) func() *setplanv1.PlanRequest {
	return func() *setplanv1.PlanRequest {
		return edited(func(s *setplanv1.Snapshot) {
			s.Set.PodTemplate = bytes.Replace(s.Set.PodTemplate, []byte(`{"labels"`), []byte(`{"annotations":{"setplan.io/x":"`+strings.Repeat("x", long)+`"},"labels"`), 1)
			s.Set.Replicas = proto.Int32(pods)
		})
	}
}

// outdated is a set of running pods whose template has changed.
func outdated(pods int, policy string) *setplanv1.PlanRequest {
	r := base()
	s := r.Snapshot
	addRevision(s, "web-old", "")
	s.Set.PodTemplate = []byte(strings.Replace(plainTemplate, `"c"`, `"new"`, 1))
	s.Set.PodManagementPolicy = policy
	s.Tables.RevisionNames = []string{"", "web-old"}
	s.Set.Status = &setplanv1.StatefulSetStatus{CurrentRevision: proto.String("web-old"), UpdateRevision: proto.String("web-old"), ObservedGeneration: proto.Int64(1)}
	s.Set.UpdateStrategy = &setplanv1.UpdateStrategy{Type: "RollingUpdate", RollingUpdate: &setplanv1.RollingUpdate{MaxUnavailable: &setplanv1.IntOrPercent{Value: &setplanv1.IntOrPercent_Percent{Percent: "100%"}}}}
	addPods(s, pods, func(i int, p *setplanv1.Pod) {
		p.Uid, p.RevisionNameIndex = fmt.Sprint("p", i), 1
		p.ReadyChangedUnixMs = s.ObservedAt.AsTime().Add(-time.Hour).UnixMilli()
	})
	return r
}

// notedClaims is a set of five pods that are outdated, with claims that share an annotation.
func notedClaims(claims, long int) *setplanv1.PlanRequest {
	r := outdated(5, "Parallel")
	s := r.Snapshot
	s.Tables.AnnotationSets = []*setplanv1.AnnotationSet{{}, {Annotations: map[string]string{"setplan.io/x": strings.Repeat("x", long)}}}
	for i := range claims {
		s.Claims = append(s.Claims, &setplanv1.Claim{Name: fmt.Sprintf("d0-web-%d", i), Uid: fmt.Sprint(i), Phase: setplanv1.ClaimPhase_CLAIM_PHASE_BOUND, AnnotationSetIndex: 1})
	}
	return r
}

func manyContainers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,{"name":"c%d","image":"x"}`, i)
	}
	return b.String()
}
