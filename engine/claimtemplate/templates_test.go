package claimtemplate

import (
	"fmt"
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// TestTemplateNamed: each of many claim templates is found, whatever has been added since the last look.
func TestTemplateNamed(t *testing.T) {
	var v Known
	v.Set = &model.Set{}
	var list []addedTemplate
	for n := range 2 * fewTemplates {
		list = append(list, addedTemplate{name: fmt.Sprintf("t%d", 99-n)})
		v.addTemplates(list)
		for i := range v.Templates {
			if at, ok := v.TemplateNamed(v.Templates[i].Name); at != i || !ok {
				t.Fatalf("template %d of %d is found at %d", i, n+1, at)
			}
		}
	}
	if _, ok := v.TemplateNamed("none"); ok {
		t.Error("a template is found that is not there")
	}
}
