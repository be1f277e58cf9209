package results

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"reflect"
	"sync"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/apache/arrow/go/v15/parquet/schema"
	"github.com/klauspost/compress/zstd"
)

// pageBytes is the size of a page before compression; a window of that size loses nothing.
const pageBytes = 1 << 20

const magic = "PAR1"

// parquetFile lays out a Parquet file: the pages are ours (pages.go, numbers.go, texts.go), footer
// and delta encoding Arrow's.
type parquetFile struct {
	out    *sink
	props  *parquet.WriterProperties
	meta   *metadata.FileMetaDataBuilder
	groups int16
	codec  Codec
	pack   func(src []byte) []byte // gives the bytes of a page
	*scratch
}

// scratch is memory that one file after the other uses: a new encoder is a megabyte, which is more
// than most tables.
type scratch struct {
	zstd                [zstd.SpeedBestCompression + 1]*zstd.Encoder // by level; nil = not asked for
	buffer              *bufio.Writer
	header, packed, ids []byte // of one page
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
	scratches.Put(s)
}

func newParquetFile(out *sink, work *scratch, of *shape, kv metadata.KeyValueMetadata) (*parquetFile, error) {
	pack, err := work.encoder(of.codec)
	if err != nil {
		return nil, err
	}
	kv.Append(arrowSchemaKey, of.words)
	f := &parquetFile{out: out, props: of.props, codec: of.codec, pack: pack, scratch: work}
	f.meta = metadata.NewFileMetadataBuilder(of.schema, of.props, kv)
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
	g := f.meta.AppendRowGroup()
	total := int64(0)
	for i, c := range cols {
		p := f.newPages(g.NextColumnChunk())
		if err := c.write(p); err != nil {
			return fmt.Errorf("column %q: %w", names[i].name, err)
		}
		if err := p.Close(false, false); err != nil {
			return err
		}
		total += p.info.UncompressedSize
	}
	g.SetNumRows(rows)
	if err := g.Finish(total, f.groups); err != nil {
		return err
	}
	f.groups++
	return f.out.err
}

// finish writes the footer.
func (f *parquetFile) finish() error {
	m, err := f.meta.Finish()
	if err != nil {
		return err
	}
	n, err := m.WriteTo(f.out, nil)
	if err != nil {
		return err
	}
	tail := binary.LittleEndian.AppendUint32(nil, uint32(n))
	if _, err := f.out.Write(append(tail, magic...)); err != nil {
		return err
	}
	return f.out.w.Flush()
}
