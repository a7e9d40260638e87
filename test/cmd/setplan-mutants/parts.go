package main

// part is a part of the repository, and the finder of its mutations. Their list is in lists, in a file of the part's name.
type part struct {
	name   string
	folder string // of the mutations' files, from the root
	found  finder
}

// finder runs tests that should notice a mutation.
type finder interface {
	// sound fails if the finder reports a mistake where there is none.
	sound(h *hunt) error
	// by names what found the mutation in the hunt's overlay; empty if nothing did.
	by(h *hunt, m *mutation) (string, error)
}

var parts = []part{
	{"engine", "engine", oracle{}},
	{"drain", "engine", tests{"./engine/drain", "./engine", "./test/story"}},
	{"engine/ordinals", "engine", tests{"./engine"}},
	{"engine/moments", "engine", tests{"./engine"}},
	{"engine/limits", "engine", tests{"./engine"}},
	{"engine/notes", "engine", tests{"./engine/drain", "./engine"}},
	{"engine/ranks", "engine", tests{"./engine"}},
	{"engine/in-place", "engine", tests{"./engine/inplace", "./engine/plan", "./engine/podtemplate", "./engine", "./test/story"}},
	{"engine/refused", "engine", tests{"./engine"}},
	{"engine/growth", "engine", tests{"./engine"}},
	{"engine/removals", "engine", tests{"./engine"}},
	{"engine/additions", "engine", tests{"./engine"}},
	{"engine/status", "engine", tests{"./engine"}},
	{"engine/recreate", "engine", tests{"./engine"}},
	{"engine/fields", "engine", tests{"./engine"}},
	{"engine/forecast", "engine/forecast", tests{"./engine/forecast", "./test/forecast"}},
	{"engine/differ", "engine/differ", tests{"./engine/differ"}},
	{"engine/cost", "engine", tests{"./engine", "./engine/inplace", "./engine/jsontree"}},
	{"adapters", "adapters", tests{"./adapters"}},
	{"adapters/kube", "adapters/kube", tests{"./adapters/kube"}},
	{"adapters/kube/kinds", "adapters/kube", tests{"./adapters/kube"}},
	{"adapters/kube/monitor", "adapters/kube/monitor", tests{"./adapters/kube/monitor"}},
	{"adapters/snapshot", "adapters/snapshot", tests{"./adapters/snapshot"}},
	{"adapters/verify", "adapters/verify", tests{"./adapters/verify"}},
	{"server", "server", tests{"./server", "./server/access", "./server/tokens"}},
	{"server/codec", "server/codec", tests{"./server/codec"}},
	{"server/codec/cost", "server/codec", tests{"./server/codec"}},
	{"server/objects", "server/objects", tests{"./server/objects", "./server"}},
	{"proto/documents", "proto/documents", tests{"./proto/documents", "./server/objects"}},
	{"proto/rawjson", "proto/rawjson", tests{"./proto/rawjson"}},
	{"clients/go", "clients/go", tests{"./clients/go", "./server"}},
	{"clients/cli", "clients/cli", tests{"./clients/cli", "./clients/cli/upgrade", "./clients/cli/why"}},
	{"clients/cli/compare", "clients/cli/compare", tests{"./clients/cli/compare", "./test/compare"}},
	{"clients/cli/convert", "clients/cli/convert", tests{"./clients/cli/convert"}},
	{"clients/cli/rollout", "clients/cli/rollout", tests{"./clients/cli/rollout", "./test/verdicts"}},
	{"law", "test/invariants/law", tests{"./test/invariants"}},
	{"vectors", ".", tests{"./test/vectors"}},
}
