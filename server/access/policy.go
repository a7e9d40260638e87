package access

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Limits of one cluster, for all its identities together. Zero means no limit but the server's own.
type Limits struct {
	CallsPerSecond  float64 `yaml:"callsPerSecond"`  // on average; twice as many at once, at least one
	ConcurrentCalls Whole   `yaml:"concurrentCalls"` // calls that are open
	MaxPods         Whole   `yaml:"maxPods"`         // pods in one snapshot
}

// Whole is a number without a fraction. The YAML library would cut a fraction off, and 0.5 would become 0, which means no limit.
type Whole int

// UnmarshalYAML implements yaml.Unmarshaler. Helm writes a million as 1e+06.
func (w *Whole) UnmarshalYAML(node *yaml.Node) error {
	var value float64
	if err := node.Decode(&value); err != nil || value != math.Trunc(value) || math.Abs(value) > math.MaxInt32 {
		return fmt.Errorf("line %d: %q is not a whole number, or is too large", node.Line, node.Value)
	}
	*w = Whole(value)
	return nil
}

// Cluster is a caller of the planner, under any of its identities.
type Cluster struct {
	Name       string   `yaml:"name"`
	Identities []string `yaml:"identities"`
	Limits     Limits   `yaml:"limits"`

	use *use
}

// Policy says who is served. It does not change once it is in force.
type Policy struct {
	clusters []*Cluster
	byName   map[string]*Cluster // by identity
}

// The bounds of a policy. Each cluster costs time series and an account.
const (
	maxClusters   = 1000
	maxIdentities = 10_000
)

// Parse reads a policy: YAML or JSON with a list "clusters". Unknown fields and an identity that occurs twice are errors, because a mistake
// must not let anybody in. Errors name the field.
func Parse(text []byte) (*Policy, error) {
	var file struct {
		Clusters []*Cluster `yaml:"clusters"`
	}
	strict := yaml.NewDecoder(bytes.NewReader(text))
	strict.KnownFields(true)
	if err := strict.Decode(&file); err != nil && err != io.EOF { // an empty file has no clusters
		return nil, err
	}
	if err := strict.Decode(new(any)); err != io.EOF {
		return nil, errors.New("must be a single document")
	}
	p := &Policy{clusters: file.Clusters, byName: map[string]*Cluster{}}
	if len(p.clusters) == 0 || len(p.clusters) > maxClusters {
		return nil, fmt.Errorf("clusters: has %d entries, must have 1 to %d", len(p.clusters), maxClusters)
	}
	names := map[string]bool{}
	for i, c := range p.clusters {
		if c == nil {
			return nil, fmt.Errorf("clusters[%d]: is empty", i)
		}
		if err := c.check(); err != nil {
			return nil, fmt.Errorf("clusters[%d].%w", i, err)
		}
		if names[c.Name] {
			return nil, fmt.Errorf("clusters[%d].name: %q is used twice", i, c.Name)
		}
		names[c.Name] = true
		for j, identity := range c.Identities {
			if other := p.byName[identity]; other != nil {
				return nil, fmt.Errorf("clusters[%d].identities[%d]: %q is an identity of %q already", i, j, identity, other.Name)
			}
			p.byName[identity] = c
		}
		c.use = newUse(c.Limits)
	}
	if len(p.byName) > maxIdentities {
		return nil, fmt.Errorf("clusters: %d identities in total; the limit is %d", len(p.byName), maxIdentities)
	}
	return p, nil
}

var (
	clusterName = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$`)
	kinds       = []string{"URI=", "DNS=", "CN="} // of names in certificates
	account     = regexp.MustCompile(`^TOKEN=system:serviceaccount:[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?:[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$`)
)

func (c *Cluster) check() error {
	if !clusterName.MatchString(c.Name) {
		return fmt.Errorf("name: is %q, must be up to 63 lower case letters, digits, '-' and '.', and begin and end with a letter or digit", c.Name)
	}
	if len(c.Identities) == 0 {
		return fmt.Errorf("identities: cluster %q has none, so no caller could belong to it", c.Name)
	}
	for i, identity := range c.Identities {
		if account.MatchString(identity) {
			continue
		}
		kind := slices.IndexFunc(kinds, func(kind string) bool { return strings.HasPrefix(identity, kind) })
		if kind < 0 || identity == kinds[kind] {
			return fmt.Errorf("identities[%d]: is %q, must be URI=, DNS= or CN= followed by the name in the certificate, "+
				"or TOKEN=system:serviceaccount:NAMESPACE:NAME", i, identity)
		}
	}
	switch l := c.Limits; {
	case math.IsNaN(l.CallsPerSecond) || math.IsInf(l.CallsPerSecond, 0) || l.CallsPerSecond < 0:
		return fmt.Errorf("limits.callsPerSecond: is %v, must be 0 (no limit) or more", l.CallsPerSecond)
	case l.ConcurrentCalls < 0:
		return fmt.Errorf("limits.concurrentCalls: is %d, must be 0 (no limit) or more", l.ConcurrentCalls)
	case l.MaxPods < 0:
		return fmt.Errorf("limits.maxPods: is %d, must be 0 (no limit) or more", l.MaxPods)
	}
	return nil
}

// Clusters returns the names of all clusters.
func (p *Policy) Clusters() []string {
	names := make([]string, len(p.clusters))
	for i, c := range p.clusters {
		names[i] = c.Name
	}
	return names
}

// Of returns the cluster that has one of these identities; nil if none has, or if they belong to two clusters: whose limits hold would be
// a guess.
func (p *Policy) Of(identities []string) *Cluster {
	var found *Cluster
	for _, identity := range identities {
		switch c := p.byName[identity]; {
		case c == nil || c == found:
		case found != nil:
			return nil
		default:
			found = c
		}
	}
	return found
}
