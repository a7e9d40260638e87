package codec

import (
	"fmt"
	"math"

	"google.golang.org/protobuf/reflect/protoreflect"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/objects"
)

// Limits bound what Check and Decode accept.
type Limits struct {
	MaxPods     int // pods in one snapshot; 0 is no limit
	MaxClaims   int // the same for claims
	MaxElements int // and for the elements of all lists and maps together
	// Stop is asked many times in ten milliseconds. Once it returns true, the result is ErrStopped. Nil: never.
	Stop func() bool
	// Memory is used for pods and claims. Decode then also takes elements out of long lists of the request, so that a large one is not
	// in memory twice. Nil: they are allocated, and Decode does not change the request.
	Memory *Memory
}

// memory is where to put pods and claims.
func (l *Limits) memory() *Memory {
	if l.Memory == nil {
		return &Memory{}
	}
	return l.Memory
}

// Limits of a request beside those of pods. An element takes many times its bytes in memory, and an element of a list can be two
// bytes long.
const (
	MaxClaims   = 100_000
	MaxElements = 350_000
)

// Lengths in bytes. Kubernetes has the same limits or smaller ones: whatever an API server admits is within them.
const (
	maxName       = 253       // of an object; the longest is a DNS subdomain
	maxAPIVersion = 253 + 64  // a group, a slash, a version
	maxKind       = 63        // a DNS label
	maxLabelKey   = 253 + 64  // a prefix, a slash, 63 characters
	maxLabelValue = 63        //
	maxAnnotation = 256 << 10 // all annotations of an object together
	maxText       = 1024      // any other text that nobody needs to be longer; adapters cut messages of a resize to it
	maxDocument   = 3 << 20   // a request to an API server, and so any object in it

	// maxAnnotationSet has room for what protobuf writes around each annotation: the shortest key is longer.
	maxAnnotationSet = 2 * maxAnnotation
)

// maxCapabilities leaves room for capabilities of later contracts.
const maxCapabilities = 256

// maxRevisions is many times what a set has: its history limit, and one for each revision that pods are at.
const maxRevisions = 10_000

// Lists within one document, which bounds them: each element takes some of its bytes, for example {"key":"a","operator":"Exists"}.
const (
	maxConditions   = maxDocument / 30 // of the status
	maxRequirements = maxDocument / 30 // of the selector
	maxOwners       = maxDocument / 50 // of one object
)

// bound is what a field may hold. Zero fields are the defaults.
type bound struct {
	most    int  // elements of a list or a map, summed over the request
	each    bool // most and the sum are for each list or map by itself
	longest int  // bytes of a string, or of the whole list if sum is set
	sum     bool
}

// named are the lengths of fields of these names in any message.
var named = map[protoreflect.Name]int{
	"api_version":      maxAPIVersion,
	"kind":             maxKind,
	"namespace":        maxName,
	"name":             maxName,
	"uid":              maxName,
	"resource_version": maxName,
}

// bounds are the bounds of other fields of the contract. Any other one has the defaults from its first day: as many elements
// as all lists together may have, strings of maxText, and bytes as long as a document.
var bounds = map[protoreflect.FullName]bound{
	"setplan.v1.PlanRequest.capabilities": {most: maxCapabilities},

	"setplan.v1.Objects.documents": {most: objects.MaxObjects, longest: math.MaxInt32}, // each is as long as the message lets it be

	"setplan.v1.Snapshot.revisions": {most: maxRevisions},
	"setplan.v1.Snapshot.outcomes":  {most: maxRevisions},

	"setplan.v1.Snapshot.fixed_storage_classes": {longest: maxName},

	"setplan.v1.ClaimNeighbour.set":            {longest: maxName},
	"setplan.v1.ClaimNeighbour.claim_template": {longest: maxName},

	"setplan.v1.StatefulSet.service_name":        {longest: maxName},
	"setplan.v1.StatefulSet.annotations":         {longest: maxAnnotationSet, sum: true},
	"setplan.v1.StatefulSet.claim_templates":     {longest: maxDocument, sum: true},
	"setplan.v1.StatefulSetStatus.conditions":    {most: maxConditions},
	"setplan.v1.LabelSelector.match_expressions": {most: maxRequirements},
	"setplan.v1.OwnerSet.owners":                 {most: maxOwners, each: true},

	"setplan.v1.Tables.revision_names": {longest: maxName},
	"setplan.v1.VolumeSet.volumes":     {longest: maxName},
	"setplan.v1.ClaimBinding.volume":   {longest: maxName},

	"setplan.v1.ContainerResources.RequestsEntry.key":   {longest: maxLabelKey},
	"setplan.v1.ContainerResources.RequestsEntry.value": {longest: maxName},
	"setplan.v1.ContainerResources.LimitsEntry.key":     {longest: maxLabelKey},
	"setplan.v1.ContainerResources.LimitsEntry.value":   {longest: maxName},

	"setplan.v1.ClaimStorage.request":                  {longest: maxName},
	"setplan.v1.ClaimStorage.capacity":                 {longest: maxName},
	"setplan.v1.ClaimStorage.resize_status":            {longest: maxName},
	"setplan.v1.ClaimStorage.storage_class":            {longest: maxName},
	"setplan.v1.ClaimStorage.attributes_class":         {longest: maxName},
	"setplan.v1.ClaimStorage.current_attributes_class": {longest: maxName},
	"setplan.v1.ClaimStorage.modify_status":            {longest: maxName},
	"setplan.v1.ClaimStorage.conditions":               {most: maxConditions},

	"setplan.v1.AnnotationSet.annotations":          {longest: maxAnnotationSet, sum: true, each: true},
	"setplan.v1.AnnotationSet.AnnotationsEntry.key": {longest: maxLabelKey},

	"setplan.v1.LabelSet.LabelsEntry.key":             {longest: maxLabelKey},
	"setplan.v1.LabelSet.LabelsEntry.value":           {longest: maxLabelValue},
	"setplan.v1.Revision.LabelsEntry.key":             {longest: maxLabelKey},
	"setplan.v1.Revision.LabelsEntry.value":           {longest: maxLabelValue},
	"setplan.v1.LabelSelector.MatchLabelsEntry.key":   {longest: maxLabelKey},
	"setplan.v1.LabelSelector.MatchLabelsEntry.value": {longest: maxLabelValue},
	"setplan.v1.LabelRequirement.key":                 {longest: maxLabelKey},
	"setplan.v1.LabelRequirement.values":              {longest: maxLabelValue},

	// Texts that no API server bounds by themselves, so that an object may have a long one. What reads them for each pod, claim or step does not
	// read a long one, or counts its bytes.
	"setplan.v1.StatefulSet.AnnotationsEntry.value":   {longest: maxDocument},
	"setplan.v1.StatefulSet.refusal":                  {longest: maxDocument},
	"setplan.v1.StatefulSetStatus.current_revision":   {longest: maxDocument},
	"setplan.v1.StatefulSetStatus.update_revision":    {longest: maxDocument},
	"setplan.v1.Condition.type":                       {longest: maxDocument},
	"setplan.v1.Condition.status":                     {longest: maxDocument},
	"setplan.v1.Condition.reason":                     {longest: maxDocument},
	"setplan.v1.Condition.message":                    {longest: maxDocument},
	"setplan.v1.OwnerReference.api_version":           {longest: maxDocument},
	"setplan.v1.OwnerReference.kind":                  {longest: maxDocument},
	"setplan.v1.OwnerReference.name":                  {longest: maxDocument},
	"setplan.v1.OwnerReference.uid":                   {longest: maxDocument},
	"setplan.v1.AnnotationSet.AnnotationsEntry.value": {longest: maxDocument},
	"setplan.v1.Pod.termination_messages":             {longest: maxDocument},
	"setplan.v1.ClaimBinding.claim":                   {longest: maxDocument},
	"setplan.v1.Container.image":                      {longest: maxDocument},
	"setplan.v1.Container.status_image":               {longest: maxDocument},
	"setplan.v1.Container.image_id":                   {longest: maxDocument},
	"setplan.v1.Container.container_id":               {longest: maxDocument},
	"setplan.v1.Container.waiting_reason":             {longest: maxDocument},
	"setplan.v1.PodResize.reason":                     {longest: maxDocument},
	"setplan.v1.Outcome.message":                      {longest: maxDocument},
}

// refuse reports lists that are too long. Check has counted all lists of a request from the network. Of a request from the same
// process only the lists that cause the most work are counted, here.
func (l Limits) refuse(r *report, in *setplanv1.Snapshot) {
	for _, list := range [...]struct {
		name      string
		has, most int
	}{
		{"claims", len(in.GetClaims()), l.MaxClaims},
		{"revisions", len(in.GetRevisions()), maxRevisions},
		{"outcomes", len(in.GetOutcomes()), maxRevisions},
	} {
		if list.most > 0 && list.has > list.most {
			r.add("snapshot."+list.name, "has %d elements; the limit is %d", list.has, list.most)
		}
	}
}

func (l Limits) refusePods(pods int) error {
	if l.MaxPods > 0 && pods > l.MaxPods {
		return &TooManyPodsError{Pods: pods, Limit: l.MaxPods}
	}
	return nil
}

// tooLong says that a text is too long.
func tooLong(length, limit int) string {
	return fmt.Sprintf("has %d bytes; the limit is %d", length, limit)
}
