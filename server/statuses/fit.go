package statuses

import (
	"encoding/base64"
	"unicode/utf8"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
)

// A status travels in headers, and clients in some languages read no more than 8 KiB of headers: to them a longer refusal is
// a broken connection. The message counts twice: percent-encoded, which may triple it, and within the details.
const (
	// MaxTrailer is how long the headers of a refusal may be, in bytes.
	MaxTrailer = 8<<10 - TrailerFrame
	// TrailerFrame is for the names of the headers, the 32 bytes that HTTP/2 counts for each, and a request id.
	TrailerFrame = 512
	// MaxText bounds a message, and each text of a violation: whole lists are shortened before this matters.
	MaxText = 512
)

// fit shortens a status until it fits into a trailer. Violations are dropped from the end: the message has their number.
func fit(s *spb.Status) *spb.Status {
	s.Message = cut(s.Message)
	for trailerSize(s) > MaxTrailer {
		if !dropViolation(s) {
			s.Details = s.Details[:1] // the ErrorInfo, which is small
			break
		}
	}
	return s
}

// trailerSize is the size of the headers that gRPC makes of a status.
func trailerSize(s *spb.Status) int {
	return percentEncoded(s.GetMessage()) + base64.RawStdEncoding.EncodedLen(proto.Size(s))
}

func percentEncoded(text string) (size int) {
	for _, b := range []byte(text) {
		if size++; b < ' ' || b > '~' || b == '%' {
			size += 2
		}
	}
	return size
}

// dropViolation drops the last violation of a status that has more than one.
func dropViolation(s *spb.Status) bool {
	for i, detail := range s.GetDetails() {
		bad := &errdetails.BadRequest{}
		if !detail.MessageIs(bad) || detail.UnmarshalTo(bad) != nil || len(bad.GetFieldViolations()) < 2 {
			continue
		}
		bad.FieldViolations = bad.GetFieldViolations()[:len(bad.GetFieldViolations())-1]
		shorter, err := anypb.New(bad)
		if err != nil {
			return false
		}
		s.Details[i] = shorter
		return true
	}
	return false
}

// cut shortens a text without splitting a character.
func cut(text string) string {
	if len(text) <= MaxText {
		return text
	}
	end := MaxText
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "..."
}
