package engine

import "github.com/setplan/setplan/engine/jsontree"

// comparisons are what a pass has read of revisions, and the differences that it has looked at. Pods at the same revision share one.
type comparisons struct {
	of        map[[2]string]*difference // two revisions by name
	stored    map[string]*Revision
	templates map[string]*jsontree.Value   // of stored revisions; nil: one that cannot be read
	targets   map[string]*jsontree.Value   // templates of revisions that pods are updated to; nil: one that cannot be read
	images    map[string]map[string]string // of a revision by container; see imagesAt
	amounts   map[string]amounts           // what containers of a revision are to have
	bytes     int                          // of templates that have been read or compared
}

// mostCompared is how many bytes of templates a pass reads and compares in all. Pods at so many revisions, or at such long ones, that it takes more are treated
// as pods at a revision that is missing.
const mostCompared = 16 << 20

// begin finds the revisions, once.
func (c *comparisons) begin(v *view) {
	if c.of != nil {
		return
	}
	c.of, c.stored, c.templates, c.targets = map[[2]string]*difference{}, make(map[string]*Revision, len(v.revisions)), map[string]*jsontree.Value{}, map[string]*jsontree.Value{}
	c.images, c.amounts = map[string]map[string]string{}, map[string]amounts{}
	for _, r := range v.revisions {
		c.stored[r.Name] = r
	}
}

// takes reports whether so many more bytes may be read or compared.
func (c *comparisons) takes(bytes int) bool {
	c.bytes += bytes
	return c.bytes <= mostCompared
}

// templateStored is the template of a stored revision; ok is false if it is not there or cannot be read.
func (v *view) templateStored(revision string) (template jsontree.Value, ok bool) {
	c := &v.compared
	c.begin(v)
	read, known := c.templates[revision]
	if !known {
		if stored := c.stored[revision]; stored != nil && c.takes(len(stored.Data)) {
			if template, ok := templateOf(stored.Data); ok {
				read = &template
			}
		}
		c.templates[revision] = read
	}
	if read == nil {
		return jsontree.Value{}, false
	}
	return *read, true
}
