package engine

// maxBlocks bounds the blocks of one code. Thousands of pods that wait for the same thing are told as some of them and a
// number.
const maxBlocks = 1_000

// blockCount counts the blocks of one code.
type blockCount struct {
	all  int // more than the plan has, where there are too many
	last int // place of the last one that the plan has
}

// block adds a block to the plan, unless there are enough of its code. It tells whether it did.
func (d *decision) block(b Block) bool {
	n := &d.blocks[b.Code]
	if n.all++; n.all > maxBlocks {
		return false
	}
	n.last = len(d.plan.Blocks)
	d.plan.Blocks = append(d.plan.Blocks, b)
	d.work(partReplicas, 8)
	return true
}

// enough tells whether the plan takes no more blocks of a code; omit then counts some that are not even made.
func (d *decision) enough(code BlockCode) bool { return d.blocks[code].all >= maxBlocks }

func (d *decision) omit(code BlockCode, n int) { d.blocks[code].all += n }

// sumUpBlocks says how many blocks the plan does not have.
func (d *decision) sumUpBlocks() {
	for i := range d.blocks {
		if n := &d.blocks[i]; n.all > maxBlocks {
			d.plan.Blocks[n.last].Message += " The same holds for " + moreOf(n.all-maxBlocks, "object") + " that the plan does not list."
		}
	}
}
