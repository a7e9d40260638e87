// Package multicall picks one of several programs that share a binary.
package multicall

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Programs maps a program's name to its entry point. The entry points read
// os.Args, like the main functions they replace, and return an exit code.
type Programs map[string]func() int

// Pick finds the program by the name that the binary was called by (a symbolic
// link), or else by the first argument. It returns the arguments as the program
// would see them if it were alone.
func (p Programs) Pick(args []string) (func() int, []string, bool) {
	if len(args) == 0 {
		return nil, nil, false
	}
	if run, ok := p[filepath.Base(args[0])]; ok {
		return run, args, true
	}
	if len(args) < 2 {
		return nil, nil, false
	}
	run, ok := p[args[1]]
	return run, args[1:], ok
}

// String lists the names.
func (p Programs) String() string {
	return strings.Join(slices.Sorted(maps.Keys(p)), ", ")
}
