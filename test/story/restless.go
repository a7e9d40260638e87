package story

// restlessCommand: "restless gc", "restless kubelet gc", "restless none". From now on these act whenever they can: after every command,
// between a plan and its first write, and after every write of an adapter. No time passes meanwhile. Otherwise they act only on command,
// and between the rounds of "settle".
func (r *Runner) restlessCommand(c Command) {
	r.restless = nil
	for i := range max(1, len(c.Args)) {
		switch who := c.arg(i); who {
		case "none":
		case "kubelet", "gc":
			r.restless = append(r.restless, who)
		default:
			panic(usageError("nobody is called " + who))
		}
	}
}

// othersAct lets each of the restless take a step.
func (r *Runner) othersAct() {
	for _, who := range r.restless {
		if who == "gc" {
			r.world.CollectGarbage()
		} else {
			r.world.Kubelet()
		}
	}
}
