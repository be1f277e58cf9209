package results

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func scanBytes(data []byte) ([]wide, error) {
	var rows []wide
	s := scanner[wide]{ctx: ctx, each: func(r []wide) error { rows = append(rows, r...); return nil }}
	_, err := s.scan(bytes.NewReader(data), nil)
	return rows, err
}

func wholeFile(t testing.TB, n int) ([]byte, []wide) {
	path := filepath.Join(t.TempDir(), "wide.parquet")
	rows := randomRows[wide](n, 9)
	if err := Write(ctx, Target{Path: path, Meta: NewMeta("{}", "", "v1")}, rows); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data, rows
}

// A broken file is an error, never a panic.
func FuzzRead(f *testing.F) {
	data, _ := wholeFile(f, 20)
	f.Add(data)
	f.Add(data[:len(data)-5])
	f.Add([]byte("PAR1PAR1"))
	f.Add([]byte("PAR1\x00\x00\x00\x00PAR1"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		rows, err := scanBytes(data)
		if err == nil && len(rows) > 1<<24 {
			t.Errorf("%d rows of %d bytes", len(rows), len(data))
		}
	})
}

// Every cut and many flipped bytes: an error, or (in bytes that do not matter, or in
// the statistics) the same rows. The pages carry zstd's checksums.
func TestBrokenFiles(t *testing.T) {
	data, want := wholeFile(t, 300)
	for n := 0; n < len(data); n += 17 {
		if _, err := scanBytes(data[:n]); err == nil {
			t.Errorf("%d of %d bytes were read", n, len(data))
		}
	}
	r := rand.New(rand.NewPCG(5, 5))
	footer := len(data) - 8 - int(uint32(data[len(data)-8])|uint32(data[len(data)-7])<<8)
	for range 500 {
		broken := bytes.Clone(data)
		at := r.IntN(len(data))
		broken[at] ^= byte(1 + r.IntN(255))
		rows, err := scanBytes(broken)
		if err == nil && at < footer {
			same(t, rows, want)
		}
	}
}

func TestBrokenFileIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wide.parquet")
	for _, content := range []string{"", "PAR1", "not parquet at all", "PAR1 something PAR1"} {
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Read[wide](ctx, path); err == nil ||
			!strings.Contains(err.Error(), "read table wide from "+path) {
			t.Errorf("%q gave %v", content, err)
		}
	}
	missing := filepath.Join(t.TempDir(), "gone.parquet")
	if _, _, err := Read[wide](ctx, missing); err == nil || !strings.Contains(err.Error(), missing) {
		t.Errorf("a missing file gave %v", err)
	}
}
