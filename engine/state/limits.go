package state

import "github.com/setplan/setplan/engine/podtemplate"

// LongestLabel is the limit of a label's value, and of each part of a name in DNS.
const LongestLabel = 63

// SafeName is the longest name of a set that leaves room for a dash and any hash or ordinal in a label.
const SafeName = LongestLabel - len("-") - podtemplate.LongestHash

// Limits of an object, in bytes: the names and values of its annotations, and, as etcd has it unless somebody has set another one, the object as a whole.
const (
	MostAnnotations = 256 << 10
	MostStored      = 3 << 19
)

// RoomForRecord is what the record of an update in place may need beside a pod's other annotations, in bytes.
const RoomForRecord = 4 << 10

// IsDNSLabel reports whether a host, a subdomain or a volume can have a name.
func IsDNSLabel(name string) bool {
	if name == "" || len(name) > LongestLabel || name[0] == '-' || name[len(name)-1] == '-' {
		return false
	}
	for _, c := range []byte(name) {
		if c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}
