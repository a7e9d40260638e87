// Package version knows which build this is.
package version

import (
	"runtime/debug"
	"sync"
)

// release is set by the linker for released binaries.
var release = ""

// Of is the release, such as "v0.1.0", or else the commit that the go command has seen, with "+dirty" if there were changes, or "devel", as in
// tests. Two programs that say the same decide the same, unless they were built from different changes that are in no commit.
var Of = sync.OnceValue(func() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
})
