package results

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
)

// Each codec writes what the reader reads back, and the file states which it is.
func TestCodecs(t *testing.T) {
	rows := randomRows[wide](groupRows+1000, 3)
	small := map[Codec]int{}
	for _, name := range Codecs() {
		t.Run(name, func(t *testing.T) {
			codec, err := ParseCodec(name)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "x.parquet")
			meta := NewMeta("{}", "", "v1")
			meta.Codec = codec
			if err := Write(ctx, Target{Path: path, Meta: meta}, rows); err != nil {
				t.Fatal(err)
			}
			got, read, err := Read[wide](ctx, path)
			if err != nil || read != meta {
				t.Fatalf("%v, %+v", err, read)
			}
			same(t, got, rows)
			small[codec] = checkCodec(t, path, codec.parquet())
			curves := filepath.Join(t.TempDir(), "curves.parquet") // has columns of Arrow's own encoding
			updates := randomRows[Curve](5000, 4)
			if err := Write(ctx, Target{Path: curves, Meta: meta}, updates); err != nil {
				t.Fatal(err)
			}
			again, _, err := Read[Curve](ctx, curves)
			if err != nil {
				t.Fatal(err)
			}
			same(t, again, updates)
			checkCodec(t, curves, codec.parquet())
		})
	}
	if small["none"] <= small["snappy"] || small["none"] <= small[""] {
		t.Errorf("bytes of pages by codec: %v", small)
	}
}

// checkCodec wants one codec in all columns of a file, and gives the bytes of their pages.
func checkCodec(t *testing.T, path string, want compress.Compression) (bytes int) {
	t.Helper()
	in, err := file.OpenParquetFile(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	for g := range in.NumRowGroups() {
		for i := range in.MetaData().Schema.NumColumns() {
			c, err := in.MetaData().RowGroup(g).ColumnChunk(i)
			if err != nil {
				t.Fatal(err)
			}
			if c.Compression() != want {
				t.Errorf("row group %d, column %d has %v, expected %v", g, i, c.Compression(), want)
			}
			if want == compress.Codecs.Uncompressed && c.TotalCompressedSize() != c.TotalUncompressedSize() {
				t.Errorf("row group %d, column %d has %d bytes for %d", g, i, c.TotalCompressedSize(),
					c.TotalUncompressedSize())
			}
			bytes += int(c.TotalCompressedSize())
		}
	}
	return bytes
}

func TestParseCodec(t *testing.T) {
	for _, text := range []string{"", "zstd"} {
		if c, err := ParseCodec(text); c != "" || err != nil {
			t.Errorf("%q is %q, %v", text, c, err)
		}
	}
	const want = `Parquet codec is "snapy", expected one of zstd, zstd:3, zstd:7, zstd:11, snappy, none; did you mean "snappy"?`
	if _, err := ParseCodec("snapy"); err == nil || err.Error() != want {
		t.Errorf("error %v, expected %s", err, want)
	}
	path := filepath.Join(t.TempDir(), "x.parquet")
	if err := Write(ctx, Target{Path: path, Meta: Meta{Codec: "gzip"}}, []wide{{}}); err == nil ||
		!strings.Contains(err.Error(), `Parquet codec is "gzip"`) {
		t.Errorf("error %v", err)
	}
	if err := WriteColumns(ctx, Target{Path: path, Meta: Meta{Codec: "gzip"}}, "x",
		[]Column{{Name: "a", Text: []string{"b"}}}); err == nil ||
		!strings.Contains(err.Error(), `Parquet codec is "gzip"`) {
		t.Errorf("error %v", err)
	}
}

// The default is named nowhere, so that its files are as before.
func TestDefaultCodecIsNotStated(t *testing.T) {
	m := NewMeta("{}", "", "")
	if slices.ContainsFunc(m.stated(), func(e metaEntry) bool { return e.key == codecKey }) {
		t.Error("the metadata name the default codec")
	}
}
