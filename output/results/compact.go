//go:build !js

package results

import "encoding/binary"

// The types of fields in Thrift's compact protocol.
const (
	compactTrue   = 1
	compactFalse  = 2
	compactByte   = 3
	compactShort  = 4
	compactInt    = 5
	compactLong   = 6
	compactBytes  = 8
	compactList   = 9
	compactStruct = 12
)

// compact appends structures in Thrift's compact protocol: a field is a byte of the step from the
// last field's number and the type, then the value; whole numbers are in zigzag form, texts stand
// behind their length, and a structure ends with 0.
type compact struct {
	b    []byte
	last []byte // the last field of the structures that are open, the innermost at the end
}

// open begins a structure, close ends it.
func (c *compact) open() { c.last = append(c.last, 0) }

func (c *compact) close() {
	c.b = append(c.b, 0)
	c.last = c.last[:len(c.last)-1]
}

// field begins a field, of a number above the last one's.
func (c *compact) field(id, kind byte) {
	last := &c.last[len(c.last)-1]
	c.b = append(c.b, (id-*last)<<4|kind)
	*last = id
}

// number is a field of a whole number, of a type that is larger than a byte.
func (c *compact) number(id, kind byte, v int64) {
	c.field(id, kind)
	c.b = binary.AppendVarint(c.b, v)
}

// text is a field of bytes.
func (c *compact) text(id byte, v string) {
	c.field(id, compactBytes)
	c.item(v)
}

// item is bytes in a list.
func (c *compact) item(v string) {
	c.b = append(binary.AppendUvarint(c.b, uint64(len(v))), v...)
}

// list begins a field of n values, which follow.
func (c *compact) list(id, kind byte, n int) {
	const short = 15
	c.field(id, compactList)
	if n < short {
		c.b = append(c.b, byte(n)<<4|kind)
		return
	}
	c.b = binary.AppendUvarint(append(c.b, short<<4|kind), uint64(n))
}

// inside begins a field that is a structure; close ends it.
func (c *compact) inside(id byte) {
	c.field(id, compactStruct)
	c.open()
}
