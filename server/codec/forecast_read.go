package codec

import (
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/setplan/setplan/engine/forecast"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// startField is ForecastRequest.start.
var startField = (&setplanv1.ForecastRequest{}).ProtoReflect().Descriptor().Fields().ByName("start").Number()

// maxForecastRest bounds what a request of a forecast has beside the request of its plan, in bytes: four times and a number.
const maxForecastRest = 1 << 10

// SplitForecast takes the bytes of ForecastRequest.start out of a request, so that they can be checked and read as those of any plan; start
// shares data if it comes in one part. rest has the other fields. The error is an *InvalidError, or ErrStopped.
func SplitForecast(data []byte, limits Limits) (start []byte, rest *setplanv1.ForecastRequest, err error) {
	malformed := invalid("request", "not a message of the contract")
	var others []byte
	starts, w := 0, waiting{stop: limits.Stop}
	for at := 0; at < len(data); {
		if w.over() {
			return nil, nil, ErrStopped
		}
		number, kind, n := protowire.ConsumeTag(data[at:])
		if n < 0 {
			return nil, nil, malformed
		}
		value := protowire.ConsumeFieldValue(number, kind, data[at+n:])
		if value < 0 {
			return nil, nil, malformed
		}
		end := at + n + value
		switch {
		case number == startField && kind == protowire.BytesType:
			inside, _ := protowire.ConsumeBytes(data[at+n:])
			switch starts++; starts { // by the rules of the encoding, the parts of a message are one
			case 1:
				start = inside
			case 2: // there is room for all parts, so that each is copied once
				start = append(make([]byte, 0, len(start)+len(data)-at), start...)
				fallthrough
			default:
				start = append(start, inside...)
			}
		case len(others)+end-at > maxForecastRest:
			return nil, nil, invalid("request", "has too many bytes outside start")
		default:
			others = append(others, data[at:end]...)
		}
		at = end
	}
	rest = &setplanv1.ForecastRequest{}
	if proto.Unmarshal(others, rest) != nil {
		return nil, nil, malformed
	}
	return start, rest, nil
}

// DecodeForecast reads what a request of a forecast asks for beside the plan. The error is an *InvalidError.
func DecodeForecast(request *setplanv1.ForecastRequest) (forecast.Options, error) {
	r := &report{}
	times := request.GetTimes()
	options := forecast.Options{MaxSteps: int(request.GetMaxSteps()), Hosts: forecast.Hosts{
		ReadyAfter:    duration(r, "times.ready_after", times.GetReadyAfter()),
		GoneAfter:     duration(r, "times.gone_after", times.GetGoneAfter()),
		DrainedAfter:  duration(r, "times.drained_after", times.GetDrainedAfter()),
		AnsweredAfter: duration(r, "times.answered_after", times.GetAnsweredAfter()),
	}}
	return options, r.err()
}

// longestWait is more than any pod takes, and keeps the clock of a forecast within the years that a message can name.
const longestWait = 30 * 24 * time.Hour

func duration(r *report, field string, d *durationpb.Duration) time.Duration {
	if d == nil {
		return 0
	}
	if d.CheckValid() != nil || d.AsDuration() > longestWait {
		r.add(field, "must be a duration of at most %s", longestWait)
		return 0
	}
	return d.AsDuration()
}

// InStart puts "start." before the paths of an error about the request that a forecast starts with.
func InStart(err error) error {
	return moved(err, func(path string) string { return "start." + path })
}
