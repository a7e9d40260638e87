package engine

// actionID is derived from the action: the same write has the same id in the next plan. facts are what the operation says beyond the
// target, such as the revision that a pod is created from.
func actionID(a *Action, facts []string) string {
	hash := hashed(idOffset, a.UID)
	for _, fact := range facts {
		hash = hashed(hash, fact)
	}
	var text [idDigits]byte
	return a.Op.name() + "/" + a.Name + "/" + string(inBase36(&text, hash))
}

// The constants of FNV-1a with 64 bits. What hash/fnv makes is allocated for each action, and a plan has thousands.
const (
	idOffset = 14695981039346656037
	idPrime  = 1099511628211
	idDigits = 13 // of the largest hash
)

// hashed adds a text and a zero byte to a hash.
func hashed(hash uint64, text string) uint64 {
	for i := range len(text) {
		hash = (hash ^ uint64(text[i])) * idPrime
	}
	return hash * idPrime
}

// inBase36 writes a number as strconv.FormatUint does, which knows its base only when it runs, and so divides ten times as slowly.
func inBase36(text *[idDigits]byte, n uint64) []byte {
	at := len(text)
	for {
		at--
		text[at] = "0123456789abcdefghijklmnopqrstuvwxyz"[n%36]
		if n /= 36; n == 0 {
			return text[at:]
		}
	}
}
