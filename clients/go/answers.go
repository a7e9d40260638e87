package setplan

import (
	"fmt"
	"sync"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Bounds of an answer, which is input from outside. The engine ends a plan at 16 MiB of actions, and its blocks come to that. An element of a list or a
// map can be two bytes long, and takes a hundred in memory.
const (
	maxAnswerBytes      = 24 << 20
	maxPlanElements     = 100_000
	maxForecastElements = 1_000_000 // each change of each pod of the largest set
)

// checkAnswer counts the elements of an answer before memory is spent on it.
func checkAnswer(data []byte, of protoreflect.MessageDescriptor) error {
	most := maxPlanElements
	if of.Name() == "ForecastResponse" {
		most = maxForecastElements
	}
	if countElements(data, shapeOf(of), most) < 0 {
		return fmt.Errorf("the answer has more than %d elements of lists and maps, and was not read", most)
	}
	return nil
}

// countElements returns what is left of the elements. A message that is not in a list and comes again counts, too: each time it is made anew. Malformed
// bytes end the count, and are refused when they are read.
func countElements(data []byte, of *answerShape, left int) int {
	var seen [answerFields]bool
	for len(data) > 0 && left >= 0 {
		number, kind, n := protowire.ConsumeTag(data)
		if n < 0 {
			return left
		}
		data = data[n:]
		var value []byte
		if kind == protowire.BytesType {
			value, n = protowire.ConsumeBytes(data)
		} else {
			n = protowire.ConsumeFieldValue(number, kind, data)
		}
		if n < 0 {
			return left
		}
		data = data[n:]
		if int(number) >= answerFields || of.fields[number] == nil {
			continue
		}
		field := of.fields[number]
		switch {
		case field.packed && kind == protowire.BytesType:
			left -= len(value)
		case field.repeated || seen[number]:
			left--
		}
		if seen[number] = field.message != nil; seen[number] {
			left = countElements(value, field.message, left)
		}
	}
	return left
}

// answerFields is above the number of every field of an answer.
const answerFields = 32

// answerShape is what countElements needs of a message: its fields that are lists or messages, by number.
type answerShape struct{ fields [answerFields]*answerField }

type answerField struct {
	repeated, packed bool
	message          *answerShape
}

var answerShapes sync.Map // by descriptor

func shapeOf(message protoreflect.MessageDescriptor) *answerShape {
	if known, ok := answerShapes.Load(message); ok {
		return known.(*answerShape)
	}
	shape := &answerShape{}
	for i := range message.Fields().Len() {
		field := message.Fields().Get(i)
		f := &answerField{repeated: field.Cardinality() == protoreflect.Repeated, packed: field.IsPacked()}
		if field.Message() != nil {
			f.message = shapeOf(field.Message())
		}
		if f.repeated || f.message != nil {
			shape.fields[field.Number()] = f
		}
	}
	answerShapes.Store(message, shape)
	return shape
}
