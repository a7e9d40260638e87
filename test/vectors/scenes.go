package vectors

import "strings"

// brief takes what an API server fills in off the template of a set: many vectors are made of a scene.
const brief = `
{"template":{"spec":{"dnsPolicy":null,"restartPolicy":null,"schedulerName":null,"securityContext":null,"containers":[{"name":"nginx","image":"nginx:v1"}]}}}`

// Scenes are the ends of short stories, which vectors change in one way or another.
var scenes = map[string]string{
	"fresh":  told("set name=web replicas=1 claims=www"+brief, "plan web"),
	"steady": told("set name=web replicas=2 claims=www"+brief, "settle", "plan web"),
	"down":   told("set name=web replicas=2 claims=www"+brief, "settle", "edit web replicas=1", "plan web"),
	"down drained": told("set name=web replicas=2 claims=www"+brief, "drain web image=completes", "settle",
		"edit web replicas=1", "plan web"),
	"parallel drained": told("set name=web replicas=4 claims=www policy=Parallel"+brief, "drain web image=completes", "settle",
		"edit web replicas=1", "plan web"),
	"back in range": told("set name=web replicas=2 claims=www"+brief, "drain web image=v1", "settle", "edit web replicas=1", "settle",
		"edit web replicas=2", "plan web"),
	"drain pod succeeded": told("set name=web replicas=2 claims=www"+brief, "drain web image=v1", "settle", "edit web replicas=1", "settle",
		"pod web-1 succeed", "plan web"),
	"claims left over": told("set name=web replicas=2 claims=www"+brief, "settle", "edit web replicas=1", "settle",
		"drain web image=completes", "settle", "plan web"),
	"being deleted": told("set name=web replicas=2 claims=www"+brief, "drain web image=completes onDelete=true", "settle",
		"delete web", "plan web"),
	"mended template": told("set name=web replicas=2"+brief, "settle", "edit web image=bad", "settle", "edit web image=v2", "reconcile web",
		"plan web"),
}

// told is a story file without what comes of it.
func told(lines ...string) string { return strings.Join(lines, "\n----\n\n") + "\n----\n" }

// scene plays a scene.
func scene(name string) (*draft, error) { return last(name, name, scenes[name]) }
