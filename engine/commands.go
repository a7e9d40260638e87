package engine

import "strings"

// kubectl is a command in a remedy, in backticks, to be run as it stands: a shell takes each word as one, whatever it holds. The
// namespace comes in where the plan takes the block, because few of the sentences know it.
func kubectl(words ...string) string {
	var b strings.Builder
	b.WriteString(commandBegins)
	for i, word := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(shellWord(word))
	}
	b.WriteByte('`')
	return b.String()
}

const commandBegins = "`kubectl "

// recreation has a pod recreated, within the budget.
func recreation(pod string) string {
	return kubectl("annotate", "pod", pod, annotationRecreate+"=true", "--overwrite")
}

// inNamespace gives the commands of a remedy their namespace.
func inNamespace(remedy, namespace string) string {
	return strings.ReplaceAll(remedy, commandBegins, commandBegins+"-n "+shellWord(namespace)+" ")
}

// shellWord quotes what a POSIX shell would take apart.
func shellWord(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_./:@%+,=-", r)
	}
	if text != "" && strings.TrimFunc(text, plain) == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
