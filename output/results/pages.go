//go:build !js

package results

import (
	"bytes"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/apache/arrow/go/v15/parquet/schema"
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
	of              *schema.Column
	bounds          metadata.EncodedStatistics
	wordsAt, dataAt int64 // where the dictionary is, and the first page of values; 0 = there is none
	packed, size    int64 // bytes of all pages, and before compression
	n               int64 // values
	pages           int   // of values
	encoding        parquet.Encoding
}

// dictionary writes the page of a dictionary, before the pages of its numbers.
func (p *pages) dictionary(plain []byte, entries int) error {
	p.wordsAt = p.out.out.Tell()
	return p.page(dictionaryPage, len(plain), p.Compress(nil, plain), entries, parquet.Encodings.Plain)
}

// values writes a page of n values.
func (p *pages) values(body []byte, n int, e parquet.Encoding) error {
	return p.valuePage(len(body), p.Compress(nil, body), n, e)
}

func (p *pages) valuePage(size int, packed []byte, n int, e parquet.Encoding) error {
	if p.dataAt == 0 {
		p.dataAt = p.out.out.Tell()
	}
	p.encoding = e
	p.pages++
	p.n += int64(n)
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
	p.size += int64(len(header) + size)
	p.packed += int64(len(header) + len(packed))
	if _, err := p.out.out.Write(header); err != nil {
		return err
	}
	_, err := p.out.out.Write(packed)
	return err
}

// pageHeader appends a PageHeader.
func pageHeader(dst []byte, kind, size, packed, n int, e parquet.Encoding) []byte {
	var open [2]byte
	c := compact{b: dst, last: open[:0]}
	c.open()
	c.number(1, compactInt, int64(kind))
	c.number(2, compactInt, int64(size))
	c.number(3, compactInt, int64(packed))
	if kind == dictionaryPage {
		c.inside(7)
	} else {
		c.inside(5)
	}
	c.number(1, compactInt, int64(n))
	c.number(2, compactInt, int64(e))
	if kind != dictionaryPage { // the levels of definition and repetition, of which there are none
		c.number(3, compactInt, int64(parquet.Encodings.RLE))
		c.number(4, compactInt, int64(parquet.Encodings.RLE))
	}
	c.close()
	c.close()
	return c.b
}

// HasCompressor reports to Arrow that pages are to be compressed.
func (p *pages) HasCompressor() bool { return p.out.of.codec.parquet() != compress.Codecs.Uncompressed }

// Compress gives what belongs into a page; what was given before may be overwritten.
func (p *pages) Compress(_ *bytes.Buffer, src []byte) []byte {
	return p.out.pack(src)
}

// WriteDataPage takes a page of Arrow's, which is compressed.
func (p *pages) WriteDataPage(d file.DataPage) (int64, error) {
	before := p.packed
	err := p.valuePage(int(d.UncompressedSize()), d.Data(), int(d.NumValues()), parquet.Encoding(d.Encoding()))
	return p.packed - before, err
}

// Close is for Arrow: the footer takes what the pages are when the column is written.
func (p *pages) Close(_, _ bool) error { return nil }
