package snapshot

import (
	"encoding/binary"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// ownersText writes each part after its length, because names and uids of owners may hold any character.
func ownersText(references []metav1.OwnerReference) string {
	var text []byte
	for i := range references {
		r := &references[i]
		for _, part := range [ownerParts]string{r.APIVersion, r.Kind, r.Name, string(r.UID), flag(r.Controller), flag(r.BlockOwnerDeletion)} {
			text = appendPart(text, part)
		}
	}
	return string(text)
}

func appendPart(text []byte, part string) []byte {
	return append(binary.AppendUvarint(text, uint64(len(part))), part...)
}

const ownerParts = 6

func ownerSet(text string) *setplanv1.OwnerSet {
	out := &setplanv1.OwnerSet{}
	for text != "" {
		var parts [ownerParts]string
		for i := range parts {
			parts[i], text = cutPart(text)
			parts[i] = strings.ToValidUTF8(parts[i], "\uFFFD") // as in JSON: no message can carry it
		}
		out.Owners = append(out.Owners, &setplanv1.OwnerReference{
			ApiVersion: parts[0], Kind: parts[1], Name: parts[2], Uid: parts[3],
			Controller: parts[4] == yes, BlockOwnerDeletion: parts[5] == yes,
		})
	}
	return out
}

// cutPart cuts off the first part that appendPart wrote.
func cutPart(text string) (part, rest string) {
	length, prefix := binary.Uvarint([]byte(text[:min(len(text), binary.MaxVarintLen64)]))
	end := prefix + int(length)
	return text[prefix:end], text[end:]
}

// yes is a true flag; a false one is empty.
const yes = "1"

func flag(b *bool) string {
	if b != nil && *b {
		return yes
	}
	return ""
}
