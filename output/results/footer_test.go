package results

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v15/parquet/metadata"
)

// TestFooterAsArrow: a footer has the bytes that Arrow gives for what it states, whatever the
// columns, the codec and the number of row groups.
func TestFooterAsArrow(t *testing.T) {
	dir := t.TempDir()
	check := func(name string, write func(path string) error) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := write(path); err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		end := len(file) - len(magic) - 4
		footer := file[end-int(binary.LittleEndian.Uint32(file[end:])) : end]
		m, err := metadata.NewFileMetaData(footer, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var want bytes.Buffer
		if _, err := m.WriteTo(&want, nil); err != nil {
			t.Fatal(err)
		}
		if m.Size() != len(footer) || !bytes.Equal(footer, want.Bytes()) {
			t.Errorf("%s: %d bytes of footer, Arrow reads %d of them and writes %d", name, len(footer), m.Size(),
				want.Len())
		}
		for g, offset := 0, int64(len(magic)); g < len(m.RowGroups); g++ {
			group := m.RowGroups[g]
			if *group.FileOffset != offset {
				t.Errorf("%s: row group %d at %d, expected %d", name, g, *group.FileOffset, offset)
			}
			for _, c := range group.Columns {
				offset += c.MetaData.TotalCompressedSize
				if c.FileOffset != offset {
					t.Errorf("%s: a column ends at %d, expected %d", name, c.FileOffset, offset)
				}
			}
		}
	}
	for _, codec := range Codecs() {
		meta := Meta{Config: "{}", Version: "\xff", Codec: Codec(codec)} // what is no text is left out
		for n, rows := range map[string]int{"none": 0, "one": 1, "groups": 2*groupRows + 5} {
			check("shaped-"+n+"-"+codec, func(path string) error {
				return Write(ctx, Target{Path: path, Meta: meta}, shapedRows(rows))
			})
		}
	}
	check("delta", func(path string) error {
		return Write(ctx, Target{Path: path}, []Curve{{Update: 1, EnvSteps: 20}, {Update: 2, EnvSteps: 1 << 40}})
	})
	check("free", func(path string) error {
		return WriteColumns(ctx, Target{Path: path}, "f", []Column{{Name: "a", Text: []string{"", "x"}},
			{Name: "b", Numbers: []float64{1, 2}}})
	})
}
