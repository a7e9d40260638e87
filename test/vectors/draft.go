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

// changed is another draft with a change to the request. It has no objects: they say something else now.
func (d *draft) changed(name, about string, change func(*setplanv1.PlanRequest)) *draft {
	request := proto.CloneOf(d.request)
	change(request)
	return &draft{Vector: files.Vector{Name: name, About: about}, request: request}
}
