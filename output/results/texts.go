//go:build !js

package results

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"github.com/apache/arrow/go/v15/parquet"
)

// texts are the texts of one column: as numbers of a dictionary, or, each behind its length, as
// they are.
type texts struct {
	at      uintptr
	isPlain bool
	ids     []uint16
	dict    textDict
	last    string // the last text, with its number in the dictionary
	lastID  uint16
	bytes   int // what the texts of ids are as they are
	plain   []byte
	pages   []textPage // pages of plain that are full
	first   int        // where the page begins that is not
	held    int        // its texts
	lo, hi  string     // the bounds of plain, copies; any is true once there are some
	any     bool
}

// lengthBytes is the length before a text.
const lengthBytes = 4

// textPage is where a page of plain ends, and how many texts it has.
type textPage struct{ end, n int }

func (c *texts) take(rows unsafe.Pointer, stride uintptr, n int) {
	text := func(i int) string { return *(*string)(unsafe.Add(rows, uintptr(i)*stride+c.at)) }
	for i := 0; i < n; {
		same := 0
		for len(c.ids) > 0 && i+same < n && sameMemory(text(i+same), c.last) { // no ids: the texts are plain
			same++
		}
		if same > 0 {
			c.again(same)
			i += same
			continue
		}
		c.add(text(i))
		i++
	}
}

func (c *texts) repeat(text string, n int) error {
	for range n {
		c.add(text)
	}
	return nil
}

func (c *texts) add(s string) {
	switch {
	case c.isPlain:
		c.addPlain(s)
		return
	case len(c.ids) > 0 && s == c.last:
	default:
		id, found := c.dict.find(s)
		if !found {
			if !gains(len(c.dict.values), len(c.ids), mostTexts) || c.dict.bytes+lengthBytes+len(s) > pageBytes {
				c.spread()
				c.addPlain(s)
				return
			}
			id = c.dict.add(s)
		}
		c.last, c.lastID = s, id
	}
	c.again(1)
}

// again adds the last text n times.
func (c *texts) again(n int) {
	c.ids = appendSame(c.ids, c.lastID, n)
	c.bytes += n * (lengthBytes + len(c.last))
}

// sameMemory reports whether two strings are the same memory.
func sameMemory(a, b string) bool {
	return len(a) == len(b) && unsafe.StringData(a) == unsafe.StringData(b)
}

func (c *texts) addPlain(s string) {
	if !c.any || s < c.lo {
		c.lo = s
	}
	if !c.any || s > c.hi {
		c.hi = s
	}
	c.any = true
	c.plain = roomFor(c.plain, lengthBytes+len(s), pageBytes)
	c.plain = append(binary.LittleEndian.AppendUint32(c.plain, uint32(len(s))), s...)
	if c.held++; len(c.plain)-c.first >= pageBytes {
		c.pages = append(c.pages, textPage{len(c.plain), c.held})
		c.first, c.held = len(c.plain), 0
	}
}

// spread writes the texts out and leaves the dictionary.
func (c *texts) spread() {
	for _, id := range c.ids {
		c.addPlain(c.dict.values[id])
	}
	c.ids, c.isPlain = c.ids[:0], true
	c.dict.clear()
}

func (c *texts) write(p *pages) error {
	defer c.forget()
	if !c.isPlain && c.dict.bytes+len(c.ids)*idBits(len(c.dict.values))/8+dictionaryCost >= c.bytes {
		c.spread()
	}
	if c.isPlain {
		p.bounds = textBounds(c.lo, c.hi)
		return c.writePlain(p)
	}
	lo, hi := slices.Min(c.dict.values), slices.Max(c.dict.values)
	p.bounds = textBounds(lo, hi)
	for _, s := range c.dict.values {
		c.plain = append(binary.LittleEndian.AppendUint32(c.plain, uint32(len(s))), s...)
	}
	if err := p.dictionary(c.plain, len(c.dict.values)); err != nil {
		return err
	}
	return p.indices(c.ids, len(c.dict.values))
}

func (c *texts) writePlain(p *pages) error {
	if c.held > 0 {
		c.pages = append(c.pages, textPage{len(c.plain), c.held})
	}
	from := 0
	for _, page := range c.pages {
		if err := p.values(c.plain[from:page.end], page.n, parquet.Encodings.Plain); err != nil {
			return err
		}
		from = page.end
	}
	return nil
}

// forget makes room for the next row group, and keeps none of the caller's texts alive.
func (c *texts) forget() {
	c.dict.clear()
	*c = texts{at: c.at, ids: c.ids[:0], dict: c.dict, plain: c.plain[:0], pages: c.pages[:0]}
}
