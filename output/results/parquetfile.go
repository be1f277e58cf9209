//go:build !js

package results

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"reflect"
	"sync"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/schema"
	"github.com/klauspost/compress/zstd"
)

// pageBytes is the size of a page before compression; a window of that size loses nothing.
const pageBytes = 1 << 20

const magic = "PAR1"

// parquetFile lays out a Parquet file: pages (pages.go, numbers.go, texts.go) and footer
// (footer.go) are ours, delta encoding is Arrow's.
type parquetFile struct {
	out   *sink
	of    *shape
	words [][2]string
	pack  func(src []byte) []byte // gives the bytes of a page
	*scratch
}

// scratch is memory that one file after the other uses: a new encoder is a megabyte, which is more
// than most tables.
type scratch struct {
	zstd                [zstd.SpeedBestCompression + 1]*zstd.Encoder // by level; nil = not asked for
	buffer              *bufio.Writer
	header, packed, ids []byte // of one page
	pages               pages  // of one column
	footer              footer // of one file
	shapes              map[reflect.Type]*shape
}

// scratches keeps what no file uses now; what is written does not depend on it. It is the package's
// because files of one process have no common owner: a Batch has the files of one trial or cell,
// and 1.3 MB for each would be most of what a cell of few jobs asks for.
var scratches sync.Pool

func newScratch(to io.Writer) *scratch {
	if s, ok := scratches.Get().(*scratch); ok {
		s.buffer.Reset(to)
		return s
	}
	return &scratch{buffer: bufio.NewWriterSize(to, 1<<18)}
}

// leave hands the memory on; the file is over.
func (s *scratch) leave() {
	s.buffer.Reset(nil)
	s.pages = pages{}
	scratches.Put(s)
}

func newParquetFile(out *sink, work *scratch, of *shape, words [][2]string) (*parquetFile, error) {
	pack, err := work.encoder(of.codec)
	if err != nil {
		return nil, err
	}
	f := &parquetFile{out: out, of: of, words: append(words, [2]string{arrowSchemaKey, of.words}), pack: pack,
		scratch: work}
	work.footer = footer{compact: compact{b: work.footer.b[:0], last: work.footer.last[:0]}}
	_, err = out.Write([]byte(magic))
	return f, err
}

// fileSchema gives the Parquet schema and the encodings of cols.
func fileSchema(cols []column, codec Codec) (*schema.GroupNode, *parquet.WriterProperties, error) {
	props := []parquet.WriterProperty{
		parquet.WithCompression(codec.parquet()), parquet.WithDataPageVersion(parquet.DataPageV1),
		parquet.WithDataPageSize(pageBytes), parquet.WithDictionaryDefault(false),
		parquet.WithStats(false), parquet.WithCreatedBy("tarry"),
	}
	var fields schema.FieldList
	for _, c := range cols {
		n, err := c.node()
		if err != nil {
			return nil, nil, fmt.Errorf("column %q: %w", c.name, err)
		}
		fields = append(fields, n)
		if c.delta {
			props = append(props, parquet.WithEncodingFor(c.name, parquet.Encodings.DeltaBinaryPacked))
		}
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	return root, parquet.NewWriterProperties(props...), err
}

// group writes one row group of the columns.
func (f *parquetFile) group(rows int, cols []buffer, names []column) error {
	f.footer.begin(len(cols))
	for i, c := range cols {
		f.pages = pages{out: f, of: f.of.schema.Column(i)}
		if err := c.write(&f.pages); err != nil {
			return fmt.Errorf("column %q: %w", names[i].name, err)
		}
		f.footer.column(&f.pages, f.of.codec)
	}
	f.footer.end(rows)
	return f.out.err
}

// finish writes the footer.
func (f *parquetFile) finish() error {
	all := f.footer.appendTo(f.packed[:0], f.of.footer, f.of.schema.NumColumns(), f.words)
	f.packed = append(binary.LittleEndian.AppendUint32(all, uint32(len(all))), magic...)
	if _, err := f.out.Write(f.packed); err != nil {
		return err
	}
	return f.out.w.Flush()
}
