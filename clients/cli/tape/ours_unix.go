//go:build unix

package tape

import (
	"fmt"
	"os"
	"syscall"
)

// openNoLink opens an existing file that is no link, without blocking.
func openNoLink(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_APPEND|os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
}

// onlyOurs refuses a file that others may read, one that somebody else owns (owners can always read), and one with a second name,
// which may belong to something else.
func onlyOurs(path string, info os.FileInfo) error {
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return fmt.Errorf("%s has mode %04o, but a recording may hold secrets; chmod 600 %s, or use another file", path, mode, path)
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok:
		return fmt.Errorf("%s: its owner is unknown", path)
	case int(stat.Uid) != os.Geteuid():
		return fmt.Errorf("%s belongs to user %d, but a recording may hold secrets; use another file", path, stat.Uid)
	case stat.Nlink > 1:
		return fmt.Errorf("%s has several names (hard links); use another file", path)
	}
	return nil
}
