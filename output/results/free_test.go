package results

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type freeRow struct {
	Series string  `col:"series"`
	X      float64 `col:"x"`
}

func (freeRow) Table() string { return "figure" }

// A file of free columns is one of Write with the same columns, byte for byte.
func TestWriteColumnsIsWrite(t *testing.T) {
	dir := t.TempDir()
	rows := []freeRow{{"dally", 1}, {"fifo", math.NaN()}, {"", -2.5}}
	meta := NewMeta("{}", "", "v")
	a, b := filepath.Join(dir, "a.parquet"), filepath.Join(dir, "b.parquet")
	if err := Write(context.Background(), Target{Path: a, Meta: meta}, rows); err != nil {
		t.Fatal(err)
	}
	cols := []Column{{Name: "series", Text: []string{"dally", "fifo", ""}},
		{Name: "x", Numbers: []float64{1, math.NaN(), -2.5}}}
	if err := WriteColumns(context.Background(), Target{Path: b, Meta: meta}, "figure", cols); err != nil {
		t.Fatal(err)
	}
	x, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := os.ReadFile(b)
	if err != nil || !bytes.Equal(x, y) {
		t.Errorf("%v; the files differ: %d and %d bytes", err, len(x), len(y))
	}
}

func TestWriteColumnsErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	for want, cols := range map[string][]Column{
		"no column": nil,
		`column "y" has 1 values, the others 2`: {{Name: "x", Numbers: []float64{1, 2}},
			{Name: "y", Text: []string{"a"}}},
		`column 2 is called "x", expected a name that no other column has`: {{Name: "x", Numbers: []float64{1}},
			{Name: "x", Numbers: []float64{1}}},
		`column "x" has texts and numbers, expected one of them`: {{Name: "x", Numbers: []float64{1},
			Text: []string{"a"}}},
	} {
		err := WriteColumns(context.Background(), Target{Path: path}, "figure", cols)
		if err == nil || !strings.HasSuffix(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), "results: write table figure to ") {
			t.Errorf("%v, want %s", err, want)
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("a file was left")
		}
	}
}
