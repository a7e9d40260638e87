package prose

import "strings"

// Kubectl is a command in a remedy, in backticks, to be run as it stands: a shell takes each word as one, whatever it holds. The
// namespace comes in where the plan takes the block, because few of the sentences know it.
func Kubectl(words ...string) string {
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

// InNamespace gives the commands of a remedy their namespace.
func InNamespace(remedy, namespace string) string {
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
