// Package version knows the release of this build.
package version

import "runtime/debug"

// release is set by the linker for released binaries.
var release = ""

// Of is the release of this build, such as "v0.1.0", or "devel".
func Of() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}
