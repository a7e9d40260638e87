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
func (out *draft) block(b Block) bool {
	n := &out.blocks[b.Code]
	if n.all++; n.all > maxBlocks {
		return false
	}
	n.last = len(out.plan.Blocks)
	out.plan.Blocks = append(out.plan.Blocks, b)
	out.meter.work(partReplicas, 8)
	return true
}

// enough tells whether the plan takes no more blocks of a code; omit then counts some that are not even made.
func (out *draft) enough(code BlockCode) bool { return out.blocks[code].all >= maxBlocks }

func (out *draft) omit(code BlockCode, n int) { out.blocks[code].all += n }

// sumUpBlocks says how many blocks the plan does not have.
func (out *draft) sumUpBlocks() {
	for i := range out.blocks {
		if n := &out.blocks[i]; n.all > maxBlocks {
			out.plan.Blocks[n.last].Message += " The same holds for " + moreOf(n.all-maxBlocks, "object") + " that the plan does not list."
		}
	}
}
