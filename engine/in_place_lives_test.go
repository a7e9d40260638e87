package engine

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/jsontree"
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
	seen     *Snapshot // of some time ago
	told     []string
	wrong    string
}

// kubelet is what a host knows of one pod, and runs.
type kubelet struct {
	knows      map[string]string // images by container
	generation int64             // of what it knows
	runs       map[string]Container
	changed    time.Time // when the spec has changed that it does not know; zero: it knows
	looked     time.Time // when it came to know what it has not done; zero: it has done all
	due        time.Time // when the API server has to hear of it; zero: it has
	ready      time.Time // when the pod is ready
	hung       time.Time // until when its runtime hangs: a node that hangs for longer is not ready
}

func newLife(seed uint64, policy string, old bool) *life {
	l := &life{world: newWorld(0).asks(annotationInPlace, "InPlace"+policy), random: rand.New(rand.NewPCG(seed, 1)), kubelets: map[string]*kubelet{}, specs: map[string]*podSpec{}, old: old, hangs: seed%5 == 0}
	if seed%3 > 0 {
		l.parallel()
	}
	l.Set.Replicas = 3
	l.image(0)
	l.Revisions = nil
	for range 30 {
		l.plan(&l.Snapshot, 1<<30)
		l.all(func(p *Pod, k *kubelet) { l.catchUp(p, k) })
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

// digestOf is what an image is: all tags that begin with "same" are one.
func digestOf(image string) string {
	name, tag, _ := strings.Cut(image, ":")
	if strings.HasPrefix(tag, "same") {
		tag = "same"
	}
	return name + "@sha256:" + tag
}

func (l *life) version(p *Pod) {
	l.versions++
	p.ResourceVersion = fmt.Sprint("v", l.versions)
}

// step is one thing that happens.
func (l *life) step() {
	var p *Pod
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
		if l.seen != nil && l.seen.Set.Generation == l.Set.Generation && l.ObservedAt.Sub(l.seen.ObservedAt) <= maxAge {
			l.tell("an old plan")
			l.plan(l.seen, 1<<30)
		}
	case n < 8:
		l.seen = l.copied()
	case n < 9:
		l.image(l.random.IntN(len(lifeTemplates) - 2*l.one(l.calm)))
	case n < 10 && l.random.IntN(3) == 0:
		policy := []string{"", "InPlaceIfPossible", "InPlaceOnly"}[l.random.IntN(3)]
		l.asks(annotationInPlace, policy)
		l.tell("the policy is %s", policy)
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
func (l *life) copied() *Snapshot {
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

func (l *life) passes(p *Pod, k *kubelet) {
	over := func(since time.Time, most time.Duration) bool {
		return !since.IsZero() && l.ObservedAt.Sub(since) >= most
	}
	if l.old && over(k.changed, 5*time.Second) {
		l.look(p, k)
	}
	if over(k.looked, 15*time.Second) {
		l.do(p, k)
	}
	if l.old && over(k.due, time.Second) {
		l.report(p, k)
	}
	if p.Ready && over(k.due, 50*time.Second) { // the node is cut off
		p.Ready, p.ReadyChangedAt = false, l.ObservedAt
		l.version(p)
	}
}

func (l *life) all(each func(p *Pod, k *kubelet)) {
	for i := range l.Pods {
		each(&l.Pods[i], l.kubelets[l.Pods[i].UID])
	}
}

// look lets a kubelet know what a pod is to run.
func (l *life) look(p *Pod, k *kubelet) {
	spec := l.specs[p.UID]
	k.generation, k.changed = spec.generation, time.Time{}
	if !maps.Equal(k.knows, spec.images) {
		k.knows, k.looked = maps.Clone(spec.images), l.ObservedAt
		l.tell("%s: its kubelet knows of %v", p.Name, k.knows)
	}
}

func bad(image string) bool { return strings.HasSuffix(image, ":bad") }

// do lets a kubelet stop and start what differs from what it knows.
func (l *life) do(p *Pod, k *kubelet) {
	if k.hung.After(l.ObservedAt) {
		return
	}
	k.looked = time.Time{}
	for _, name := range slices.Sorted(maps.Keys(k.knows)) {
		if c, runs := k.runs[name]; runs && c.Image == k.knows[name] && !c.StartedAt.IsZero() {
			continue
		}
		l.startOf(p, k, name)
	}
}

func (l *life) startOf(p *Pod, k *kubelet, name string) {
	image := k.knows[name]
	k.due, k.ready = l.ObservedAt, l.ObservedAt.Add(3*time.Second)
	before := k.runs[name]
	if bad(image) {
		before.StartedAt, before.WaitingReason = time.Time{}, "ImagePullBackOff"
		k.runs[name] = before
		return
	}
	l.versions++
	shown := image
	if strings.Contains(image, ":same") {
		shown = "web:same1" // the runtime knows one name
	}
	k.runs[name] = Container{Image: image, StatusImage: shown, ImageID: digestOf(image), ContainerID: fmt.Sprint(name, "-", l.versions), StartedAt: l.ObservedAt}
	l.tell("%s: %s runs %s as %s", p.Name, name, image, k.runs[name].ContainerID)
}

// crash lets a container end, and start anew as its kubelet knows it.
func (l *life) crash(p *Pod, k *kubelet) {
	if _, knows := k.knows["web"]; knows {
		l.tell("%s: web crashes", p.Name)
		l.startOf(p, k, "web")
		if c := k.runs["web"]; l.random.IntN(2) == 0 && !c.StartedAt.IsZero() { // its tag has moved, and it is pulled anew
			c.ImageID += "-" + fmt.Sprint(l.versions)
			k.runs["web"] = c
		}
	}
}

// takeBack lets somebody give a pod that is on its way the images of its label again.
func (l *life) takeBack(p *Pod, k *kubelet) {
	if to := p.UnderWay(); to != "" {
		l.setImages(p, k, p.Revision)
	}
}

func (l *life) setImages(p *Pod, k *kubelet, revision string) {
	for _, r := range l.Revisions {
		if r.Name == revision {
			template, _ := templateOf(uncounted, r.Data)
			spec := l.specs[p.UID]
			spec.images = imagesOfTemplate(template)
			spec.generation++
			k.changed = l.ObservedAt
			l.tell("somebody gives %s the images of %s", p.Name, revision)
			l.show(p)
			l.version(p)
		}
	}
}

// report lets the API server know.
func (l *life) report(p *Pod, k *kubelet) {
	if len(k.knows) == 0 {
		return
	}
	k.due = time.Time{}
	ready := !k.ready.After(l.ObservedAt)
	for name := range k.knows {
		ready = ready && !k.runs[name].StartedAt.IsZero()
	}
	if p.Phase == PodPending {
		p.Phase, p.StartedAt, p.ReadyChangedAt = PodRunning, l.ObservedAt, l.ObservedAt
	}
	if ready != p.Ready {
		p.Ready, p.ReadyChangedAt = ready, l.ObservedAt
	}
	spec := l.specs[p.UID]
	spec.status, spec.observed = maps.Clone(k.runs), 0
	if !l.old {
		spec.observed = k.generation
	}
	l.show(p)
	l.version(p)
	if k.ready.After(l.ObservedAt) {
		k.due = l.ObservedAt
	}
}

// catchUp is a healthy kubelet.
func (l *life) catchUp(p *Pod, k *kubelet) {
	l.look(p, k)
	l.do(p, k)
	l.report(p, k)
}

// podSpec is a pod as the API server has it.
type podSpec struct {
	images               map[string]string
	generation, observed int64
	status               map[string]Container
}

// show is the snapshot's part of it.
func (l *life) show(p *Pod) {
	if !p.marked() {
		return
	}
	spec := l.specs[p.UID]
	list := func(names ...string) (list []Container) {
		for _, name := range names {
			c := spec.status[name]
			c.Name, c.Image = name, spec.images[name]
			list = append(list, c)
		}
		return list
	}
	p.Containers = &PodContainers{Generation: spec.generation, ObservedGeneration: spec.observed, Containers: list("web", "log"), Init: list("init", "side")}
}

// plan decides on a snapshot and carries out some of its actions.
func (l *life) plan(s *Snapshot, most int) {
	p := Decide(s)
	if s == &l.Snapshot {
		l.takesFew(p)
	}
	for _, stage := range p.Stages {
		failed := false
		for _, step := range stage.Steps {
			for i := range step.Actions {
				if most == 0 {
					return
				}
				if most--; !l.carryOut(&step.Actions[i]) {
					failed = true
					break
				}
			}
		}
		if failed && stage.OnFailure != SkipPhase {
			return
		}
	}
	if len(p.Stages) == 0 && p.Converged && s == &l.Snapshot && l.Set.Annotations[annotationInPlace] != "" && l.wrong == "" {
		for i := range l.Pods {
			if q := &l.Pods[i]; q.Annotations.get(annotationUpdate) != "" && q.Annotations.get(annotationUpdate) != nothingUnderWay {
				l.wrong = q.Name + " is on its way, and the plan is called converged"
			}
		}
	}
}

// restarts reports whether an operation starts containers anew.
func restarts(op Operation) bool {
	update, is := op.(UpdatePod)
	return is && len(update.Containers)+len(update.InitContainers) > 0
}

// takesFew: a plan on what is so takes no pod that is ready while another one is not, whatever is under way in it.
func (l *life) takesFew(p *Plan) {
	ready, away := 0, 3-len(l.Pods)
	for i := range l.Pods {
		q := &l.Pods[i]
		taken := slices.ContainsFunc(allActions(p), func(a Action) bool { return a.UID == q.UID && (a.Op.destructive() || restarts(a.Op)) })
		switch {
		case !q.Ready:
			away++
		case taken:
			ready++
		}
	}
	if ready > 0 && ready+away > 1 {
		l.wrong = fmt.Sprintf("%d are away, and %d more are taken: %s", away, ready, Describe(p))
	}
}

// carryOut carries out an action, if its preconditions hold.
func (l *life) carryOut(a *Action) bool {
	switch op := a.Op.(type) {
	case CreateRevision:
		tree, _ := jsontree.Parse(op.Manifest)
		l.Revisions = append(l.Revisions, Revision{Name: a.Name, UID: "uid-" + a.Name, ResourceVersion: "1", Owners: l.owners(), CreatedAt: l.ObservedAt,
			Labels: uncounted.Strings(tree.Get("metadata").Get("labels")), Data: jsontree.Append(nil, tree.Get("data")), Number: l.nextNumber()})
		return true
	case RenumberRevision:
		for i := range l.Revisions {
			if l.Revisions[i].Name == a.Name {
				l.Revisions[i].Number = op.Number
			}
		}
		return true
	case DeleteRevision:
		l.Revisions = slices.DeleteFunc(l.Revisions, func(r Revision) bool { return r.Name == a.Name })
		return true
	case UpdateStatus:
		l.Set.Status = op.Status
		return true
	case CreatePod:
		return l.create(a, op)
	}
	i := slices.IndexFunc(l.Pods, func(p Pod) bool {
		return p.Name == a.Name && p.UID == a.UID && (a.ResourceVersion == "" || a.ResourceVersion == p.ResourceVersion)
	})
	if i < 0 {
		return false
	}
	p := &l.Pods[i]
	l.tell("%s %s%s", a.Op.name(), a.Name, a.Op.detail())
	switch op := a.Op.(type) {
	case DeletePod:
		delete(l.kubelets, p.UID)
		l.Pods = slices.Delete(l.Pods, i, i+1)
		return true
	case PatchAnnotations:
		l.answers(op.Set[0].Key, op.Set[0].Value, a.Name)
	case UpdatePod:
		l.update(p, op)
	default:
		l.wrong = "an action that no life has: " + a.Op.name()
	}
	l.show(p)
	l.version(p)
	return true
}

func (l *life) nextNumber() (n int64) {
	for _, r := range l.Revisions {
		n = max(n, r.Number)
	}
	return n + 1
}

func (l *life) create(a *Action, op CreatePod) bool {
	if slices.ContainsFunc(l.Pods, func(p Pod) bool { return p.Name == a.Name }) {
		return false
	}
	tree, _ := jsontree.Parse(op.Manifest)
	l.versions++
	p := Pod{Name: a.Name, UID: fmt.Sprint("uid-", l.versions), Phase: PodPending, CreatedAt: l.ObservedAt, Labels: webLabels, Owners: l.owners(),
		Revision: tree.Get("metadata").Get("labels").Get(labelRevision).Text, PodNameLabel: true, PodIndexLabel: true}
	l.specs[p.UID] = &podSpec{images: imagesOfTemplate(tree), generation: 1}
	l.kubelets[p.UID] = &kubelet{runs: map[string]Container{}, changed: l.ObservedAt}
	l.version(&p)
	l.Pods = append(l.Pods, p)
	l.tell("create %s at %s", p.Name, p.Revision)
	return true
}

// imagesOfTemplate are the images of all that goes on running.
func imagesOfTemplate(tree jsontree.Value) map[string]string {
	images := map[string]string{}
	for _, list := range []string{"containers", "initContainers"} {
		for _, c := range tree.Get("spec").Get(list).Items() {
			if c.Get("name").Text != "init" {
				images[c.Get("name").Text] = c.Get("image").Text
			}
		}
	}
	return images
}

// update is an update in place. Whoever says that a pod is at a revision has to be right.
func (l *life) update(p *Pod, op UpdatePod) {
	spec, k := l.specs[p.UID], l.kubelets[p.UID]
	for _, list := range [][]ContainerImage{op.Containers, op.InitContainers} {
		for _, c := range list {
			if c.Name != "init" {
				spec.images[c.Name] = c.Image
			}
		}
	}
	if len(op.Containers)+len(op.InitContainers) > 0 {
		spec.generation++
		k.changed = l.ObservedAt
	}
	for _, label := range op.Labels {
		if label.Key == labelRevision {
			p.Revision = label.Value
		}
	}
	for _, note := range op.Annotations {
		l.answers(note.Key, note.Value, p.Name)
		if note.Value == nothingUnderWay {
			l.isTrue(p, k)
		}
	}
}

func (l *life) isTrue(p *Pod, k *kubelet) {
	for _, r := range l.Revisions {
		if r.Name != p.Revision {
			continue
		}
		template, _ := templateOf(uncounted, r.Data)
		for name, image := range imagesOfTemplate(template) {
			if c := k.runs[name]; !c.StartedAt.IsZero() && digestOf(c.Image) != digestOf(image) {
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
		if p := &l.Pods[i]; !p.Ready || p.Annotations.get(annotationUpdate) != "" && p.Annotations.get(annotationUpdate) != nothingUnderWay {
			n++
		}
	}
	return n
}

// end is the end of all trouble: every pod gets to the last template.
func (l *life) end() {
	l.image(l.random.IntN(len(lifeTemplates) - 2))
	l.asks(annotationInPlace, []string{"InPlaceIfPossible", "InPlaceOnly"}[l.random.IntN(2)])
	l.all(func(p *Pod, k *kubelet) { l.setImages(p, k, p.UnderWay()) })
	l.pass(3 * time.Minute)
	p := Decide(&l.Snapshot)
	for i := 0; i < 400 && (i < 5 || !p.Converged); i++ {
		l.plan(&l.Snapshot, 1<<30)
		l.all(func(p *Pod, k *kubelet) { l.catchUp(p, k) })
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
