package process

import "testing"

func TestParseStat(t *testing.T) {
	tail := " 1 1 1 0 -1 4194560 1 0 0 0 1 2 0 0 20 0 1 0 987654 1000 2000 0\n"
	for _, name := range []string{"etcd", "a b", "odd) R 1 (name"} {
		got, err := parseStat([]byte("42 (" + name + ") S" + tail))
		if err != nil || got != "987654" {
			t.Errorf("program %q: start %q, %v, want 987654", name, got, err)
		}
	}
	for _, bad := range []string{"", "42 (etcd", "42 (etcd) S 1 2", "42 (etcd) Z" + tail} {
		if got, err := parseStat([]byte(bad)); err == nil {
			t.Errorf("%q: start %q, want an error", bad, got)
		}
	}
}
