package claims

import (
	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/state"
)

// Claims is the set's claims, and who owns them.
type Claims struct {
	inplace.Pods
	Index                           claimIndex
	deletesOnScale, DeletesOnDelete bool // claims, with their pod or with the set
	shared                          bool // another set calls claims as this one does, and the retention policy would delete some
	remembered
}

// remembered is what was computed from the rest, on first use.
type remembered struct {
	usual state.Memo[volumesAt, []bool] // see boundAsUsual
}
