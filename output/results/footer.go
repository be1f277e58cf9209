//go:build !js

package results

import (
	"unicode/utf8"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// A footer is Parquet's FileMetaData, byte for byte as Arrow v15 writes it, which builds a tree of
// pointers for each file and its schema anew. Field numbers are of parquet.thrift.

// footer gathers what the footer of a file states of its row groups.
type footer struct {
	compact
	groups int
	rows   int64 // of all groups

	start        int64 // of the group that is open
	packed, size int64 // its bytes in the file, and before compression
}

// schemaOf writes the beginning of all footers of a schema: the version of the format and the
// columns.
func schemaOf(root *schema.GroupNode) []byte {
	const version = 2
	var c compact
	c.open()
	c.number(1, compactInt, version)
	c.list(2, compactStruct, 1+root.NumFields())
	c.open()
	c.number(3, compactInt, int64(root.RepetitionType()))
	c.text(4, root.Name())
	c.number(5, compactInt, int64(root.NumFields()))
	c.close()
	for i := range root.NumFields() {
		c.element(root.Field(i).(*schema.PrimitiveNode))
	}
	return c.b
}

// element writes a column of the schema.
func (c *compact) element(n *schema.PrimitiveNode) {
	c.open()
	defer c.close()
	c.number(1, compactInt, int64(n.PhysicalType()))
	c.number(3, compactInt, int64(n.RepetitionType()))
	c.text(4, n.Name())
	if n.ConvertedType() != schema.ConvertedTypes.None {
		c.number(6, compactInt, int64(n.ConvertedType()))
	}
	switch l := n.LogicalType().(type) {
	case schema.StringLogicalType:
		c.inside(10)
		c.inside(1)
		c.close()
		c.close()
	case *schema.IntLogicalType:
		c.inside(10)
		c.inside(10)
		c.field(1, compactByte)
		c.b = append(c.b, byte(l.BitWidth()))
		signed := byte(compactFalse)
		if l.IsSigned() {
			signed = compactTrue
		}
		c.field(2, signed)
		c.close()
		c.close()
	}
}

// begin begins a row group of so many columns.
func (f *footer) begin(columns int) {
	f.start, f.packed, f.size = 0, 0, 0
	f.open()
	f.list(1, compactStruct, columns)
}

// end ends it.
func (f *footer) end(rows int) {
	f.number(2, compactLong, f.size)
	f.number(3, compactLong, int64(rows))
	f.number(5, compactLong, f.start)
	f.number(6, compactLong, f.packed)
	f.number(7, compactShort, int64(f.groups))
	f.close()
	f.rows += int64(rows)
	f.groups++
}

// column writes the column chunk that the pages are of.
func (f *footer) column(p *pages, codec Codec) {
	begin := p.dataAt
	if p.wordsAt > 0 {
		begin = p.wordsAt
	}
	if f.start == 0 {
		f.start = begin
	}
	f.packed += p.packed
	f.size += p.size
	f.open()
	f.number(2, compactLong, begin+p.packed)
	f.inside(3)
	f.number(1, compactInt, int64(p.of.PhysicalType()))
	encodings := []parquet.Encoding{p.encoding, parquet.Encodings.RLE}
	if p.wordsAt > 0 {
		encodings = []parquet.Encoding{parquet.Encodings.RLEDict, parquet.Encodings.Plain, parquet.Encodings.RLE}
	}
	f.list(2, compactInt, len(encodings))
	for _, e := range encodings {
		f.b = append(f.b, byte(e)<<1) // zigzag
	}
	f.list(3, compactBytes, 1)
	f.item(p.of.Name())
	f.number(4, compactInt, int64(codec.parquet()))
	f.number(5, compactLong, p.n)
	f.number(6, compactLong, p.size)
	f.number(7, compactLong, p.packed)
	f.number(9, compactLong, p.dataAt)
	if p.wordsAt > 0 {
		f.number(11, compactLong, p.wordsAt)
	}
	f.statistics(&p.bounds)
	f.pageCounts(p)
	f.close()
	f.close()
}

// statistics are the bounds of a column chunk, in the old form too where numbers are signed.
func (f *footer) statistics(s *metadata.EncodedStatistics) {
	f.inside(12)
	if s.HasMax && s.Signed {
		f.text(1, string(s.Max))
	}
	if s.HasMin && s.Signed {
		f.text(2, string(s.Min))
	}
	f.number(3, compactLong, s.NullCount)
	if s.HasMax {
		f.text(5, string(s.Max))
	}
	if s.HasMin {
		f.text(6, string(s.Min))
	}
	f.close()
}

// pageCounts are how many pages of which kind and encoding a column chunk has.
func (f *footer) pageCounts(p *pages) {
	count := func(kind int, e parquet.Encoding, n int) {
		f.open()
		f.number(1, compactInt, int64(kind))
		f.number(2, compactInt, int64(e))
		f.number(3, compactInt, int64(n))
		f.close()
	}
	if p.wordsAt == 0 {
		f.list(13, compactStruct, 1)
	} else {
		f.list(13, compactStruct, 2)
		count(dictionaryPage, parquet.Encodings.Plain, 1)
	}
	count(dataPage, p.encoding, p.pages)
}

// appendTo appends the footer of a file with columns as schemaOf states them, and words beside.
func (f *footer) appendTo(dst, columns []byte, count int, words [][2]string) []byte {
	c := compact{b: append(dst, columns...), last: []byte{2}}
	c.number(3, compactLong, f.rows)
	c.list(4, compactStruct, f.groups)
	c.b = append(c.b, f.b...)
	valid := func(w [2]string) bool { return utf8.ValidString(w[0]) && utf8.ValidString(w[1]) }
	n := 0
	for _, w := range words {
		if valid(w) {
			n++
		}
	}
	c.list(5, compactStruct, n)
	for _, w := range words {
		if valid(w) {
			c.open()
			c.text(1, w[0])
			c.text(2, w[1])
			c.close()
		}
	}
	c.text(6, "tarry")
	c.list(7, compactStruct, count)
	for range count { // all columns have the order that their type defines
		c.open()
		c.inside(1)
		c.close()
		c.close()
	}
	c.close()
	return c.b
}
