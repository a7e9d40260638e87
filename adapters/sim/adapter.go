package sim

import (
	"context"
	"strconv"

	"github.com/setplan/setplan/adapters"
)

// Adapter is one adapter process of a world: caches that may be behind, a client whose calls may fail. It implements
// adapters.Source and adapters.Executor.
type Adapter struct {
	name   string
	world  *World
	lag    map[string]int   // kind: so many of its newest writes are not in the cache
	frozen map[string]int64 // kind: the cache has nothing newer than this version
	hidden map[string]bool  // kind: the cache is not complete, so the snapshot does not claim to cover it
	faults faults
	alien  bool  // another controller, whose writes are not ours to answer for
	view   State // what the last snapshot was made from, and this adapter's own writes since
}

var (
	_ adapters.Source   = (*Adapter)(nil)
	_ adapters.Executor = (*Adapter)(nil)
)

// NewAdapter attaches an adapter to a world. The name stands in the history beside each of its writes.
func NewAdapter(world *World, name string) *Adapter {
	a := &Adapter{name: name, world: world, lag: map[string]int{}, frozen: map[string]int64{},
		hidden: map[string]bool{}, view: newState()}
	world.adapters = append(world.adapters, a)
	return a
}

// Name is how the history calls the adapter.
func (a *Adapter) Name() string { return a.name }

// Disown makes the adapter another controller: the monitor does not hold its writes against us.
func (a *Adapter) Disown() { a.alien = true }

// View is what the adapter acts on: its last snapshot and its own writes since. Rules about order are promises about
// this view, because nobody can promise them about what no cache has shown yet.
func (a *Adapter) View() State { return a.view }

// Lag keeps the newest n writes to a kind out of the cache. Raising it takes the cache back in time, as happens to an
// adapter that restarts and lists from an API server that is behind.
func (a *Adapter) Lag(kind string, n int) { a.lag[kind] = n }

// Freeze stops the cache of a kind where it is; Thaw lets it catch up.
func (a *Adapter) Freeze(kind string) { a.frozen[kind] = a.world.version }

// Thaw undoes Freeze, Lag and Hide for all kinds.
func (a *Adapter) Thaw() { clear(a.frozen); clear(a.lag); clear(a.hidden) }

// Hide makes the cache of a kind incomplete: the snapshot has none of its objects and does not claim to cover them.
func (a *Adapter) Hide(kind string) { a.hidden[kind] = true }

// cache is what the adapter's caches show now, each kind at its own version.
func (a *Adapter) cache() (State, map[string]int64) {
	shown, versions := newState(), map[string]int64{}
	for kind := range shown.objects {
		events := a.eventsOf(kind)
		for _, event := range events {
			shown.apply(event)
			versions[kind] = event.Version
		}
		if a.hidden[kind] {
			clear(shown.objects[kind])
		}
	}
	return shown, versions
}

// eventsOf is the part of a kind's watch that has reached the cache.
func (a *Adapter) eventsOf(kind string) []Event {
	limit, frozen := a.frozen[kind]
	var events []Event
	for _, event := range a.world.history {
		if event.Kind == kind && (!frozen || event.Version <= limit) {
			events = append(events, event)
		}
	}
	return events[:max(0, len(events)-a.lag[kind])]
}

// Set implements adapters.Source.
func (a *Adapter) Set(_ context.Context, key adapters.Key) (adapters.SetIdentity, error) {
	shown, _ := a.cache()
	return identity(shown.Set(key.Name))
}

// LiveSet implements adapters.Source.
func (a *Adapter) LiveSet(_ context.Context, key adapters.Key) (adapters.SetIdentity, error) {
	return identity(a.world.state.Set(key.Name))
}

func identity(set *Set) (adapters.SetIdentity, error) {
	if set == nil {
		return adapters.SetIdentity{}, adapters.ErrGone
	}
	return adapters.SetIdentity{UID: string(set.UID), Generation: set.Generation,
		Deleting: set.DeletionTimestamp != nil}, nil
}

// Observed implements adapters.Source.
func (a *Adapter) Observed(_ context.Context, _ adapters.Key, write adapters.Write) bool {
	shown, versions := a.cache()
	object := shown.Get(write.Kind, write.Name)
	if write.Deleted {
		return object == nil || object.GetDeletionTimestamp() != nil || string(object.GetUID()) != write.UID
	}
	version, err := strconv.ParseInt(write.ResourceVersion, 10, 64)
	return err != nil || versions[write.Kind] >= version
}
