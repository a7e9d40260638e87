package inplace

import (
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// TestMostCompared: of revisions that are too long to compare, pods count as pods at a revision that is missing.
func TestMostCompared(t *testing.T) {
	c := comparisons{}
	if !c.takes(mostCompared) || c.takes(1) {
		t.Error("what is read and compared is not bounded")
	}
	const short = `{"spec":{"template":{"spec":{}}}}`
	long := strings.Replace(short, `{}`, `{"x":"`+strings.Repeat("x", mostCompared)+`"}`, 1)
	v := podsOf(&model.Snapshot{})
	v.Revisions = []*model.Revision{{Name: "long", Data: []byte(long)}, {Name: "short", Data: []byte(short)}}
	if _, ok := v.templateStored("long"); ok {
		t.Error("a revision that is too long is read")
	}
	if _, ok := v.templateStored("short"); ok {
		t.Error("a revision is read after the bound")
	}
}
