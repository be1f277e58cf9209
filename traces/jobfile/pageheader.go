package jobfile

import (
	"encoding/binary"
	"errors"
)

// pageHeader is what the head of a page states: parquet.thrift's PageHeader in Thrift's compact
// protocol. Numbers are by struct and field: an inner struct has the number of the field that holds
// it, the header has 0.
type pageHeader [9][9]int64

// The structs and fields that are read.
const (
	dataPage, dictionaryPage, dataPageV2                = 5, 7, 8
	headType, headLength, headStored                    = 1, 2, 3
	pageTypeData, pageTypeDictionary, pageTypeData2     = 0, 2, 3
	v1Values, v1Encoding, v1Levels, v1Repeats           = 1, 2, 3, 4
	v2Values, v2Nulls, v2Rows, v2Encoding, v2Def, v2Rep = 1, 2, 3, 4, 5, 6
	v2Packed                                            = 7
)

// errShort states that the bytes at hand end before the header.
var errShort = errors.New("a page header is cut off")

// parse reads a header and gives its length.
func (h *pageHeader) parse(data []byte) (int, error) {
	*h = pageHeader{}
	h[dataPageV2][v2Packed] = 1 // the default
	c := compact{data: data}
	c.fields(h, 0, 0)
	if c.err != nil {
		return 0, c.err
	}
	return len(data) - len(c.data), nil
}

// compact reads Thrift's compact protocol.
type compact struct {
	data []byte
	err  error
}

// The types of the protocol.
const (
	typeStop = iota
	typeTrue
	typeFalse
	typeByte
	typeI16
	typeI32
	typeI64
	typeDouble
	typeBinary
	typeList
	typeSet
	typeMap
	typeStruct
)

// deepest is how deep structs may stand in one another.
const deepest = 8

// fields reads a struct up to its end; numbers go to row at of h, nil = nowhere.
func (c *compact) fields(h *pageHeader, at, depth int) {
	if depth > deepest {
		c.err = errDamaged
	}
	id := int64(0)
	for c.err == nil {
		head := c.byte()
		kind := int(head & 15)
		if kind == typeStop {
			return
		}
		if delta := int64(head >> 4); delta > 0 {
			id += delta
		} else {
			id = c.signed()
		}
		keep := h != nil && id > 0 && id < int64(len(h))
		switch {
		case kind == typeStruct && keep && at == 0:
			c.fields(h, int(id), depth+1)
		case kind == typeStruct:
			c.fields(nil, 0, depth+1)
		case kind == typeTrue || kind == typeFalse:
			if keep {
				h[at][id] = int64(typeFalse - kind)
			}
		case kind >= typeI16 && kind <= typeI64:
			if v := c.signed(); keep {
				h[at][id] = v
			}
		case kind == typeByte:
			c.skip(1)
		case kind == typeDouble:
			c.skip(8)
		case kind == typeBinary:
			c.skip(c.unsigned())
		default: // lists, sets and maps are in no page header
			c.err = errDamaged
		}
	}
}

func (c *compact) byte() byte {
	if len(c.data) == 0 {
		c.fail(errShort)
		return 0
	}
	b := c.data[0]
	c.data = c.data[1:]
	return b
}

// unsigned reads a number of up to ten bytes.
func (c *compact) unsigned() uint64 {
	v, n := binary.Uvarint(c.data)
	switch {
	case n == 0:
		c.fail(errShort)
		return 0
	case n < 0:
		c.fail(errDamaged)
		return 0
	}
	c.data = c.data[n:]
	return v
}

func (c *compact) signed() int64 {
	v := c.unsigned()
	return int64(v>>1) ^ -int64(v&1)
}

func (c *compact) skip(n uint64) {
	if n > uint64(len(c.data)) {
		c.fail(errShort)
		return
	}
	c.data = c.data[n:]
}

func (c *compact) fail(err error) {
	if c.err == nil {
		c.err = err
	}
	c.data = nil
}
