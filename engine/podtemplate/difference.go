package podtemplate

import (
	"slices"
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
)

// Difference is what it takes to bring a pod from one revision to another. It compares the two revisions and never a pod: what a webhook or an
// autoscaler has made of a pod is nobody's wish to change it.
//
// docs/in-place.md has the table. Labels and annotations change in place, but for keys that are read only when a pod is made or started.
// Images and resources of containers and of sidecars do, where somebody can change them and look what runs then. Everything else needs another pod.
type Difference struct {
	Labels, Annotations metadataChange
	Images              map[string]string // by container; containers whose image changes start again
	Resources           Amounts           // that containers are to have, of those that change
	StartsForResources  bool              // containers start again because of these
	Field               string            // the first one that needs another pod, in the order of the keys; "": none does
	Unknown             bool              // one of the revisions is not there, or cannot be read
	Unread              bool              // nobody can read what is under way in the pod, or look what runs in it
}

// InPlace reports whether the pod can stay.
func (d *Difference) InPlace() bool { return d.Field == "" && !d.Unknown }

// Needs notes a field that needs another pod; "" is none. The first one counts.
func (d *Difference) Needs(field string) {
	if d.Field == "" {
		d.Field = field
	}
}

// OfContainers reports whether something of containers changes.
func (d *Difference) OfContainers() bool { return len(d.Images)+len(d.Resources) > 0 }

// Restarts reports whether containers start again.
func (d *Difference) Restarts() bool { return len(d.Images) > 0 || d.StartsForResources }

// Changeable says what may change of containers in place.
type Changeable struct {
	Images, Resources bool
	Restarts          bool // containers may start again for that
}

// metadataChange is what changes of a pod's labels or annotations. Keys that neither revision has are not in it.
type metadataChange struct {
	Set    []model.KeyValue // sorted by key
	Remove []string         // sorted
}

// AnnotationRestarted is what kubectl rollout restart sets in a template, to have pods recreated and for nothing else.
const AnnotationRestarted = "kubectl.kubernetes.io/restartedAt"

// DifferenceOf compares two templates. selects are the keys of the set's selector.
func DifferenceOf(from, to jsontree.Value, selects map[string]bool, may Changeable) (d Difference) {
	c := differing{selects: selects, starts: map[string]bool{}, may: may, out: &d}
	c.readAtStart(from.Get("spec"))
	c.readAtStart(to.Get("spec"))
	jsontree.Pairs(from, to, func(key string, a, b jsontree.Value) bool {
		switch {
		case key == "spec" && may.Images && a.Kind == jsontree.Object && b.Kind == jsontree.Object:
			c.spec(a, b)
			return true
		case key != "metadata":
			c.out.Needs(first(key, differsAt(a, b, filled.at(key))))
			return true
		}
		return jsontree.Pairs(a, b, func(key string, a, b jsontree.Value) bool {
			switch path := "metadata." + key; key {
			case "labels":
				d.Labels = c.changeOf(a, b, path, c.fixedLabel)
			case "annotations":
				d.Annotations = c.changeOf(a, b, path, c.fixedAnnotation)
			default:
				c.out.Needs(first(path, differsAt(a, b, filled.at("metadata").at(key))))
			}
			return true
		})
	})
	if c.starts[labelRead(model.LabelRevision)] {
		d.Needs("metadata.labels." + model.LabelRevision)
	}
	return d
}

// differing is the walk over two templates.
type differing struct {
	selects map[string]bool
	starts  map[string]bool // see readAtStart
	may     Changeable
	out     *Difference
}

// fixedLabel reports whether the label needs another pod: the set would lose a pod that its selector no longer matches.
func (c *differing) fixedLabel(key string) bool {
	return c.selects[key] || c.starts[labelRead(key)] || strings.HasPrefix(key, policy.Prefix)
}

// The API server refuses to change these annotations of a pod (ValidatePodSpecificAnnotationUpdates).
const (
	annotationMirror = "kubernetes.io/config.mirror"
	prefixAppArmor   = "container.apparmor.security.beta.kubernetes.io/"
)

// fixedAnnotation reports the same of an annotation. Those of ours speak of a pod from its beginning.
func (c *differing) fixedAnnotation(key string) bool {
	return key == AnnotationRestarted || key == annotationMirror || strings.HasPrefix(key, prefixAppArmor) || c.starts[annotationRead(key)] || strings.HasPrefix(key, policy.Prefix)
}

// changeOf compares labels, or annotations. A pod has the labels of its identity whatever the template says.
func (c *differing) changeOf(from, to jsontree.Value, path string, fixed func(key string) bool) (change metadataChange) {
	jsontree.Pairs(from, to, func(key string, a, b jsontree.Value) bool {
		switch {
		case key == model.LabelPodName || key == model.LabelPodIndex || key == model.LabelRevision || sameAt(a, b, ordinary):
		case fixed(key) || !isTextOrNone(a) || !isTextOrNone(b):
			c.out.Needs(path + "." + key)
		case b.Kind == jsontree.Null:
			change.Remove = append(change.Remove, key)
		default:
			change.Set = append(change.Set, model.KeyValue{Key: key, Value: b.Text})
		}
		return true
	})
	return change
}

func isTextOrNone(v jsontree.Value) bool { return v.Kind == jsontree.String || v.Kind == jsontree.Null }

// readAtStart finds the labels and annotations that a container gets as environment variables, which do not change while it runs, and the
// labels that the API server has written into the placement of the pod when it was made.
func (c *differing) readAtStart(spec jsontree.Value) {
	for _, list := range [...]string{"containers", "initContainers"} {
		for _, container := range spec.Get(list).Items() {
			for _, env := range container.Get("env").Items() {
				c.starts[env.Get("valueFrom").Get("fieldRef").Get("fieldPath").Text] = true
			}
		}
	}
	c.labelKeys(spec.Get("affinity"))
	c.labelKeys(spec.Get("topologySpreadConstraints"))
}

// labelRead and annotationRead are how a container refers to a label and an annotation.
func labelRead(key string) string      { return "metadata.labels['" + key + "']" }
func annotationRead(key string) string { return "metadata.annotations['" + key + "']" }

// labelKeys finds the lists of label keys in a pod's placement.
func (c *differing) labelKeys(of jsontree.Value) {
	for _, m := range of.Members() {
		if m.Key == "matchLabelKeys" || m.Key == "mismatchLabelKeys" {
			for _, key := range m.Value.Items() {
				c.starts[labelRead(key.Text)] = true
			}
		}
		c.labelKeys(m.Value)
	}
	for _, item := range of.Items() {
		c.labelKeys(item)
	}
}

// first is the path of the first field that differs, of what differsAt has found below a path; "": none does.
func first(path string, below []string) string {
	if below == nil {
		return ""
	}
	slices.Reverse(below)
	return path + strings.Join(below, "")
}

// spec compares two specs but for the images and the resources that change in place.
func (c *differing) spec(a, b jsontree.Value) {
	c.may.Resources = c.may.Resources && c.mayResize(a, b)
	jsontree.Pairs(a, b, func(key string, a, b jsontree.Value) bool {
		at, path := filled.at("spec").at(key), "spec."+key
		left, right := a.Items(), b.Items()
		if key != "containers" && key != "initContainers" || len(left) != len(right) || len(left) == 0 {
			c.out.Needs(first(path, differsAt(a, b, at)))
			return true
		}
		for i := range left {
			x, y := left[i], right[i]
			if c.stays(x, y, key == "initContainers") {
				x, y = c.withoutChanges(x, y)
			}
			c.out.Needs(first(path, itemDiffers(x, y, i, at)))
		}
		return true
	})
}

// stays reports whether what a container is may change in place. Of the init containers only those run on that are restarted when they end:
// sidecars.
func (c *differing) stays(a, b jsontree.Value, init bool) bool {
	name := b.Get("name").Text
	return name != "" && name == a.Get("name").Text && (!init || isSidecar(a) && isSidecar(b))
}

func isSidecar(initContainer jsontree.Value) bool {
	return initContainer.Get("restartPolicy").Text == "Always"
}

// withoutChanges notes what of a container changes in place, and returns the rest of it.
func (c *differing) withoutChanges(a, b jsontree.Value) (x, y jsontree.Value) {
	if c.changesImage(a, b) {
		a, b = a.Without("image"), b.Without("image")
	}
	if c.changesResources(a, b) {
		a, b = a.Without("resources"), b.Without("resources")
	}
	return a, b
}

// changesImage notes the image of a container that changes in place: of one that is restarted whenever it ends, whatever it ended with. A kubelet does
// not start another one whose end is final, or that ended because its image could not be pulled.
func (c *differing) changesImage(a, b jsontree.Value) bool {
	name, old, image := b.Get("name").Text, a.Get("image"), b.Get("image")
	_, twice := c.out.Images[name]
	switch {
	case old.Kind != jsontree.String || image.Kind != jsontree.String || old.Text == "" || image.Text == "" || old.Text == image.Text:
		return false
	case twice || !c.may.Restarts || mayEnd(a) || mayEnd(b):
		return false
	case b.Get("imagePullPolicy").Kind == jsontree.Null && isLatest(old.Text) != isLatest(image.Text):
		return false // an API server gives a new pod another policy for pulling it
	}
	if c.out.Images == nil {
		c.out.Images = map[string]string{}
	}
	c.out.Images[name] = image.Text
	return true
}

// isLatest reports whether an image is one that is pulled whenever it starts, unless the template says otherwise.
func isLatest(image string) bool {
	name, _, _ := strings.Cut(Tagged(image), "@")
	return strings.HasSuffix(name, ":latest")
}

// Tagged is the name of an image with its tag; without one it is "latest".
func Tagged(image string) string {
	if image == "" || strings.ContainsAny(image[strings.LastIndexByte(image, '/')+1:], ":@") {
		return image
	}
	return image + ":latest"
}
