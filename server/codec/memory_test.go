package codec

import (
	"fmt"
	"reflect"
	"testing"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// many is a request with so many pods and claims that memory does not keep all of them.
func many(pods int, label string) *setplanv1.PlanRequest {
	r := proto.CloneOf(request())
	pod, claim := r.Snapshot.Pods[0], r.Snapshot.Claims[0]
	r.Snapshot.Pods, r.Snapshot.Claims = nil, nil
	for i := range pods {
		p, c := proto.CloneOf(pod), proto.CloneOf(claim)
		p.Name, p.ResourceVersion, c.Name = fmt.Sprintf("web-%d", i), label, fmt.Sprintf("data-web-%d", i)
		if label == "" { // nothing but what is required
			p, c = &setplanv1.Pod{Name: p.Name, Uid: "u"}, &setplanv1.Claim{Name: c.Name, Uid: "u"}
		}
		r.Snapshot.Pods, r.Snapshot.Claims = append(r.Snapshot.Pods, p), append(r.Snapshot.Claims, c)
	}
	return r
}

// TestMemory reads large, small and sparse requests with the same memory: each gives the snapshot that it gives with memory of its own.
func TestMemory(t *testing.T) {
	memory := &Memory{}
	for i, r := range []*setplanv1.PlanRequest{many(3000, "a"), many(5, ""), many(700, ""), many(1, "b"), many(3000, ""), many(0, "")} {
		data, err := proto.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		limits := plenty
		limits.Memory = memory
		var got setplanv1.PlanRequest
		if err := Read(data, &got, limits); err != nil {
			t.Fatal(err)
		}
		if !proto.Equal(&got, r) {
			t.Fatalf("request %d is read as another one", i)
		}
		want, err := Decode(r, plenty)
		if err != nil {
			t.Fatal(err)
		}
		snapshot, err := Decode(&got, limits)
		if err != nil {
			t.Fatal(err)
		}
		if len(want.Pods) != len(snapshot.Pods) || len(want.Pods) > 0 && !reflect.DeepEqual(want, snapshot) {
			t.Fatalf("request %d gives another snapshot", i)
		}
		memory.erase()
		left(t, memory)
	}
}

// left fails where erased memory holds anything of a request, or too much memory.
func left(t *testing.T, m *Memory) {
	t.Helper()
	elements := 0
	for _, list := range []any{m.podMessages.kept, m.claimMessages.kept, m.pods.room[:cap(m.pods.room)], m.claims.room[:cap(m.claims.room)]} {
		each(reflect.ValueOf(list), func(element reflect.Value) {
			elements++
			if !element.IsZero() {
				t.Fatalf("erased memory still holds %v", element)
			}
		})
	}
	if elements > 4*keptElements {
		t.Fatalf("%d elements are kept", elements)
	}
}

func each(list reflect.Value, f func(reflect.Value)) {
	for i := range list.Len() {
		if element := list.Index(i); element.Kind() == reflect.Slice {
			each(element, f)
		} else {
			f(element)
		}
	}
}

// TestReadAllocates: what a pod and a claim cost to read and to decode is no allocation of their own.
func TestReadAllocates(t *testing.T) {
	allocations := func(pods int) float64 {
		data, err := proto.Marshal(many(pods, ""))
		if err != nil {
			t.Fatal(err)
		}
		limits := plenty
		limits.Memory = &Memory{}
		return testing.AllocsPerRun(20, func() {
			limits.Memory.erase()
			var r setplanv1.PlanRequest
			if err := Read(data, &r, limits); err != nil {
				t.Fatal(err)
			}
			if _, err := Decode(&r, limits); err != nil {
				t.Fatal(err)
			}
		})
	}
	few, lots := allocations(10), allocations(1000)
	t.Logf("%.0f allocations for 10 pods and claims, %.0f for 1,000", few, lots)
	if lots > few+40 {
		t.Errorf("990 more pods and claims take %.0f more allocations", lots-few)
	}
}
