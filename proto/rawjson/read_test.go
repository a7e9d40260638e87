package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// tree reads a value with this package, as encoding/json reads it into an any.
func tree(v Value) any {
	switch v.Kind() {
	case '{':
		out := map[string]any{}
		for w := v.Members(); w.Next(); {
			out[string(w.Key())] = tree(w.Value)
		}
		return out
	case '[':
		out := []any{}
		for w := v.Items(); w.Next(); {
			if w.Index != len(out) {
				panic("an index")
			}
			out = append(out, tree(w.Value))
		}
		return out
	case '"':
		return v.Text()
	case 't', 'f':
		return v.Kind() == 't'
	case 'n':
		return nil
	}
	return json.Number(v.Raw())
}

// FuzzRead: what encoding/json reads is read the same, and nothing else is.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-0.5e+7,"x\u00e9\n",true,false,null,{}],"a":[],"\u0062":{"c":"\ud83d\ude00"}}`, ` [ ] `, `{"a" : 1 , "b" : [ 2 ] }`, `"\ud800"`, "\"\xff\"", `01`, `1.`,
		`[1,]`, `{"a":1,}`, `{"a"}`, `tru`, `"\x"`, "\"\x01\"", `{}{}`, ``, `-`, `1e`, `[`, `"`, `"\u00`, `"\u00g0"`, `"\`, `nullx`, `[1 2]`, `{1:2}`, "\"\x00\"", `["` + strings.Repeat("x", 200) + `\"\\",{"a":[[1],[2]],"b":"` + strings.Repeat("é", 100) + `"},{"c":{}}]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := Read(text, nil)
		if depth(text) > MaxDepth {
			return
		}
		if want := json.Valid(text) && utf8.Valid(text); (err == nil) != want {
			t.Fatalf("%q: %v, and encoding/json says %t", text, err, want)
		}
		if err != nil {
			wrong := new(Error)
			if !errors.As(err, &wrong) || wrong.At < 0 || wrong.At > len(text) {
				t.Fatalf("%q: %#v", text, err)
			}
			return
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		var want any
		if err := decoder.Decode(&want); err != nil {
			t.Fatal(err)
		}
		if got := tree(v); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q becomes %#v, want %#v", text, got, want)
		}
		if !bytes.Equal(v.Raw(), bytes.Trim(text, " \t\r\n")) {
			t.Fatalf("%q: raw is %q", text, v.Raw())
		}
	})
}

// depth is no less than how deep values lie in a text.
func depth(text []byte) int { return bytes.Count(text, []byte("[")) + bytes.Count(text, []byte("{")) }

func TestDepth(t *testing.T) {
	nested := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	if _, err := Read(nested(MaxDepth), nil); err != nil {
		t.Error(err)
	}
	wrong := new(Error)
	if _, err := Read(nested(MaxDepth+1), nil); !errors.As(err, &wrong) || wrong.What != "is nested deeper than 250" {
		t.Error(err)
	}
	if _, err := Read(nested(10_000_000), nil); !errors.As(err, &wrong) {
		t.Error(err)
	}
}

// TestPaths: an error says where it is, in keys that are known.
func TestPaths(t *testing.T) {
	known := func(key string) bool { return key != "secret" }
	for text, want := range map[string]string{
		`{"a":{"b":[1,{"c":tru}]}}`:           "a.b[1].c",
		`{"a":{"secret":{"c":tru}}}`:          "a",
		`[[],[0,{"a":}]]`:                     "[1][1].a",
		`{"a":[1 2]}`:                         "a",
		`{"a":{"b":"`:                         "a.b",
		`{"a":{"b"`:                           "a",
		`{"a":0,"b":[` + `"x","\q"` + `]}`:    "b[1]",
		`{"a":1}}`:                            "",
		strings.Repeat(`{"x":`, 2) + `nul}}`:  "x.x",
		`{"` + strings.Repeat("k", 9) + `":*`: "kkkkkkkkk",
	} {
		_, err := Read([]byte(text), nil)
		wrong := new(Error)
		if !errors.As(err, &wrong) || Path(wrong.Way, known) != want {
			t.Errorf("%s: %v, want the path %q", text, err, want)
		}
	}
	v, err := Read([]byte(`{"a":[{"b":"x"},{"b":7}]}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	for w := v.Get("a").Items(); w.Next(); {
		if path := Path(w.Value.Get("b").Way(), known); path != "a[0].b" && path != "a[1].b" {
			t.Error(path)
		}
	}
	if path := Path(v.Get("none").Way(), known); path != "" {
		t.Error(path)
	}
}

// TestLastKey: of two equal keys the last one counts, as in Kubernetes.
func TestLastKey(t *testing.T) {
	if v, err := Read([]byte(`{"a":1,"a":2}`), nil); err != nil || string(v.Get("a").Raw()) != "2" {
		t.Error(v.Get("a"), err)
	}
}

func TestInt(t *testing.T) {
	for text, want := range map[string]bool{"7": true, "-7": true, "2147483648": false, "7.0": false, "7e1": false, `"7"`: false, "null": false, "true": false,
		strings.Repeat("1", 100): false} {
		v, err := Read([]byte(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		if n, ok := v.Int(32); ok != want || ok && n != 7 && n != -7 {
			t.Errorf("%s: %d, %t", text, n, ok)
		}
	}
}

// TestStops: who no longer waits is noticed while a text is read, and while it is looked into.
func TestStops(t *testing.T) {
	long := []byte(`{"a":"` + strings.Repeat("x", 1<<20) + `","b":[` + strings.Repeat("0,", 1<<20) + `0]}`)
	stop := false
	if _, err := Read(long, NewPace(func() bool { return true })); !errors.Is(err, ErrStopped) {
		t.Errorf("read: %v", err)
	}
	v, err := Read(long, NewPace(func() bool { return stop }))
	if err != nil {
		t.Fatal(err)
	}
	stop = true
	if err := Stopping(func() error { v.Get("b"); return nil }); !errors.Is(err, ErrStopped) {
		t.Errorf("looked into: %v", err)
	}
	defer func() {
		if p := recover(); p != "a bug" {
			t.Errorf("another panic becomes %v", p)
		}
	}()
	_ = Stopping(func() error { panic("a bug") })
}
