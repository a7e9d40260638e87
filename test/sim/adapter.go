package sim

import (
	"context"
	"sort"
	"strconv"
	"time"

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
	alien  bool              // another controller, whose writes are not ours to answer for
	shown  map[string]*cache // kind: its cache
	skew   time.Duration     // how far the adapter's clock is ahead of the world's
	view   View              // what the adapter acts on
	acting string            // the set that it writes for
}

// cache is one kind as its watch has shown it.
type cache struct {
	objects map[string]Object
	events  int // of the world's history of the kind
}

var (
	_ adapters.Source   = (*Adapter)(nil)
	_ adapters.Executor = (*Adapter)(nil)
)

// NewAdapter attaches an adapter to a world. The name stands in the history beside each of its writes.
func NewAdapter(world *World, name string) *Adapter {
	a := &Adapter{name: name, world: world, lag: map[string]int{}, frozen: map[string]int64{},
		hidden: map[string]bool{}, shown: map[string]*cache{}, view: View{State: NewState(), At: world.now}}
	world.adapters = append(world.adapters, a)
	return a
}

// Name is how the history calls the adapter.
func (a *Adapter) Name() string { return a.name }

// Disown makes the adapter another controller: the monitor does not hold its writes against us.
func (a *Adapter) Disown() { a.alien = true }

// View is what the adapter acts on: its last snapshot and its own writes since. Rules about order are promises about
// this view, because nobody can promise them about what no cache has shown yet.
func (a *Adapter) View() View { return a.view }

// Now is the adapter's clock.
func (a *Adapter) Now() time.Time { return a.world.now.Add(a.skew) }

// Skew sets how far the adapter's clock is ahead of the world's, or behind it.
func (a *Adapter) Skew(d time.Duration) { a.skew = d }

// Lag keeps the newest n writes to a kind out of the cache. Raising it takes the cache back in time, as happens to an
// adapter that restarts and lists from an API server that is behind.
func (a *Adapter) Lag(kind string, n int) { a.lag[kind] = n }

// Freeze stops the cache of a kind where it is; Thaw lets it catch up.
func (a *Adapter) Freeze(kind string) { a.frozen[kind] = a.world.version }

// Rewind takes all caches back to what was true so many writes ago, and keeps them there: the adapter has connected anew,
// to an API server that is behind the one that it knew.
func (a *Adapter) Rewind(writes int) {
	clear(a.lag)
	for kind := range a.world.state.objects {
		a.frozen[kind] = a.world.version - int64(writes)
	}
}

// Thaw undoes Freeze, Rewind, Lag and Hide for all kinds.
func (a *Adapter) Thaw() { clear(a.frozen); clear(a.lag); clear(a.hidden) }

// Hide makes the cache of a kind incomplete: the snapshot has none of its objects and does not claim to cover them.
func (a *Adapter) Hide(kind string) { a.hidden[kind] = true }

// cache is what the adapter's caches show now, each kind at its own version. The maps are the caches' own.
func (a *Adapter) cache() (State, map[string]int64) {
	state, versions := NewState(), map[string]int64{}
	state.small = a.world.state.small
	for kind := range state.objects {
		log := a.world.logs[kind]
		events := a.eventsOf(kind)
		if events > 0 {
			versions[kind] = log[events-1].Version
		}
		if !a.hidden[kind] {
			state.objects[kind] = a.upTo(kind, log[:events])
		}
	}
	return state, versions
}

// eventsOf is how much of a kind's watch has reached the cache.
func (a *Adapter) eventsOf(kind string) int {
	log := a.world.logs[kind]
	events := len(log)
	if limit, frozen := a.frozen[kind]; frozen {
		events = sort.Search(len(log), func(i int) bool { return log[i].Version > limit })
	}
	return max(0, events-a.lag[kind])
}

// upTo brings the cache of a kind to the end of a log; one that is ahead of it begins anew.
func (a *Adapter) upTo(kind string, log []Event) map[string]Object {
	c := a.shown[kind]
	if c == nil || c.events > len(log) {
		c = &cache{objects: map[string]Object{}}
		a.shown[kind] = c
	}
	for _, event := range log[c.events:] {
		if event.New == nil {
			delete(c.objects, event.Name)
		} else {
			c.objects[event.Name] = event.New
		}
	}
	c.events = len(log)
	return c.objects
}

// Set implements adapters.Source.
func (a *Adapter) Set(_ context.Context, key adapters.Key) (adapters.SetIdentity, error) {
	shown, _ := a.cache()
	is, err := identity(shown.Set(key.Name))
	if err == nil {
		is.Neighbours = adapters.NeighboursOf(objectsOf(shown, key.Name).Neighbours())
	}
	return is, err
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
		Policy: adapters.PolicyOf(set.Annotations), Deleting: set.DeletionTimestamp != nil}, nil
}

// Current implements adapters.Source.
func (a *Adapter) Current(_ context.Context, _ adapters.Key, write adapters.Write) (bool, error) {
	shown, _ := a.cache()
	cached, live := shown.Get(write.Kind, write.Name), a.world.state.Get(write.Kind, write.Name)
	if cached == nil || live == nil {
		return cached == nil && live == nil, nil
	}
	return cached.GetUID() == live.GetUID() && cached.GetResourceVersion() == live.GetResourceVersion(), nil
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
