package jobfile

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
)

// byteStreamSplit is the encoding that has the first bytes of all values, then the second ones,
// ...; Arrow v15 has a name for it, not a decoder.
const byteStreamSplit = "BYTE_STREAM_SPLIT"

// checked are the pages of a column as Arrow's decoders take them: pages in byteStreamSplit are
// made plain, and levels that are too few or runs of length 0, behind which those decoders would
// search for ever, are refused.
type checked struct {
	file.PageReader
	width  int  // bytes of a value in byteStreamSplit; 0 = it has none
	levels bool // pages begin with which values are NULL
	page   file.Page
	err    error
}

// openColumn reads a column in a row group.
func openColumn(src io.ReaderAt, group *file.RowGroupReader, at int, mem memory.Allocator) (file.ColumnChunkReader,
	error) {
	c := group.MetaData().Schema.Column(at)
	width := map[parquet.Type]int{parquet.Types.Int32: 4, parquet.Types.Float: 4, parquet.Types.Int64: 8,
		parquet.Types.Double:            8,
		parquet.Types.FixedLenByteArray: c.TypeLength()}[c.PhysicalType()]
	pages, err := columnPages(src, group, at)
	if err != nil {
		return nil, err
	}
	return file.NewColumnReader(c, &checked{PageReader: pages, width: width, levels: c.MaxDefinitionLevel() > 0}, mem,
		nil), nil
}

// columnPages gives the pages of a column in a row group.
func columnPages(src io.ReaderAt, group *file.RowGroupReader, at int) (file.PageReader, error) {
	chunk, err := group.MetaData().ColumnChunk(at)
	if err == nil && chunk.Compression().String() == lz4Raw {
		return newLZ4Pages(src, chunk)
	}
	return group.GetColumnPageReader(at)
}

// Next goes to the next page.
func (p *checked) Next() bool {
	p.page = nil
	if p.err != nil || !p.PageReader.Next() {
		return false
	}
	p.page, p.err = p.take(p.PageReader.Page())
	return p.err == nil
}

// Page gives the current page.
func (p *checked) Page() file.Page { return p.page }

// Err reports why there is no next page.
func (p *checked) Err() error { return errors.Join(p.err, p.PageReader.Err()) }

var errDamaged = errors.New("a page with levels or values that are none: the file is damaged")

// take checks a page, and gives it with its values one behind the other.
func (p *checked) take(page file.Page) (file.Page, error) {
	if page == nil {
		return nil, nil
	}
	data := page.Data()
	head, levels := 0, []byte(nil) // bytes before the values, and the bytes of which are NULL
	switch page := page.(type) {
	case *file.DataPageV1:
		if p.levels {
			if len(data) < 4 || page.DefinitionLevelEncoding() != parquet.Encodings.RLE {
				return nil, errDamaged
			}
			if head = 4 + int(binary.LittleEndian.Uint32(data)); head < 4 || head > len(data) {
				return nil, errDamaged
			}
			levels = data[4:head]
		}
	case *file.DataPageV2:
		d, r := int(page.DefinitionLevelByteLen()), int(page.RepetitionLevelByteLen())
		if head = d + r; d < 0 || r < 0 || head > len(data) {
			return nil, errDamaged
		}
		levels = data[r:head]
	default:
		return page, nil
	}
	if p.levels && runs(levels, 1) < int64(page.NumValues()) {
		return nil, errDamaged
	}
	switch encoding := parquet.Encoding(page.Encoding()).String(); encoding {
	case "RLE_DICTIONARY", "PLAIN_DICTIONARY":
		if values := data[head:]; len(values) > 0 && (values[0] > 32 || runs(values[1:], int(values[0])) < 0) {
			return nil, errDamaged
		}
	case "RLE":
		if values := data[head:]; len(values) > 0 && (len(values) < 4 || runs(values[4:], 1) < 0) {
			return nil, errDamaged
		}
	case byteStreamSplit:
		return p.join(page, head)
	}
	return page, nil
}

// runs counts what is coded in runs of repeated values, or of values of so many bits; -1 where a
// run has no value.
func runs(data []byte, bits int) (count int64) {
	for len(data) > 0 {
		run, n := binary.Uvarint(data)
		if n <= 0 || run < 2 || run > 1<<40 {
			return -1
		}
		size, values := uint64(bits+7)/8, run/2
		if run&1 == 1 { // groups of eight values
			size, values = run/2*uint64(bits), run/2*8
		}
		count += int64(values)
		data = data[n:]
		data = data[min(size, uint64(len(data))):] // some writers cut the last group
	}
	return count
}

// join gives a page with its values one behind the other.
func (p *checked) join(page file.Page, head int) (file.Page, error) {
	plain, err := p.values(page.Data(), head)
	if err != nil {
		return nil, err
	}
	if old, ok := page.(*file.DataPageV2); ok {
		return file.NewDataPageV2(plain, old.NumValues(), old.NumNulls(), old.NumRows(), parquet.Encodings.Plain,
			old.DefinitionLevelByteLen(), old.RepetitionLevelByteLen(), old.UncompressedSize(), old.IsCompressed()), nil
	}
	old, ok := page.(*file.DataPageV1)
	if !ok {
		return nil, errDamaged
	}
	return file.NewDataPageV1(plain, old.NumValues(), parquet.Encodings.Plain, old.DefinitionLevelEncoding(),
		old.RepetitionLevelEncoding(), old.UncompressedSize()), nil
}

// values copies a page and puts the bytes of each value behind its head together.
func (p *checked) values(data []byte, head int) (*memory.Buffer, error) {
	if p.width <= 0 || (len(data)-head)%p.width != 0 {
		return nil, errDamaged
	}
	out := make([]byte, len(data))
	copy(out, data[:head])
	n := (len(data) - head) / p.width
	for i := range n {
		for k := range p.width {
			out[head+i*p.width+k] = data[head+k*n+i]
		}
	}
	return memory.NewBufferBytes(out), nil
}
