package codec

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"
)

// The range of google.protobuf.Timestamp in milliseconds: the years 1 to 9999. A time outside it could not be sent back
// in a block.
const (
	minUnixMS = -62135596800000
	maxUnixMS = 253402300799999
)

// outsideYears is what is wrong with a time that cannot be sent back.
const outsideYears = "outside the years 1 to 9999"

func decodeObservedAt(r *report, t *timestamppb.Timestamp) time.Time {
	switch {
	case t == nil:
		r.add("snapshot.observed_at", "required")
	case t.CheckValid() != nil:
		r.add("snapshot.observed_at", outsideYears)
	default:
		return t.AsTime()
	}
	return time.Time{}
}

// inRange reports whether a time in milliseconds can be expressed as a timestamp.
func inRange(ms int64) bool { return ms >= minUnixMS && ms <= maxUnixMS }

// fromMS turns milliseconds since the epoch into a time; 0 is "not set" and becomes the zero time.
func fromMS(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// time decodes a time of a list's element.
func (e *element) time(field string, ms int64) time.Time {
	if !inRange(ms) {
		e.add(field, outsideYears)
	}
	return fromMS(ms)
}

// askedAt is when a deletion was asked for whose grace period ends at a time; zero if such a grace period cannot be.
func askedAt(ends time.Time, graceSeconds int64) time.Time {
	const most = 100 * 365 * 24 * 60 * 60
	if ends.IsZero() || graceSeconds < 0 || graceSeconds > most {
		return time.Time{}
	}
	return ends.Add(-time.Duration(graceSeconds) * time.Second)
}

// encodeTime leaves the zero time unset.
func encodeTime(t time.Time) *timestamppb.Timestamp {
	if t.IsZero() {
		return nil
	}
	return timestamppb.New(t)
}
