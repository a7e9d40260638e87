package engine

import "strconv"

// plural is "1 pod", "2 pods".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// are is "1 pod is", "2 pods are".
func are(n int, what string) string {
	if n == 1 {
		return "1 " + what + " is"
	}
	return plural(n, what) + " are"
}

// moreOf is "1 more pod", "2 more pods".
func moreOf(n int, what string) string { return plural(n, "more "+what) }
