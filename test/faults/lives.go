package faults

// Lives are the reference lives. Each has phases: what users do, after which the cluster comes to rest. Perturbations are applied to them
// at every point.
var Lives = map[string][][]string{
	"ordered, with claims": {
		{"set name=web replicas=3 claims=www"},
		{"edit web replicas=1"},
		{"edit web replicas=3"},
		{"delete web"},
	},
	"rolling update and back": {
		{"set name=web replicas=3"},
		{"edit web image=v2"},
		{"edit web image=v1"},
	},
	"canary": {
		{"set name=web replicas=3 partition=2 history=1"},
		{"edit web image=v2"},
		{"pod web-0 fail", "pod web-2 fail"},
		{"edit web partition=0"},
		{"edit web image=v3"},
	},
	"parallel, by two": {
		{"set name=web replicas=4 policy=Parallel maxUnavailable=2 claims=www,logs"},
		{"edit web image=v2"},
		{"edit web replicas=2"},
	},
	"claims go with pods and set": {
		{"set name=web replicas=3 claims=www retention=Delete/Delete"},
		{"edit web replicas=1"},
		{"edit web replicas=2"},
		{"edit web retention=Retain/Retain"},
		{"edit web replicas=0"},
		{"edit web retention=Delete/Retain"},
	},
	"OnDelete": {
		{"set name=web replicas=2 strategy=OnDelete"},
		{"edit web image=v2"},
		{"pod web-1 delete"},
		{"edit web strategy=RollingUpdate"},
	},
	"start ordinals": {
		{"set name=web replicas=2 start=2 claims=www retention=Retain/Delete"},
		{"edit web start=3"},
		{"edit web start=0"},
	},
	"min ready": {
		{"set name=web replicas=2 minReady=3"},
		{"edit web image=v2"},
		{"pod web-0 unready"},
	},
	"nil rollingUpdate": {
		{"set name=web replicas=3 strategy=nil"},
		{"edit web image=v2"},
		{"pod web-1 fail"},
	},
	"orphaned, and made again": {
		{"set name=web replicas=2 claims=www retention=Delete/Retain"},
		{"delete web orphan"},
		{"set name=web replicas=3 claims=www retention=Delete/Retain"},
		{"edit web image=v2"},
	},
	"confusable neighbours": {
		{"set name=web replicas=2 claims=www retention=Retain/Delete", "set name=web-1 replicas=2 claims=www policy=Parallel"},
		{"edit web replicas=1", "edit web-1 image=v2"},
		{"delete web"},
	},
	"a bad image, mended": {
		{"set name=web replicas=2 policy=Parallel"},
		{"edit web image=bad"},
		{"edit web image=v2"},
	},
	"a bad image in order, mended": {
		{"set name=web replicas=3 partition=1"},
		{"edit web image=bad"},
		{"clock +10s", "edit web image=v2"},
	},
	"images in place": {
		{"set name=web replicas=3", "annotate web setplan.io/in-place=InPlaceOnly"},
		{"edit web image=v2"},
		{"edit web image=same1 maxUnavailable=2"},
		{"edit web image=same2"},
		{"edit web image=bad"},
		{"edit web image=v1"},
	},
	"drained in order": {
		{"set name=web replicas=3 claims=www retention=Retain/Delete", "drain web image=completes"},
		{"edit web replicas=1"},
		{"edit web replicas=3"},
		{"drain web off"},
		{"edit web replicas=2"},
	},
	"drained side by side": {
		{"set name=web replicas=4 policy=Parallel claims=www,logs", "drain web image=completes maxParallel=2"},
		{"edit web replicas=1"},
		{"edit web replicas=2"},
		{"edit web start=2"},
	},
	"a drain that fails, and is called off": {
		{"set name=web replicas=2 claims=www", "drain web image=v1 scaleUp=Cancel"},
		{"edit web replicas=1"},
		{"pod web-1 fail", "clock +400s"},
		{"edit web replicas=2"},
	},
	"asked, drained, and back": {
		{"set name=web replicas=2 claims=www", "drain web image=completes ask=true"},
		{"edit web replicas=1"},
		{"pod web-1 answer"},
		{"edit web replicas=2"},
	},
	"left over": {
		{"set name=web replicas=3 claims=www"},
		{"edit web replicas=1"},
		{"drain web image=completes leftovers=true"},
	},
	"drained when deleted": {
		{"set name=web replicas=2 start=1 claims=www retention=Delete/Retain", "drain web image=completes onDelete=true"},
		{"delete web"},
		{"set name=web replicas=1 claims=www"},
	},
	"drained when deleted in the foreground": {
		{"set name=web replicas=3 claims=www", "drain web image=v1 onDelete=true"},
		{"delete web foreground"},
		{"drain web image=completes"},
	},
}
