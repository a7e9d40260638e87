package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"sigs.k8s.io/yaml"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
)

// The values of --output.
const (
	outputWide = "wide"
	outputName = "name"
	outputJSON = "json"
	outputYAML = "yaml"
)

// machine reports whether the output is for programs.
func (o *options) machine() bool { return o.output == outputJSON || o.output == outputYAML }

// printName prints the name of a set that is not in the desired state, as kubectl prints names: without the namespace.
func (o *options) printName(kind kube.SetKind, key adapters.Key, converged bool) error {
	if converged {
		return nil
	}
	_, err := fmt.Fprintln(o.text(), strings.ToLower(kind.Kind)+"."+kind.Group+"/"+key.Name)
	return err
}

// onlyOne refuses several sets: a plan does not name its set, so they could not be told apart.
func onlyOne(keys []adapters.Key, output string) error {
	if len(keys) == 1 {
		return nil
	}
	return fmt.Errorf("-o %s prints the plan of one set; name one of: %s", output, list(keys))
}

// printMessage prints a message of the contract as JSON. protojson varies its white space on purpose, so it is formatted again: the same
// message gives the same text.
func (o *options) printMessage(message proto.Message) error {
	data, err := protojson.Marshal(message)
	if err != nil {
		return err
	}
	return o.printJSON(data)
}

// printValue prints one of our values.
func (o *options) printValue(value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return o.printJSON(data)
}

func (o *options) printJSON(data []byte) error {
	if o.output == outputYAML {
		text, err := yaml.JSONToYAML(data)
		if err != nil {
			return err
		}
		_, err = o.config.Streams.Out.Write(text)
		return err
	}
	text := &bytes.Buffer{}
	if err := json.Indent(text, data, "", "  "); err != nil {
		return err
	}
	text.WriteByte('\n')
	_, err := o.config.Streams.Out.Write(text.Bytes())
	return err
}
