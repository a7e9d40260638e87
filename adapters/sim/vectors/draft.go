package vectors

import (
	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	files "github.com/setplan/setplan/proto/vectors"
)

// draft is a vector that nobody has answered yet.
type draft struct {
	files.Vector
	request *setplanv1.PlanRequest // nil where the vector has bytes instead
}

// changed is another draft with a change to the request. What objects say stays true of it only where the change is to
// something that objects do not say.
func (d *draft) changed(name, about string, objects *files.Objects, change func(*setplanv1.PlanRequest)) *draft {
	request := proto.CloneOf(d.request)
	change(request)
	return &draft{Vector: files.Vector{Name: name, About: about, Objects: objects}, request: request}
}
