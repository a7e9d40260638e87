package codec

import (
	"errors"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestReadIsUnmarshal reads in pieces of every size, also what is no message.
func TestReadIsUnmarshal(t *testing.T) {
	whole, err := proto.Marshal(request())
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	good, bad := 0, 0
	for n := range 3000 {
		data := append([]byte(nil), whole...)
		for range n % 4 {
			data[random.IntN(len(data))] = byte(random.Uint32())
		}
		if n%5 == 4 {
			data = data[:random.IntN(len(data))]
		}
		if n%7 == 6 {
			data = append(data, data...) // of two the second is merged into the first
		}
		want, got := &setplanv1.PlanRequest{}, &setplanv1.PlanRequest{}
		wantErr := proto.Unmarshal(data, want)
		p := pieces{limits: &Limits{}, bytes: random.IntN(200)}
		gotErr := p.message(data, got.ProtoReflect())
		if (wantErr == nil) != (gotErr == nil) {
			t.Fatalf("%x in pieces of %d: %v, and whole: %v", data, p.bytes, gotErr, wantErr)
		}
		if wantErr != nil {
			bad++
		} else if good++; !proto.Equal(want, got) {
			t.Fatalf("%x in pieces of %d is\n%v\nand whole\n%v", data, p.bytes, got, want)
		}
	}
	if good < 500 || bad < 500 {
		t.Errorf("%d messages and %d that are none: this says little", good, bad)
	}
}

// TestStopped ends each step at every look, from the first to the last.
func TestStopped(t *testing.T) {
	r := request()
	for i := range 5000 {
		p := proto.CloneOf(r.Snapshot.Pods[1])
		p.Name = string(rune('a'+i%26)) + p.Name // not in order, so that names are remembered
		r.Snapshot.Pods = append(r.Snapshot.Pods, p)
		r.Snapshot.Claims = append(r.Snapshot.Claims, &setplanv1.Claim{Name: "x", Uid: "u"})
		r.Snapshot.Tables.OwnerSets[0].Owners = append(r.Snapshot.Tables.OwnerSets[0].Owners, &setplanv1.OwnerReference{})
		r.Snapshot.Tables.LabelSets = append(r.Snapshot.Tables.LabelSets, &setplanv1.LabelSet{})
	}
	data, err := proto.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for step, run := range map[string]func(Limits) error{
		"check": func(l Limits) error { return Check(data, l) },
		"read":  func(l Limits) error { return Read(data, &setplanv1.PlanRequest{}, l) },
		"decode": func(l Limits) error {
			_, err := Decode(r, l)
			return err
		},
	} {
		looks := 0
		if err := run(Limits{Stop: func() bool { looks++; return false }}); errors.Is(err, ErrStopped) {
			t.Errorf("%s was stopped by nobody", step)
		}
		if looks < 3 {
			t.Errorf("%s looked %d times", step, looks)
		}
		for at := 1; at <= looks; at++ {
			n := 0
			if err := run(Limits{Stop: func() bool { n++; return n == at }}); !errors.Is(err, ErrStopped) || n != at {
				t.Errorf("%s, stopped at look %d of %d: it looked %d times, and said %v", step, at, looks, n, err)
			}
		}
	}
}
