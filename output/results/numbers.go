//go:build !js

package results

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"unsafe"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
)

// buffer holds one column of the row group that is being filled.
type buffer interface {
	// take adds the column's field of n rows, which lie stride bytes apart.
	take(rows unsafe.Pointer, stride uintptr, n int)
	// repeat adds one value, given as text, n times.
	repeat(text string, n int) error
	// write writes what was taken, and forgets it.
	write(p *pages) error
	// forget empties it.
	forget()
}

// newValues makes the buffer of a column, whose field lies at an offset in its row.
func newBuffer(c column, at uintptr) buffer {
	if c.kind == reflect.String {
		return &texts{at: at}
	}
	n := &numbers{column: c, at: at, width: 8, isPlain: c.delta}
	if c.kind == reflect.Int32 {
		n.width = 4
	}
	return n
}

const (
	// triedEntries is the size up to which a dictionary is always tried; a larger one must have at
	// most one entry per worthRows rows.
	triedEntries, worthRows = 256, 4
	// mostNumbers and mostTexts bound dictionaries.
	mostNumbers, mostTexts = 1 << 11, 1 << 15
)

// gains reports whether a dictionary gains by another entry after so many rows.
func gains(entries, rows, most int) bool {
	return entries < triedEntries || entries*worthRows <= rows && entries < most
}

// numbers are the numbers of one column: as numbers of a dictionary, or as they are.
type numbers struct {
	column
	at      uintptr
	width   int // bytes of a number
	isPlain bool
	plain   []byte
	ids     []uint16
	last    uint64 // the bits of the last value, with its number in the dictionary
	lastID  uint16
	dict    numberDict
}

func (c *numbers) take(rows unsafe.Pointer, stride uintptr, n int) {
	first, i := unsafe.Add(rows, c.at), 0
	for i < n && !c.isPlain {
		if same := c.again(unsafe.Add(first, uintptr(i)*stride), stride, n-i); same > 0 {
			c.ids = appendSame(c.ids, c.lastID, same)
			i += same
			continue
		}
		c.add(c.bits(unsafe.Add(first, uintptr(i)*stride)))
		i++
	}
	c.takePlain(first, stride, i, n)
}

// again counts the numbers, of n at the beginning, that are as the last.
func (c *numbers) again(first unsafe.Pointer, stride uintptr, n int) (same int) {
	if len(c.ids) == 0 {
		return 0
	}
	if c.width == 4 {
		for same < n && uint64(*(*uint32)(unsafe.Add(first, uintptr(same)*stride))) == c.last {
			same++
		}
		return same
	}
	for same < n && *(*uint64)(unsafe.Add(first, uintptr(same)*stride)) == c.last {
		same++
	}
	return same
}

// bits are the bits of a number of a row.
func (c *numbers) bits(at unsafe.Pointer) uint64 {
	if c.width == 4 {
		return uint64(*(*uint32)(at))
	}
	return *(*uint64)(at)
}

// takePlain adds numbers from to n as they are.
func (c *numbers) takePlain(first unsafe.Pointer, stride uintptr, from, n int) {
	if from == n {
		return
	}
	c.plain = roomFor(c.plain, (n-from)*c.width, groupRows*c.width)
	to := c.plain[len(c.plain) : len(c.plain)+(n-from)*c.width]
	c.plain = c.plain[:len(c.plain)+len(to)]
	for i := from; i < n; i++ {
		at := unsafe.Add(first, uintptr(i)*stride)
		if c.width == 4 {
			binary.LittleEndian.PutUint32(to[(i-from)*4:], *(*uint32)(at))
		} else {
			binary.LittleEndian.PutUint64(to[(i-from)*8:], *(*uint64)(at))
		}
	}
}

func (c *numbers) repeat(text string, n int) error {
	var v uint64
	if c.kind == reflect.Float64 {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return err
		}
		v = math.Float64bits(f)
	} else {
		i, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return err
		}
		v = uint64(i)
	}
	for range n {
		c.add(v)
	}
	return nil
}

// add adds the bits of a value.
func (c *numbers) add(v uint64) {
	if c.isPlain {
		c.addPlain(v)
		return
	}
	if v != c.last || len(c.ids) == 0 {
		id, found := c.dict.find(v)
		if !found {
			if !gains(len(c.dict.values), len(c.ids), mostNumbers) {
				c.spread()
				c.addPlain(v)
				return
			}
			id = c.dict.add(v)
		}
		c.last, c.lastID = v, id
	}
	c.ids = appendSame(c.ids, c.lastID, 1)
}

func (c *numbers) addPlain(v uint64) {
	if c.width == 4 {
		c.plain = binary.LittleEndian.AppendUint32(c.plain, uint32(v))
		return
	}
	c.plain = binary.LittleEndian.AppendUint64(c.plain, v)
}

// spread writes the values out and leaves the dictionary.
func (c *numbers) spread() {
	c.plain = roomFor(c.plain, len(c.ids)*c.width, groupRows*c.width)
	for _, id := range c.ids {
		c.addPlain(c.dict.values[id])
	}
	c.ids, c.isPlain = c.ids[:0], true
	c.dict.clear()
}

func (c *numbers) write(p *pages) error {
	defer c.forget()
	if !c.isPlain {
		width := idBits(len(c.dict.values))
		if len(c.dict.values)*c.width+len(c.ids)*width/8+dictionaryCost >= len(c.ids)*c.width {
			c.spread()
		}
	}
	if err := c.checkSeeds(); err != nil {
		return err
	}
	p.bounds = c.bounds()
	switch {
	case c.delta:
		return c.writeDelta(p)
	case c.isPlain:
		return p.values(c.plain, len(c.plain)/c.width, parquet.Encodings.Plain)
	}
	for _, v := range c.dict.values {
		c.addPlain(v)
	}
	if err := p.dictionary(c.plain, len(c.dict.values)); err != nil {
		return err
	}
	return p.indices(c.ids, len(c.dict.values))
}

// dictionaryCost is about what the page of a dictionary costs beside its entries.
const dictionaryCost = 32

// writeDelta leaves the encoding to Arrow.
func (c *numbers) writeDelta(p *pages) error {
	props := p.out.of.props
	w := file.NewColumnChunkWriter(metadata.NewColumnChunkMetaDataBuilder(props, p.of), p, props)
	if err := c.writeTo(w); err != nil {
		return err
	}
	return w.Close()
}

func (c *numbers) writeTo(w file.ColumnChunkWriter) (err error) {
	switch w := w.(type) {
	case *file.Int64ColumnChunkWriter:
		all := make([]int64, 0, len(c.plain)/8)
		for at := 0; at < len(c.plain); at += 8 {
			all = append(all, int64(binary.LittleEndian.Uint64(c.plain[at:])))
		}
		_, err = w.WriteBatch(all, nil, nil)
	case *file.Int32ColumnChunkWriter:
		all := make([]int32, 0, len(c.plain)/4)
		for at := 0; at < len(c.plain); at += 4 {
			all = append(all, int32(binary.LittleEndian.Uint32(c.plain[at:])))
		}
		_, err = w.WriteBatch(all, nil, nil)
	default:
		err = fmt.Errorf("no delta encoding by %T", w)
	}
	return err
}

// forget makes room for the next row group.
func (c *numbers) forget() {
	c.plain, c.ids, c.isPlain = c.plain[:0], c.ids[:0], c.delta
	c.dict.clear()
}

// each calls f with the bits of every value, or every entry of the dictionary.
func (c *numbers) each(f func(v uint64)) {
	switch {
	case !c.isPlain:
		for _, v := range c.dict.values {
			f(v)
		}
	case c.width == 4:
		for at := 0; at < len(c.plain); at += 4 {
			f(uint64(binary.LittleEndian.Uint32(c.plain[at:])))
		}
	default:
		for at := 0; at < len(c.plain); at += 8 {
			f(binary.LittleEndian.Uint64(c.plain[at:]))
		}
	}
}

// checkSeeds refuses seeds that a signed integer does not hold.
func (c *numbers) checkSeeds() (err error) {
	if !c.column.signed {
		return nil
	}
	c.each(func(v uint64) {
		if int64(v) < -1 && err == nil {
			err = fmt.Errorf("a row has %d, expected at most %d", v, int64(maxSeed))
		}
	})
	return err
}
