package server

import "github.com/setplan/setplan/server/version"

// Version is the release of this build, such as "v0.1.0", or "devel".
func Version() string { return version.Of() }
