package forecast

import "github.com/setplan/setplan/engine/model"

// weigh is the work of looking at all that a pod has: any number of pods may share a long list or a long text, and who looks at each of them looks
// at all that each time.
func (c *cluster) weigh(p *model.Pod) int {
	weight := 1 + len(p.Owners) + len(p.Volumes) + len(p.OtherClaims) + 16*len(p.Gates) + c.shared.weigh(p.Annotations)
	if p.Containers != nil {
		weight += 4 * (len(p.Containers.Containers) + len(p.Containers.Init))
	}
	return weight
}

// lookAt is the work of looking at a pod a few times.
func (c *cluster) lookAt(p *model.Pod) {
	c.work(4)
	if p.Annotations != nil || len(p.Owners) > 2 || len(p.Volumes) > 2 || p.OtherClaims != nil || len(p.Gates) > 2 {
		c.work(4 * c.weigh(p))
	}
}
