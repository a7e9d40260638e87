//go:build unix

package tape

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestAppendToWhatIsNotOurs: a path that another user prepared never leads to another file.
func TestAppendToWhatIsNotOurs(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "target.rec")
	if err := Append(target, entry(t, 1)); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link := func(make func(from, to string) error, from, name string) string {
		path := filepath.Join(dir, name)
		if err := make(from, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ path, want string }{
		"symbolic link":                  {link(os.Symlink, target, "symbolic"), "is a link"},
		"symbolic link to an empty file": {link(os.Symlink, empty, "symbolic-empty"), "is a link"},
		"link to nothing":                {link(os.Symlink, filepath.Join(dir, "none"), "dangling"), "is a link"},
		"hard link":                      {link(os.Link, empty, "hard"), "has several names"},
		"pipe":                           {pipe, "not a regular file"},
		"device":                         {os.DevNull, "not a regular file"},
	} {
		before, _ := os.ReadFile(target)
		if err := Append(test.path, entry(t, 2)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
		if after, _ := os.ReadFile(target); string(after) != string(before) {
			t.Errorf("%s: the file behind it was changed", name)
		}
	}
	if os.Geteuid() != 0 {
		return // only root may give files away
	}
	if err := os.Remove(filepath.Join(dir, "hard")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(empty, 65534, -1); err != nil {
		t.Fatal(err)
	}
	if err := Append(empty, entry(t, 2)); err == nil || !strings.Contains(err.Error(), "belongs to user 65534") {
		t.Errorf("another owner: %v", err)
	}
}
