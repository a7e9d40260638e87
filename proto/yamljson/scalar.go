package yamljson

import (
	"encoding/base64"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// booleans are the words of YAML 1.1 that the library takes for text and kubectl for true and false. It knows true and false
// itself.
var booleans = map[string]bool{
	"y": true, "Y": true, "yes": true, "Yes": true, "YES": true, "on": true, "On": true, "ON": true,
	"n": false, "N": false, "no": false, "No": false, "NO": false, "off": false, "Off": false, "OFF": false,
}

// plain tells that a scalar was written without quotes, as a word.
func plain(node *yaml.Node) bool { return node.Style == 0 }

func appendScalar(out []byte, node *yaml.Node) ([]byte, error) {
	switch tag := node.ShortTag(); tag {
	case "!!null":
		return append(out, "null"...), nil
	case "!!bool", "!!int", "!!float":
		if tag == "!!int" && isDecimal(node.Value) {
			return append(out, node.Value...), nil
		}
		if word, ok := booleans[node.Value]; ok && tag == "!!bool" {
			return appendJSON(out, word)
		}
		var value any
		if err := node.Decode(&value); err != nil {
			return nil, fmt.Errorf("line %d: %.64q is not a valid %s", node.Line, node.Value, tag[2:])
		}
		out, err := appendJSON(out, value)
		if err != nil {
			return nil, fmt.Errorf("line %d: JSON has no number like %.64q", node.Line, node.Value)
		}
		return out, nil
	case "!!binary":
		data, err := base64.StdEncoding.DecodeString(node.Value)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", node.Line, err)
		}
		return appendJSON(out, string(data))
	default:
		if word, ok := booleans[node.Value]; ok && plain(node) {
			return appendJSON(out, word)
		}
		return appendJSON(out, node.Value)
	}
}

// isDecimal reports whether a number is written as JSON writes it, as nearly all are: the library takes 500 bytes to read one.
func isDecimal(text string) bool {
	if len(text) > 18 || text == "" || (text[0] == '0' && text != "0") {
		return false
	}
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
