package jobfile

import (
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/pierrec/lz4/v4"
)

// lz4Raw is the codec of blocks of LZ4, one for each page. Arrow v15 has a name for it and takes no
// decoder from outside.
const lz4Raw = "LZ4_RAW"

// lz4Pages are the pages of a column chunk in lz4Raw.
type lz4Pages struct {
	src      io.ReaderAt
	at, end  int64 // of what is left of the chunk in the file
	left     int64 // values that are to come
	header   pageHeader
	window   []byte
	page     file.Page
	err      error
	maxBytes int
}

// newLZ4Pages reads a column chunk.
func newLZ4Pages(src io.ReaderAt, chunk *metadata.ColumnChunkMetaData) (*lz4Pages, error) {
	at := chunk.DataPageOffset()
	if d := chunk.DictionaryPageOffset(); chunk.HasDictionaryPage() && d > 0 && d < at {
		at = d
	}
	size := chunk.TotalCompressedSize()
	if at < 0 || size < 0 || at+size < at {
		return nil, errDamaged
	}
	return &lz4Pages{src: src, at: at, end: at + size, left: chunk.NumValues(), maxBytes: 1 << 20}, nil
}

// SetMaxPageHeaderSize bounds the head of a page.
func (p *lz4Pages) SetMaxPageHeaderSize(n int) { p.maxBytes = n }

// Page gives the current page.
func (p *lz4Pages) Page() file.Page { return p.page }

// Err reports why there is no next page.
func (p *lz4Pages) Err() error { return p.err }

// Reset is not there: a reader is of one chunk.
func (p *lz4Pages) Reset(parquet.BufferedReader, int64, compress.Compression, *file.CryptoContext) {
	p.page, p.err = nil, errors.New("pages of LZ4_RAW are of one column chunk")
}

// Next goes to the next page.
func (p *lz4Pages) Next() bool {
	for p.page = nil; p.err == nil && p.page == nil && p.left > 0 && p.at < p.end; {
		p.page, p.err = p.read()
	}
	return p.err == nil && p.page != nil
}

// read reads a page; nil without an error is a page of another kind.
func (p *lz4Pages) read() (file.Page, error) {
	if err := p.head(); err != nil {
		return nil, err
	}
	h := &p.header
	size, stored := h[0][headLength], h[0][headStored]
	if size < 0 || stored < 0 || stored > p.end-p.at {
		return nil, errDamaged
	}
	if most := max(size, stored); most > MaxPage {
		return nil, tooLarge(most)
	}
	data := make([]byte, stored)
	if _, err := p.src.ReadAt(data, p.at); err != nil {
		return nil, fmt.Errorf("a page at byte %d: %w", p.at, err)
	}
	p.at += stored
	switch h[0][headType] {
	case pageTypeDictionary:
		d := &h[dictionaryPage]
		plain, err := unpacked(data, size, 0)
		if err != nil || wrong(d[1]) {
			return nil, errors.Join(errDamaged, err)
		}
		return file.NewDictionaryPage(plain, int32(d[1]), parquet.Encoding(d[2])), nil
	case pageTypeData:
		d := &h[dataPage]
		plain, err := unpacked(data, size, 0)
		if err != nil || wrong(d[v1Values]) {
			return nil, errors.Join(errDamaged, err)
		}
		p.left -= d[v1Values]
		return file.NewDataPageV1(plain, int32(d[v1Values]), parquet.Encoding(d[v1Encoding]),
			parquet.Encoding(d[v1Levels]), parquet.Encoding(d[v1Repeats]), int32(size)), nil
	case pageTypeData2:
		d := &h[dataPageV2]
		if wrong(d[v2Values], d[v2Nulls], d[v2Rows], d[v2Def], d[v2Rep]) || d[v2Def]+d[v2Rep] > min(stored, size) {
			return nil, errDamaged
		}
		head := d[v2Def] + d[v2Rep]
		if d[v2Packed] == 0 {
			head = stored
		}
		plain, err := unpacked(data, size, head)
		if err != nil {
			return nil, err
		}
		p.left -= d[v2Values]
		return file.NewDataPageV2(plain, int32(d[v2Values]), int32(d[v2Nulls]), int32(d[v2Rows]),
			parquet.Encoding(d[v2Encoding]), int32(d[v2Def]), int32(d[v2Rep]), int32(size), d[v2Packed] != 0), nil
	}
	return nil, nil
}

// wrong reports whether a number is none of a page.
func wrong(numbers ...int64) bool {
	for _, n := range numbers {
		if n < 0 || n > 1<<31-1 {
			return true
		}
	}
	return false
}

// head reads the head of the page at hand and goes behind it.
func (p *lz4Pages) head() error {
	for size := int64(512); ; size *= 4 {
		size = min(size, p.end-p.at, int64(p.maxBytes))
		if int64(len(p.window)) < size {
			p.window = make([]byte, size)
		}
		if _, err := p.src.ReadAt(p.window[:size], p.at); err != nil {
			return fmt.Errorf("the head of a page at byte %d: %w", p.at, err)
		}
		n, err := p.header.parse(p.window[:size])
		switch {
		case err == nil:
			p.at += int64(n)
			return nil
		case err != errShort || size == min(p.end-p.at, int64(p.maxBytes)):
			return errors.Join(errDamaged, err)
		}
	}
}

// unpacked gives so many bytes out of a page, of which the first head bytes are stored as they are.
func unpacked(data []byte, size, head int64) (*memory.Buffer, error) {
	out := make([]byte, size)
	if head > size {
		return nil, errDamaged
	}
	copy(out, data[:head])
	rest := data[head:]
	if len(rest) > 0 {
		n, err := lz4.UncompressBlock(rest, out[head:])
		if err != nil || int64(n) != size-head {
			return nil, errors.Join(errDamaged, err)
		}
	} else if head != size {
		return nil, errDamaged
	}
	return memory.NewBufferBytes(out), nil
}
