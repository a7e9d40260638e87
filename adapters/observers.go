package adapters

import setplanv1 "github.com/setplan/setplan/proto/setplan/v1"

// Observers is an Observer that passes every call on to each of its members, in order.
type Observers []Observer

// Planned implements Observer.
func (o Observers) Planned(key Key, snapshot *setplanv1.Snapshot, plan *setplanv1.Plan) {
	for _, observer := range o {
		observer.Planned(key, snapshot, plan)
	}
}

// Applied implements Observer.
func (o Observers) Applied(key Key, snapshot *setplanv1.Snapshot, action *setplanv1.Action, result Result) {
	for _, observer := range o {
		observer.Applied(key, snapshot, action, result)
	}
}

// Held implements Observer.
func (o Observers) Held(key Key, reason string, err error) {
	for _, observer := range o {
		observer.Held(key, reason, err)
	}
}

// Forgotten implements Observer.
func (o Observers) Forgotten(key Key) {
	for _, observer := range o {
		observer.Forgotten(key)
	}
}
