package hostile

// Turns of loops and calls of functions are counted in a program in which this file is another: see counted.
const counting = false

func turnsSoFar() int { return 0 }
