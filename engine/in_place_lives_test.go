package engine

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/policy"
)

// TestImagesInLives lets sets live under edits, crashes, kubelets that are slow or old or cut off, adapters that are killed, and plans of a minute
// ago. No label ever names a revision whose image a container does not run. Once all that is over, every pod comes to the last template.
func TestImagesInLives(t *testing.T) {
	for seed := range uint64(600) {
		l := newLife(seed, []string{"IfPossible", "Only"}[seed%2], seed%4 < 2)
		for range 60 {
			if l.step(); l.wrong != "" {
				t.Fatalf("life %d: %s\n%s", seed, l.wrong, strings.Join(l.told, "\n"))
			}
		}
		if l.end(); l.wrong != "" {
			t.Fatalf("life %d: %s\n%s", seed, l.wrong, strings.Join(l.told, "\n"))
		}
	}
}

// TestImagesKeepTheBudget: while nothing breaks, one pod at a time is missing, not ready, or on its way.
func TestImagesKeepTheBudget(t *testing.T) {
	for seed := range uint64(300) {
		l := newLife(seed, []string{"IfPossible", "Only"}[seed%2], seed%4 < 2)
		l.calm = true
		for range 60 {
			if l.step(); l.wrong == "" && l.absent() > 1 {
				l.wrong = fmt.Sprintf("%d pods are absent", l.absent())
			}
			if l.wrong != "" {
				t.Fatalf("life %d: %s\n%s", seed, l.wrong, strings.Join(l.told, "\n"))
			}
		}
	}
}

// life is a set of three pods, and what its kubelets do.
type life struct {
	*world
	random   *rand.Rand
	kubelets map[string]*kubelet // by uid of the pod
	specs    map[string]*podSpec // the same
	old      bool                // kubelets do not say what they know of
	calm     bool                // nothing breaks
	hangs    bool                // runtimes hang, and then no container crashes
	versions int
	seen     *model.Snapshot // of some time ago
	told     []string
	wrong    string
}

func newLife(seed uint64, way string, old bool) *life {
	l := &life{world: newWorld(0).asks(policy.InPlace, "InPlace"+way), random: rand.New(rand.NewPCG(seed, 1)), kubelets: map[string]*kubelet{}, specs: map[string]*podSpec{}, old: old, hangs: seed%5 == 0}
	if seed%3 > 0 {
		l.parallel()
	}
	l.Set.Replicas = 3
	l.image(0)
	l.Revisions = nil
	for range 30 {
		l.plan(&l.Snapshot, 1<<30)
		l.all(func(p *model.Pod, k *kubelet) { l.catchUp(p, k) })
		l.pass(10 * time.Second)
	}
	return l
}

// lifeTemplates are what the set is edited to: two tags may stand for one image, one image cannot be pulled, and a second container or a sidecar may
// change besides.
var lifeTemplates = [][3]string{{"1", "1", "1"}, {"2", "1", "1"}, {"3", "2", "1"}, {"same1", "1", "2"}, {"same2", "1", "2"}, {"1", "2", "2"}, {"bad", "1", "1"}, {"2", "bad", "1"}}

func (l *life) image(i int) {
	images := lifeTemplates[i]
	l.template(fmt.Sprintf(`{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":"web:%s","name":"web"},{"image":"log:%s","name":"log"}],`+
		`"initContainers":[{"image":"init:1","name":"init"},{"image":"side:%s","name":"side","restartPolicy":"Always"}]}}`, images[0], images[1], images[2]))
	l.tell("the template is %v", images)
}

func (l *life) tell(format string, args ...any) {
	l.told = append(l.told, l.ObservedAt.Format("15:04:05 ")+fmt.Sprintf(format, args...))
}

// step is one thing that happens.
func (l *life) step() {
	var p *model.Pod
	var k *kubelet
	if len(l.Pods) > 0 {
		p = &l.Pods[l.random.IntN(len(l.Pods))]
		k = l.kubelets[p.UID]
	}
	switch n := l.random.IntN(20); {
	case n < 6:
		most := 1 << 30
		if !l.calm && l.random.IntN(4) == 0 {
			most = l.random.IntN(2) // the adapter is killed then
		}
		l.plan(&l.Snapshot, most)
	case n < 7 && !l.calm:
		if l.seen != nil && l.seen.Set.Generation == l.Set.Generation && l.ObservedAt.Sub(l.seen.ObservedAt) <= time.Minute {
			l.tell("an old plan")
			l.plan(l.seen, 1<<30)
		}
	case n < 8:
		l.seen = l.copied()
	case n < 9:
		l.image(l.random.IntN(len(lifeTemplates) - 2*l.one(l.calm)))
	case n < 10 && l.random.IntN(3) == 0:
		way := []string{"", "InPlaceIfPossible", "InPlaceOnly"}[l.random.IntN(3)]
		l.asks(policy.InPlace, way)
		l.tell("the policy is %s", way)
	case n < 12 && p != nil:
		l.look(p, k)
	case n < 14 && p != nil:
		l.do(p, k)
	case n < 15 && p != nil && !l.calm && !l.hangs && l.random.IntN(3) == 0:
		l.takeBack(p, k)
	case n < 15 && p != nil && !l.calm && !l.hangs:
		l.crash(p, k)
	case n < 15 && p != nil && !l.calm:
		k.hung = l.ObservedAt.Add(3 * time.Minute)
		l.tell("%s: its runtime hangs", p.Name)
	case n < 17 && p != nil:
		l.report(p, k)
	default:
		l.pass(time.Duration(1+l.random.IntN(15)) * time.Second)
	}
}

func (l *life) one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// copied is what a cache shows.
func (l *life) copied() *model.Snapshot {
	s := l.Snapshot
	s.Pods, s.Revisions = slices.Clone(s.Pods), slices.Clone(s.Revisions)
	s.Set.Annotations = maps.Clone(s.Set.Annotations)
	return &s
}

// pass lets time pass: what healthy kubelets do within some time is done by then. New ones may be cut off for long, and then know nothing new.
func (l *life) pass(wait time.Duration) {
	for range wait / time.Second {
		l.ObservedAt = l.ObservedAt.Add(time.Second)
		l.all(l.passes)
	}
}

func (l *life) isTrue(p *model.Pod, k *kubelet) {
	for _, r := range l.Revisions {
		if r.Name != p.Revision {
			continue
		}
		template, _ := podtemplate.Of(r.Data)
		for name, image := range imagesOfTemplate(template) {
			if c := k.runs[name]; !c.StartedAt.IsZero() && imageDigest(c.Image) != imageDigest(image) {
				l.wrong = fmt.Sprintf("%s is said to be at %s, and %s runs %s", p.Name, p.Revision, name, c.Image)
			}
			if l.specs[p.UID].images[name] != image {
				l.wrong = fmt.Sprintf("%s is said to be at %s, and %s has the image %s", p.Name, p.Revision, name, l.specs[p.UID].images[name])
			}
		}
	}
}

// absent counts the pods that serve nobody, or may not in a moment.
func (l *life) absent() (n int) {
	n = 3 - len(l.Pods)
	for i := range l.Pods {
		if p := &l.Pods[i]; !p.Ready || p.Annotations.Get(inplace.AnnotationUpdate) != "" && p.Annotations.Get(inplace.AnnotationUpdate) != inplace.NothingUnderWay {
			n++
		}
	}
	return n
}

// end is the end of all trouble: every pod gets to the last template.
func (l *life) end() {
	l.image(l.random.IntN(len(lifeTemplates) - 2))
	l.asks(policy.InPlace, []string{"InPlaceIfPossible", "InPlaceOnly"}[l.random.IntN(2)])
	l.all(func(p *model.Pod, k *kubelet) { l.setImages(p, k, UnderWay(p)) })
	l.pass(3 * time.Minute)
	p := Decide(&l.Snapshot)
	for i := 0; i < 400 && (i < 5 || !p.Converged); i++ {
		l.plan(&l.Snapshot, 1<<30)
		l.all(func(p *model.Pod, k *kubelet) { l.catchUp(p, k) })
		l.pass(15 * time.Second)
		p = Decide(&l.Snapshot)
	}
	if !p.Converged && l.wrong == "" {
		l.wrong = "this goes on for ever: " + Describe(p)
	}
	for i := range l.Pods {
		if p := &l.Pods[i]; l.wrong == "" && (p.Revision != l.Set.Status.UpdateRevision || !p.Ready) {
			l.wrong = p.Name + " has not come to the last template"
		}
		if l.wrong == "" {
			l.isTrue(&l.Pods[i], l.kubelets[l.Pods[i].UID])
		}
	}
}
