package results

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/apache/arrow/go/v15/parquet/schema"
	"github.com/klauspost/compress/zstd"
)

// pageBytes is the size of a page before compression; a window of that size loses nothing.
const pageBytes = 1 << 20

const magic = "PAR1"

// parquetFile lays out a Parquet file from Arrow's parts: pages, column chunks and
// footer. Arrow's own file writer makes a new zstd encoder, several MB, for every
// page; ours keeps one. For the same reason strings are not dictionary-encoded:
// only Arrow itself can compress a dictionary page, and zstd removes the repetition.
type parquetFile struct {
	out    *sink
	props  *parquet.WriterProperties
	meta   *metadata.FileMetaDataBuilder
	zstd   *zstd.Encoder
	groups int16
}

func newParquetFile(out *sink, cols []column, kv metadata.KeyValueMetadata) (*parquetFile, error) {
	root, props, err := fileSchema(cols)
	if err != nil {
		return nil, err
	}
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(pageBytes), zstd.WithZeroFrames(true))
	if err != nil {
		return nil, err
	}
	words, err := arrowSchema(cols)
	if err != nil {
		return nil, err
	}
	kv.Append(arrowSchemaKey, words)
	f := &parquetFile{out: out, props: props, zstd: z}
	f.meta = metadata.NewFileMetadataBuilder(schema.NewSchema(root), props, kv)
	_, err = out.Write([]byte(magic))
	return f, err
}

// fileSchema gives the Parquet schema and the encodings of cols.
func fileSchema(cols []column) (*schema.GroupNode, *parquet.WriterProperties, error) {
	props := []parquet.WriterProperty{
		parquet.WithCompression(compress.Codecs.Zstd), parquet.WithDataPageVersion(parquet.DataPageV1),
		parquet.WithDataPageSize(pageBytes), parquet.WithDictionaryDefault(false), parquet.WithCreatedBy("tarry"),
	}
	var fields schema.FieldList
	for _, c := range cols {
		n, err := c.node()
		if err != nil {
			return nil, nil, fmt.Errorf("column %q: %w", c.name, err)
		}
		fields = append(fields, n)
		if c.kind == reflect.String || c.kind == reflect.Float64 {
			// The encoder makes the bounds of these (stats.go).
			props = append(props, parquet.WithStatsFor(c.name, false))
		}
		if c.delta {
			props = append(props, parquet.WithEncodingFor(c.name, parquet.Encodings.DeltaBinaryPacked))
		}
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	return root, parquet.NewWriterProperties(props...), err
}

// group writes one row group; put writes the values of column i.
func (f *parquetFile) group(rows, cols int, put func(i int, w file.ColumnChunkWriter, chunk statistics) error) error {
	g := f.meta.AppendRowGroup()
	total := int64(0)
	for i := range cols {
		chunk := g.NextColumnChunk()
		plain, err := file.NewPageWriter(f.out, compress.Codecs.Uncompressed, 0, chunk, f.groups, int16(i), memory.DefaultAllocator, false, nil, nil)
		if err != nil {
			return err
		}
		w := file.NewColumnChunkWriter(chunk, zstdPages{plain, f.zstd}, f.props)
		if err := put(i, w, chunk); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		total += w.TotalBytesWritten()
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

// zstdPages compresses the data pages of a page writer that does not.
type zstdPages struct {
	file.PageWriter
	zstd *zstd.Encoder
}

func (p zstdPages) HasCompressor() bool { return true }

func (p zstdPages) Compress(buf *bytes.Buffer, src []byte) []byte {
	return p.zstd.EncodeAll(src, buf.AvailableBuffer())
}

// WriteDictionaryPage never happens: dictionaries are off.
func (p zstdPages) WriteDictionaryPage(*file.DictionaryPage) (int64, error) {
	return 0, fmt.Errorf("dictionary pages are not written")
}
