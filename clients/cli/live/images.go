package live

import (
	"encoding/json"
	"fmt"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// images returns what the pods of each revision run, by the revision's name: the first container's image without its registry, and
// how many more containers there are. Snapshots do not say what a pod runs, but it was made from its revision's template.
func images(revisions []*setplanv1.Revision) map[string]string {
	found := map[string]string{}
	for _, revision := range revisions {
		var data struct {
			Spec struct {
				Template struct {
					Spec struct{ Containers []struct{ Image string } }
				}
			}
		}
		if json.Unmarshal(revision.GetData(), &data) != nil || len(data.Spec.Template.Spec.Containers) == 0 {
			continue // another controller's revision may hold anything
		}
		containers := data.Spec.Template.Spec.Containers
		image := containers[0].Image[strings.LastIndex(containers[0].Image, "/")+1:]
		if more := len(containers) - 1; more > 0 {
			image += fmt.Sprintf(" +%d", more)
		}
		found[revision.GetName()] = image
	}
	return found
}
