package codec

import (
	"errors"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// agree reads bytes in pieces: if they pass Check, Read reads them as proto.Unmarshal does, or both refuse them.
func agree(t *testing.T, data []byte, pieceBytes int) (passed, read bool) {
	t.Helper()
	want, got := &setplanv1.PlanRequest{}, &setplanv1.PlanRequest{}
	wantErr := proto.Unmarshal(data, want)
	if err := Check(data, plenty); err != nil {
		return false, wantErr == nil
	}
	p := pieces{bytes: pieceBytes, memory: &Memory{}}
	gotErr := p.message(data, got)
	if wantErr != nil && gotErr == nil {
		t.Fatalf("%x: reads what protobuf refuses: %v", data, wantErr)
	}
	if gotErr == nil && !proto.Equal(known(t, want), known(t, got)) {
		t.Fatalf("%x in pieces of %d is\n%v\nand whole\n%v", data, pieceBytes, got, want)
	}
	return true, gotErr == nil
}

// known removes fields of later contracts from a message. Nobody reads them, and the generated code drops those of a timestamp.
func known(t *testing.T, m *setplanv1.PlanRequest) *setplanv1.PlanRequest {
	t.Helper()
	data, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	out := &setplanv1.PlanRequest{}
	if err := (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(data, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestReadIsUnmarshal reads in pieces of every size, also bytes that are no message.
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
		if passed, read := agree(t, data, random.IntN(200)); passed && read {
			good++
		} else {
			bad++
		}
	}
	if good < 500 || bad < 500 {
		t.Errorf("%d messages and %d that are none: the test shows little", good, bad)
	}
}

// FuzzReadIsUnmarshal looks for bytes that the generated code and protobuf read differently.
func FuzzReadIsUnmarshal(f *testing.F) {
	for _, seed := range fuzzRequests(f) {
		f.Add(seed, 100)
	}
	for _, seed := range lax() {
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, data []byte, pieceBytes int) { agree(t, data, pieceBytes) })
}

// lax are requests that the generated code accepts by itself, and protobuf refuses or reads differently.
func lax() map[string][]byte {
	inSet := func(field protowire.Number, kind protowire.Type, value ...byte) []byte {
		set := append(protowire.AppendTag(nil, field, kind), value...)
		snapshot := protowire.AppendBytes(protowire.AppendTag(nil, setNumber, protowire.BytesType), set)
		return protowire.AppendBytes(protowire.AppendTag(nil, snapshotNumber, protowire.BytesType), snapshot)
	}
	annotations, name := numberOf("annotations"), numberOf("name")
	return map[string][]byte{
		"text that is not UTF-8":           inSet(name, protowire.BytesType, 1, 0xff),
		"a key that is a number":           inSet(annotations, protowire.BytesType, 4, 0x08, 2, 0x10, 1),
		"a key that is not UTF-8":          inSet(annotations, protowire.BytesType, 3, 0x0a, 1, 0xff),
		"a tag of more than 64 bits":       {0x8a, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7e, 0},
		"a field number beyond all others": {0xa0, 0xf1, 0xc2, 0xb1, 0x30, 0x30},
		"numbers that are cut off":         {0x12, 1, 0x80, 0x3a, 0x10, 0x81, 1, 0x10, 1, 0x10, 1, 0x10, 1, 0x10, 1, 0x10, 1, 0x10, 1, 0x10, 1},
		"a length of more than 64 bits":    {0x0a, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7e},
	}
}

var setFields = snapshotField.Message().Fields().ByName("set")

var setNumber = protowire.Number(setFields.Number())

func numberOf(name protoreflect.Name) protowire.Number {
	return protowire.Number(setFields.Message().Fields().ByName(name).Number())
}

// TestLax: each of them is read by the generated code alone, and refused by Check.
func TestLax(t *testing.T) {
	for what, data := range lax() {
		if err := new(setplanv1.PlanRequest).UnmarshalVTUnsafe(data); err != nil {
			t.Errorf("%s: the generated code refuses it too, by now: %v", what, err)
		}
		if err := Check(data, plenty); err == nil {
			t.Errorf("%s: passes", what)
		} else {
			t.Logf("%s: %v", what, err)
		}
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
		r.Snapshot.Tables.OwnerSets[1].Owners = append(r.Snapshot.Tables.OwnerSets[1].Owners, &setplanv1.OwnerReference{})
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

// TestReadLooks: the more there is to read, the more often Read looks whether anybody waits for it, also where all of it is pods.
func TestReadLooks(t *testing.T) {
	data, err := proto.Marshal(many(5000, "a"))
	if err != nil {
		t.Fatal(err)
	}
	looks, wanted := 0, len(data)/(2*pieceBytes)
	if err := Read(data, &setplanv1.PlanRequest{}, Limits{Stop: func() bool { looks++; return false }}); err != nil {
		t.Fatal(err)
	}
	if looks < wanted {
		t.Errorf("%d looks in %d bytes, want %d", looks, len(data), wanted)
	}
}
