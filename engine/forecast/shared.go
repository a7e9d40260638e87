package forecast

import (
	"strconv"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/jsontree"
)

// shared has the label sets of the pods that were made: pods with the same labels share one, so that the engine evaluates the selector once.
type shared map[string]*engine.Labels

func (s *shared) labels(members []jsontree.Member) *engine.Labels {
	key := ""
	for _, m := range members {
		key += strconv.Quote(m.Key) + strconv.Quote(m.Value.Text)
	}
	if known := (*s)[key]; known != nil {
		return known
	}
	if *s == nil {
		*s = shared{}
	}
	values := make(map[string]string, len(members))
	for _, m := range members {
		values[m.Key] = m.Value.Text
	}
	(*s)[key] = &engine.Labels{Values: values}
	return (*s)[key]
}
