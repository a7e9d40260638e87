package jsontree

import (
	"encoding/json"
	"testing"
)

// TestAppendEqualsEncodingJSON compares the canonical form with upstream's way to compute a revision: read into a map, write again.
func TestAppendEqualsEncodingJSON(t *testing.T) {
	for _, text := range []string{
		`{"b":1,"a":[true,false,null,"x"]}`,
		`{"a":1,"a":2,"c":{},"b":[]}`,
		`"<script>&\u2028 \u00e9 \ud83d\ude00 \"quoted\" \\ \t"`,
		`{"big":12345678901234567890,"exact":123456789012345,"float":1.50,"exp":1e21,"small":1e-7,"neg":-0,"z":0.000001}`,
		" { \"k\" : [ 1 , 2 ] } ",
		`"\u0000\u001f\ud800"`,
		`9007199254740993`,
		`{"spec":{"template":{"metadata":{"creationTimestamp":null,"labels":{"app":"a>b"}}}}}`,
	} {
		v, err := Parse([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var reference any
		if err := json.Unmarshal([]byte(text), &reference); err != nil {
			t.Fatal(err)
		}
		want, _ := json.Marshal(reference)
		if got := string(Append(nil, v)); got != string(want) {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestParseRejects(t *testing.T) {
	for _, text := range []string{
		"", "{", "[1,", `{"a"}`, `{"a":}`, `{a:1}`, "01", "1.", "+1", "nul", `"open`, `"a` + "\n" + `b"`, "1 2", "[1 2]",
		`{"a":1,}`, "[1,]", `"\x"`, `"\u12"`, "-",
	} {
		if v, err := Parse([]byte(text)); err == nil {
			t.Errorf("%q was read as %+v", text, v)
		}
	}
}

func TestParseLimitsDepth(t *testing.T) {
	deep := make([]byte, 0, 2_000_000)
	for range 1_000_000 {
		deep = append(deep, '[')
	}
	if _, err := Parse(deep); err == nil {
		t.Fatal("a million brackets were read")
	}
}

func TestRepeatedKeysInLargeObjects(t *testing.T) {
	text := []byte(`{"k0":0`)
	for i := range 100 {
		text = append(text, `,"k`...)
		text = append(text, byte('0'+i%10), byte('0'+i/10), '"', ':', '1')
	}
	text = append(text, `,"k0":"last"}`...)
	v, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := v.Get("k0").Text; got != "last" || len(v.Members()) != 101 {
		t.Fatalf("k0 = %q of %d members, want the last value of 101", got, len(v.Members()))
	}
}

func TestWithAndWithoutLeaveTheOriginal(t *testing.T) {
	v, _ := Parse([]byte(`{"a":1,"b":2}`))
	if got := string(Append(nil, v.With("a", NewString("x")).Without("b"))); got != `{"a":"x"}` {
		t.Errorf("got %s", got)
	}
	if got := string(Append(nil, v)); got != `{"a":1,"b":2}` {
		t.Errorf("the original became %s", got)
	}
	if !(Value{}).IsEmpty() || !NewObject().IsEmpty() || v.IsEmpty() {
		t.Error("IsEmpty is wrong")
	}
}

func TestLookupIsParseThenGet(t *testing.T) {
	for _, text := range []string{
		`{"metadata":{"name":"www","labels":{"a":[1,{"b":null}]}},"spec":{}}`, `{"metadata":{"name":"a","name":"b"}}`,
		`{"metadata":1,"metadata":{"name":"last"}}`, `{"metadata":{"name":"first"},"metadata":{}}`, `{"metadata":[]}`, `[]`, `"x"`, `{}`,
		`{"metadata":{"name":"x"}`, `{"metadata":{"name":"x"}} y`, `{"a":[1,}`, `{"a":tru}`,
	} {
		tree, err := Parse([]byte(text))
		found, lookupErr := Lookup([]byte(text), "metadata", "name")
		if (err == nil) != (lookupErr == nil) {
			t.Errorf("%s: Parse says %v, Lookup says %v", text, err, lookupErr)
		}
		if want := tree.Get("metadata").Get("name"); err == nil && string(Append(nil, want)) != string(Append(nil, found)) {
			t.Errorf("%s: found %s, want %s", text, Append(nil, found), Append(nil, want))
		}
	}
}

// FuzzParse: text that encoding/json accepts is accepted and written in the same way; text that it rejects is rejected.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5,"x"]}`, `"\u2028"`, `-0`, `1e400`, "[[]]", `{"":{}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Parse(data)
		if _, lookupErr := Lookup(data, "a", "b"); (err == nil) != (lookupErr == nil) {
			t.Fatalf("%q: Parse says %v, Lookup says %v", data, err, lookupErr)
		}
		var reference any
		referenceErr := json.Unmarshal(data, &reference)
		if referenceErr == nil && err == nil {
			want, _ := json.Marshal(reference)
			if got := string(Append(nil, v)); got != string(want) {
				t.Fatalf("%q: got %s, want %s", data, got, want)
			}
			return
		}
		if err == nil && json.Valid(data) {
			return // valid JSON that encoding/json cannot hold, such as 1e400
		}
		if referenceErr == nil && len(data) < maxDepth {
			t.Fatalf("%q: %v", data, err)
		}
		if err == nil {
			t.Fatalf("%q is no JSON, but was accepted", data)
		}
	})
}
