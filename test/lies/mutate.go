package lies

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// mutator changes a plan as the bytes of a program say. It knows the contract by reflection, so that it also lies about fields
// that are to come.
type mutator struct {
	program []byte
	cluster *Cluster
	words   []string // what texts are replaced with: texts of all plans and snapshots, and bad ones
}

// nasty are texts that no plan has.
var nasty = []string{"", "../x", "../../../../api/v1/namespaces/kube-system/pods/x", "kube-system", "default", "Pod", "Secret", "StatefulSet",
	"PersistentVolumeClaim", "ControllerRevision", "setplan.io/drain", "setplan.io/drain-set", "setplan.io/drain-claims",
	"setplan.io/drain-attempts", "orphan", "true", "99", strings.Repeat("x", 2000)}

// Lie makes a plan for a set out of the true one: a few changes, each chosen by bytes of the program.
func (c *Cluster) Lie(set string, program []byte) *setplanv1.Plan {
	m := &mutator{program: program, cluster: c, words: c.words()}
	plan := proto.CloneOf(c.plans[set])
	if plan == nil {
		return nil
	}
	for range 8 {
		if m.change(plan, set); len(m.program) == 0 {
			break
		}
	}
	return plan
}

// next takes a number below n off the program; 0 where it has ended.
func (m *mutator) next(n int) int {
	if len(m.program) == 0 || n <= 1 {
		return 0
	}
	value := int(m.program[0])
	m.program = m.program[1:]
	if n > 256 && len(m.program) > 0 {
		value = value<<8 | int(m.program[0])
		m.program = m.program[1:]
	}
	return value % n
}

func pick[T any](m *mutator, from []T) (one T) {
	if len(from) > 0 {
		one = from[m.next(len(from))]
	}
	return one
}

func (m *mutator) change(plan *setplanv1.Plan, set string) {
	actions := actionsOf(plan)
	action := pick(m, actions)
	other := pick(m, actionsOf(m.cluster.plans[pick(m, sets)]))
	switch m.next(9) {
	case 0, 1: // a field somewhere in an action
		if action != nil {
			m.field(action)
		}
	case 2: // an action of another set's plan
		if other != nil {
			m.add(plan, proto.CloneOf(other))
		}
	case 3: // an action that nobody planned
		m.add(plan, m.invent(set))
	case 4: // the operation of one on the target of another
		if action != nil && other != nil {
			action.Operation = proto.CloneOf(other).Operation
		}
	case 5: // the target and the precondition of another
		if action != nil && other != nil {
			clone := proto.CloneOf(other)
			action.Target, action.Precondition = clone.Target, clone.Precondition
		}
	case 6: // a manifest
		if action != nil {
			m.manifest(action)
		}
	case 7: // stages
		if stage := pick(m, plan.GetStages()); stage != nil {
			m.field(stage)
			m.add(plan, proto.CloneOf(pick(m, actions)))
		}
	case 8: // order
		if action != nil && len(actions) > 1 {
			a, b := action, pick(m, actions)
			copied := proto.CloneOf(a)
			proto.Reset(a)
			proto.Merge(a, b)
			proto.Reset(b)
			proto.Merge(b, copied)
		}
	}
}

func actionsOf(plan *setplanv1.Plan) []*setplanv1.Action {
	var actions []*setplanv1.Action
	for _, stage := range plan.GetStages() {
		for _, step := range stage.GetSteps() {
			actions = append(actions, step.GetActions()...)
		}
	}
	return actions
}

// add puts an action into a stage of its own, so that the truth beside it is not refused with it.
func (m *mutator) add(plan *setplanv1.Plan, action *setplanv1.Action) {
	if action == nil {
		return
	}
	stage := &setplanv1.Stage{Phase: setplanv1.StagePhase_STAGE_PHASE_REPLICAS, OnFailure: setplanv1.OnFailure_ON_FAILURE_STOP, AlwaysRun: true,
		RequiresLiveSet: m.next(4) == 0, Steps: []*setplanv1.Step{{Actions: []*setplanv1.Action{action}}}}
	plan.Stages = slices.Insert(plan.Stages, m.next(len(plan.Stages)+1), stage)
}

// field changes one field of a message, or of one inside it.
func (m *mutator) field(message proto.Message) {
	type place struct {
		of    protoreflect.Message
		field protoreflect.FieldDescriptor
	}
	var places []place
	var walk func(of protoreflect.Message)
	walk = func(of protoreflect.Message) {
		fields := of.Descriptor().Fields()
		for i := range fields.Len() {
			field := fields.Get(i)
			places = append(places, place{of, field})
			if field.Message() != nil && !field.IsMap() && !field.IsList() && of.Has(field) {
				walk(of.Get(field).Message())
			}
		}
	}
	walk(message.ProtoReflect())
	p := pick(m, places)
	switch {
	case p.field.IsMap():
		if key := p.field.MapKey(); key.Kind() == protoreflect.StringKind {
			p.of.Mutable(p.field).Map().Set(protoreflect.ValueOfString(pick(m, m.words)).MapKey(), protoreflect.ValueOfString(pick(m, m.words)))
		}
	case p.field.IsList():
		list := p.of.Mutable(p.field).List()
		switch {
		case p.field.Kind() == protoreflect.StringKind:
			list.Append(protoreflect.ValueOfString(pick(m, m.words)))
		case list.Len() > 0 && m.next(2) == 0:
			list.Truncate(list.Len() - 1)
		default:
			list.Append(list.NewElement())
		}
	case p.field.Message() != nil:
		if p.of.Has(p.field) && m.next(2) == 0 {
			p.of.Clear(p.field)
		} else {
			p.of.Set(p.field, p.of.NewField(p.field))
		}
	default:
		p.of.Set(p.field, m.scalar(p.of, p.field))
	}
}

func (m *mutator) scalar(of protoreflect.Message, field protoreflect.FieldDescriptor) protoreflect.Value {
	switch field.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(pick(m, m.words))
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(!of.Get(field).Bool())
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(m.next(12)))
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(int32(m.next(65536)) - 5)
	case protoreflect.Int64Kind:
		return protoreflect.ValueOfInt64(int64(m.next(65536)) - 5)
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte(pick(m, m.words)))
	}
	return of.Get(field)
}

// invent is an action on any object of any set, with the uid and version that it has: what a planner that knows the whole
// cluster would try.
func (m *mutator) invent(set string) *setplanv1.Action {
	seen := m.cluster.true[pick(m, append([]string{set, set}, sets...))].GetSnapshot()
	action := &setplanv1.Action{Id: "invented", Target: &setplanv1.Target{Namespace: "default"}, Precondition: &setplanv1.Precondition{}}
	aim := func(kind, name, uid, version string) {
		action.Target.Kind, action.Target.Name, action.Precondition.Uid, action.Precondition.ResourceVersion = kind, name, uid, version
	}
	reference := &setplanv1.OwnerReference{ApiVersion: "apps/v1", Kind: seen.GetSet().GetKind(), Name: seen.GetSet().GetName(), Uid: seen.GetSet().GetUid(),
		Controller: true, BlockOwnerDeletion: true}
	pod, claim, revision := pick(m, seen.GetPods()), pick(m, seen.GetClaims()), pick(m, seen.GetRevisions())
	switch m.next(3) {
	case 0:
		aim("Pod", pod.GetName(), pod.GetUid(), pod.GetResourceVersion())
	case 1:
		aim("PersistentVolumeClaim", claim.GetName(), claim.GetUid(), claim.GetResourceVersion())
	case 2:
		aim("ControllerRevision", revision.GetName(), revision.GetUid(), revision.GetResourceVersion())
	}
	notes := &setplanv1.PatchAnnotations{Set: map[string]string{pick(m, nasty): pick(m, m.words)}}
	byPod := &setplanv1.OwnerReference{ApiVersion: "v1", Kind: "Pod", Name: pod.GetName(), Uid: pod.GetUid(), Controller: true, BlockOwnerDeletion: true}
	switch m.next(16) {
	case 0:
		action.Operation = &setplanv1.Action_DeletePod{DeletePod: &setplanv1.DeletePod{}}
	case 1, 2:
		action.Operation = &setplanv1.Action_DeleteClaim{DeleteClaim: &setplanv1.DeleteClaim{}}
	case 3:
		action.Operation = &setplanv1.Action_DeleteRevision{DeleteRevision: &setplanv1.DeleteRevision{}}
	case 4:
		action.Operation = &setplanv1.Action_PatchAnnotations{PatchAnnotations: notes}
	case 5:
		action.Operation = &setplanv1.Action_SetClaimOwners{SetClaimOwners: &setplanv1.SetClaimOwners{Owners: []*setplanv1.OwnerReference{reference}}}
	case 6:
		action.Operation = &setplanv1.Action_SetClaimOwners{SetClaimOwners: &setplanv1.SetClaimOwners{Owners: []*setplanv1.OwnerReference{byPod}}}
	case 7:
		action.Operation = &setplanv1.Action_AdoptPod{AdoptPod: &setplanv1.AdoptPod{Owner: reference}}
	case 8:
		action.Operation = &setplanv1.Action_ReleasePod{ReleasePod: &setplanv1.ReleasePod{OwnerUid: seen.GetSet().GetUid()}}
	case 9:
		action.Operation = &setplanv1.Action_PatchPod{PatchPod: &setplanv1.PatchPod{Labels: map[string]string{pick(m, m.words): pick(m, m.words)}}}
	case 10:
		aim(reference.Kind, reference.Name, reference.Uid, "")
		action.Operation = &setplanv1.Action_SetFinalizer{SetFinalizer: &setplanv1.SetFinalizer{Finalizer: pick(m, nasty), Present: m.next(2) == 0}}
	case 11:
		aim(reference.Kind, reference.Name, reference.Uid, seen.GetSet().GetResourceVersion())
		action.Operation = &setplanv1.Action_UpdateStatus{UpdateStatus: &setplanv1.UpdateStatus{Status: seen.GetSet().GetStatus()}}
	case 12:
		action.Operation = &setplanv1.Action_UpdatePod{UpdatePod: &setplanv1.UpdatePod{Annotations: notes.Set,
			Labels: map[string]string{appsv1.ControllerRevisionHashLabelKey: revision.GetName(), pick(m, m.words): pick(m, m.words)}}}
	case 13:
		action.Operation = &setplanv1.Action_ResizePod{ResizePod: &setplanv1.ResizePod{Containers: []*setplanv1.ContainerResize{
			{Name: "nginx", Requests: map[string]string{"cpu": pick(m, []string{"1", "2", "3", "9"})}}}}}
	case 14:
		m.podOf(action, seen.GetSet(), revision)
	case 15:
		action.Operation = &setplanv1.Action_UpdatePod{UpdatePod: twin(pod, revision)}
	}
	return action
}

// podOf makes an action create a pod of a set at a revision of whomever, with its template.
func (m *mutator) podOf(action *setplanv1.Action, set *setplanv1.StatefulSet, revision *setplanv1.Revision) {
	template := templateIn(&appsv1.ControllerRevision{Data: runtime.RawExtension{Raw: revision.GetData()}})
	if template == nil {
		return
	}
	ordinal := strconv.Itoa(m.next(5))
	pod := &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: template.ObjectMeta, Spec: template.Spec}
	pod.Name, pod.Namespace, pod.Spec.Hostname, pod.Spec.Subdomain = set.GetName()+"-"+ordinal, "default", set.GetName()+"-"+ordinal, set.GetServiceName()
	labels := map[string]string{appsv1.StatefulSetPodNameLabel: pod.Name, appsv1.PodIndexLabel: ordinal, appsv1.ControllerRevisionHashLabelKey: revision.GetName()}
	maps.Copy(labels, template.Labels)
	pod.Labels = labels
	pod.OwnerReferences = []metav1.OwnerReference{{APIVersion: set.GetApiVersion(), Kind: set.GetKind(), Name: set.GetName(), UID: types.UID(set.GetUid()), Controller: new(true)}}
	manifest, _ := json.Marshal(struct { // without the status
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata"`
		Spec              corev1.PodSpec `json:"spec"`
	}{pod.TypeMeta, pod.ObjectMeta, pod.Spec})
	action.Target.Kind, action.Target.Name, action.Precondition = "Pod", pod.Name, &setplanv1.Precondition{MustNotExist: true}
	action.Operation = &setplanv1.Action_CreatePod{CreatePod: &setplanv1.CreatePod{Manifest: manifest}}
}

// twin is an update of a pod in place to a revision of whomever.
func twin(pod *setplanv1.Pod, revision *setplanv1.Revision) *setplanv1.UpdatePod {
	update, seen := &setplanv1.UpdatePod{}, map[string]any{}
	template := templateIn(&appsv1.ControllerRevision{Data: runtime.RawExtension{Raw: revision.GetData()}})
	for i, c := range pod.GetContainers().GetContainers() {
		if template != nil && i < len(template.Spec.Containers) {
			update.Containers = append(update.Containers, &setplanv1.ContainerImage{Name: c.GetName(), Image: template.Spec.Containers[i].Image})
			seen[c.GetName()] = map[string]string{"id": c.GetContainerId(), "image": c.GetImageId()}
		}
	}
	note, _ := json.Marshal(map[string]any{"at": 1, "containers": seen, "revision": revision.GetName(), "uid": pod.GetUid()})
	update.Annotations = map[string]string{"setplan.io/in-place-update": string(note)}
	return update
}

// extras are what a liar would like a pod, or its metadata, to have.
var extras = []string{"hostNetwork", "hostPID", "serviceAccountName", "nodeName", "securityContext", "finalizers", "ownerReferences", "volumes",
	"initContainers", "privileged", "image", "namespace", "name", "labels", "annotations", "generateName", "dataSource", "volumeName"}

// manifest changes a manifest: a value somewhere in it, a field more or less, a key twice, or another action's. Of an update in place it changes
// images or resources.
func (m *mutator) manifest(action *setplanv1.Action) {
	var text *[]byte
	switch operation := action.GetOperation().(type) {
	case *setplanv1.Action_CreatePod:
		text = &operation.CreatePod.Manifest
	case *setplanv1.Action_CreateClaim:
		text = &operation.CreateClaim.Manifest
	case *setplanv1.Action_CreateRevision:
		text = &operation.CreateRevision.Manifest
	case *setplanv1.Action_UpdatePod:
		m.images(operation.UpdatePod)
		return
	case *setplanv1.Action_ResizePod:
		m.resources(operation.ResizePod)
		return
	default:
		return
	}
	switch m.next(6) {
	case 0:
		*text = []byte(strings.Replace(string(*text), `"spec":`, `"spec":{"hostNetwork":true},"spec":`, 1))
		return
	case 1:
		*text = []byte(strings.ReplaceAll(string(*text), pick(m, m.words), pick(m, m.words)))
		return
	}
	var tree any
	if json.Unmarshal(*text, &tree) != nil {
		return
	}
	for range 1 + m.next(2) {
		m.node(tree)
	}
	*text, _ = json.Marshal(tree)
}

// images changes which images a pod gets, in which order, or what is noted of them.
func (m *mutator) images(update *setplanv1.UpdatePod) {
	images := &update.Containers
	if len(update.GetInitContainers()) > 0 && m.next(2) == 0 {
		images = &update.InitContainers
	}
	switch one := pick(m, *images); m.next(6) {
	case 0:
		if one != nil {
			one.Image = pick(m, m.words)
		}
	case 1:
		if one != nil {
			one.Name = pick(m, m.words)
		}
	case 2:
		slices.Reverse(*images)
	case 3:
		*images = (*images)[:m.next(len(*images)+1)]
	case 4:
		*images = append(*images, &setplanv1.ContainerImage{Name: "c", Image: pick(m, m.words)})
	case 5:
		if key := pick(m, slices.Sorted(maps.Keys(update.GetAnnotations()))); key != "" {
			update.Annotations[key] = strings.ReplaceAll(update.Annotations[key], pick(m, m.words), pick(m, m.words))
		}
	}
}

// resources changes what containers get, which, or their order.
func (m *mutator) resources(resize *setplanv1.ResizePod) {
	one := pick(m, resize.Containers)
	if one == nil {
		return
	}
	quantity := pick(m, []string{"1", "2", "3", "4", "1000m", "0", "", "-1", "x"})
	switch m.next(5) {
	case 0:
		one.Requests = map[string]string{pick(m, []string{"cpu", "memory", "storage"}): quantity}
	case 1:
		one.Limits = map[string]string{pick(m, []string{"cpu", "memory", "storage"}): quantity}
	case 2:
		one.Name = pick(m, m.words)
	case 3:
		resize.Containers = resize.Containers[:m.next(len(resize.Containers)+1)]
	case 4:
		resize.Containers = append(resize.Containers, &setplanv1.ContainerResize{Name: "c", Requests: map[string]string{"cpu": quantity}})
	}
}

// node changes one place of a tree.
func (m *mutator) node(tree any) {
	for {
		switch node := tree.(type) {
		case map[string]any:
			keys := slices.Sorted(maps.Keys(node))
			key := pick(m, keys)
			if deeper := node[key]; isTree(deeper) && m.next(4) > 0 {
				tree = deeper
				continue
			}
			switch m.next(3) {
			case 0:
				delete(node, key)
			case 1:
				node[key] = m.value()
			case 2:
				node[pick(m, extras)] = m.value()
			}
		case []any:
			if len(node) > 0 && isTree(node[0]) {
				tree = pick(m, node)
				continue
			}
		}
		return
	}
}

func isTree(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

func (m *mutator) value() any {
	switch m.next(5) {
	case 0:
		return true
	case 1:
		return nil
	case 2:
		return map[string]any{pick(m, extras): pick(m, m.words)}
	case 3:
		return []any{map[string]any{"name": pick(m, m.words), "uid": pick(m, m.words)}}
	}
	return pick(m, m.words)
}

// words lists the texts of all snapshots and plans, so that a lie is about what there is.
func (c *Cluster) words() []string {
	found := map[string]bool{}
	for _, set := range sets {
		for _, message := range []proto.Message{c.true[set].GetSnapshot().GetSet()} {
			message.ProtoReflect().Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
				if field.Kind() == protoreflect.StringKind && !field.IsList() && !field.IsMap() {
					found[value.String()] = true
				}
				return true
			})
		}
		for _, pod := range c.true[set].GetSnapshot().GetPods() {
			found[pod.GetName()], found[pod.GetUid()] = true, true
		}
		for _, claim := range c.true[set].GetSnapshot().GetClaims() {
			found[claim.GetName()], found[claim.GetUid()] = true, true
		}
		for _, shared := range c.true[set].GetSnapshot().GetTables().GetAnnotationSets() {
			for name, text := range shared.GetAnnotations() {
				found[name], found[text] = true, true
			}
		}
		for _, revision := range c.true[set].GetSnapshot().GetRevisions() {
			found[revision.GetName()], found[revision.GetUid()] = true, true
		}
	}
	return append(slices.Sorted(maps.Keys(found)), nasty...)
}
