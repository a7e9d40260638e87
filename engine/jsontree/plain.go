package jsontree

// eight reads eight bytes, the first one lowest.
func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

const (
	ones = 0x0101010101010101 // times a byte: that byte eight times
	tops = 0x80 * ones        // the highest bit of each byte
)

// special has the highest bit of each byte that does not stand for itself. Above the lowest such byte it may have others: a difference
// borrows from the next byte.
func special(bytes uint64) uint64 {
	quote, backslash := bytes^'"'*ones, bytes^'\\'*ones
	control := (bytes - ' '*ones) &^ bytes
	return (bytes | control | (quote-ones)&^quote | (backslash-ones)&^backslash) & tops
}
