package hostile

// turned is how many turns of loops and calls of functions there were so far; nil in a program that does not count them. In
// one that does, this file is another: see counted.
var turned func() int

func turnsSoFar() int {
	if turned == nil {
		return 0
	}
	return turned()
}
