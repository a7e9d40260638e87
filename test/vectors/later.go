package vectors

import (
	"google.golang.org/protobuf/reflect/protoreflect"

	files "github.com/setplan/setplan/proto/vectors"
	"github.com/setplan/setplan/test/skew"
)

// policies are the messages in which a planner refuses what it does not know: see errors/policy-field-unknown and errors/behavior-unknown.
var policies = []protoreflect.Name{"Policy", "DrainPolicy"}

// withLater are requests of clients whose contract is that of a later release. Their plans are those that the scene gets from a client of today.
func withLater() ([]*draft, error) {
	contract, err := skew.Later()
	if err != nil {
		return nil, err
	}
	base, err := scene("down")
	if err != nil {
		return nil, err
	}
	var all []*draft
	for _, c := range []struct {
		name, about string
		change      func(protoreflect.Message)
	}{
		{"later/fields", "One more field in each message: the planner ignores them. In a policy it would refuse them.",
			func(m protoreflect.Message) {
				skew.SetFields(m, policies...)
				emptyFirst(skew.At(m, "snapshot", "tables"))
			}},
		{"later/capability", "One more capability: the planner has no operation for it.", skew.AddCapability},
		{"errors/later-values", "One more value of each enum: whoever sends what the planner has to know is told which field it is in.",
			func(m protoreflect.Message) { skew.SetValues(m, policies...) }},
	} {
		request, err := contract.Of(base.request)
		if err != nil {
			return nil, err
		}
		c.change(request)
		bytes, err := skew.Bytes(request)
		if err != nil {
			return nil, err
		}
		all = append(all, &draft{Vector: files.Vector{Name: c.name, About: c.about, RequestBytes: bytes}})
	}
	return all, nil
}

// emptyFirst empties the first entry of each table again: index 0 means none.
func emptyFirst(tables protoreflect.Message) {
	tables.Range(func(table protoreflect.FieldDescriptor, entries protoreflect.Value) bool {
		if table.IsList() && table.Message() != nil {
			entries.List().Set(0, entries.List().NewElement())
		}
		return true
	})
}
