package results

import (
	"bytes"
	"encoding/binary"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
)

// The types of pages in Parquet's headers.
const (
	dataPage       = 0
	dictionaryPage = 2
)

// pages writes the pages of one column chunk, compressed. It is a page writer of Arrow too, whose
// own makes an encoder of several MB for every page.
type pages struct {
	file.PageWriter // none: the methods that are not called
	out             *parquetFile
	chunk           *metadata.ColumnChunkMetaDataBuilder
	info            metadata.ChunkMetaInfo
	words, data     map[parquet.Encoding]int32 // pages by encoding: of dictionaries, of values
	closed          bool
}

func (f *parquetFile) newPages(chunk *metadata.ColumnChunkMetaDataBuilder) *pages {
	return &pages{out: f, chunk: chunk, info: metadata.ChunkMetaInfo{IndexPageOffset: -1},
		words: map[parquet.Encoding]int32{}, data: map[parquet.Encoding]int32{}}
}

// dictionary writes the page of a dictionary, before the pages of its numbers.
func (p *pages) dictionary(plain []byte, entries int) error {
	p.info.DictPageOffset = p.out.out.Tell()
	p.words[parquet.Encodings.Plain]++
	return p.page(dictionaryPage, len(plain), p.Compress(nil, plain), entries, parquet.Encodings.Plain)
}

// values writes a page of n values.
func (p *pages) values(body []byte, n int, e parquet.Encoding) error {
	return p.valuePage(len(body), p.Compress(nil, body), n, e)
}

func (p *pages) valuePage(size int, packed []byte, n int, e parquet.Encoding) error {
	if p.info.DataPageOffset == 0 {
		p.info.DataPageOffset = p.out.out.Tell()
	}
	p.data[e]++
	p.info.NumValues += int64(n)
	return p.page(dataPage, size, packed, n, e)
}

// indices writes a page of numbers of a dictionary: their width in bits, then the numbers.
func (p *pages) indices(ids []uint16, entries int) error {
	width := idBits(entries)
	p.out.ids = appendHybrid(append(p.out.ids[:0], byte(width)), ids, width)
	return p.values(p.out.ids, len(ids), parquet.Encodings.RLEDict)
}

// page writes the header of a page and what is in it.
func (p *pages) page(kind, size int, packed []byte, n int, e parquet.Encoding) error {
	header := pageHeader(p.out.header[:0], kind, size, len(packed), n, e)
	p.out.header = header
	p.info.UncompressedSize += int64(len(header) + size)
	p.info.CompressedSize += int64(len(header) + len(packed))
	if _, err := p.out.out.Write(header); err != nil {
		return err
	}
	_, err := p.out.out.Write(packed)
	return err
}

// pageHeader appends a PageHeader in Thrift's compact protocol: a byte of the step from the last
// field's number and the type, then the value; 5 is a number in zigzag form, 12 a structure, which
// ends with 0.
func pageHeader(dst []byte, kind, size, packed, n int, e parquet.Encoding) []byte {
	const number, structure = 5, 12
	put := func(v int) { dst = binary.AppendVarint(append(dst, 1<<4|number), int64(v)) }
	put(kind)   // 1
	put(size)   // 2
	put(packed) // 3
	if kind == dictionaryPage {
		dst = append(dst, 4<<4|structure) // 7: a dictionary
		put(n)
		put(int(e))
		return append(dst, 0, 0)
	}
	dst = append(dst, 2<<4|structure) // 5: values
	put(n)
	put(int(e))
	put(int(parquet.Encodings.RLE)) // of definition and repetition levels, of which there are none
	put(int(parquet.Encodings.RLE))
	return append(dst, 0, 0)
}

// HasCompressor reports to Arrow that pages are to be compressed.
func (p *pages) HasCompressor() bool { return p.out.codec.parquet() != compress.Codecs.Uncompressed }

// Compress gives what belongs into a page; what was given before may be overwritten.
func (p *pages) Compress(_ *bytes.Buffer, src []byte) []byte {
	return p.out.pack(src)
}

// WriteDataPage takes a page of Arrow's, which is compressed.
func (p *pages) WriteDataPage(d file.DataPage) (int64, error) {
	before := p.info.CompressedSize
	err := p.valuePage(int(d.UncompressedSize()), d.Data(), int(d.NumValues()), parquet.Encoding(d.Encoding()))
	return p.info.CompressedSize - before, err
}

// Close ends the column chunk; the second time it does nothing.
func (p *pages) Close(_, _ bool) error {
	if p.closed {
		return nil
	}
	p.closed = true
	return p.chunk.Finish(p.info, p.info.DictPageOffset > 0, false,
		metadata.EncodingStats{DictEncodingStats: p.words, DataEncodingStats: p.data}, nil)
}
