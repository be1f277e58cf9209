package results

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestRow: rows that are filled in place give the bytes of rows that are appended, in a second file
// of the same memory, too; a closed and a failed writer give none.
func TestRow(t *testing.T) {
	dir := t.TempDir()
	rows := shapedRows(3*takenRows + 7)
	want := filepath.Join(dir, "appended.parquet")
	if err := Write(ctx, Target{Path: want}, rows); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		got := filepath.Join(dir, "filled.parquet")
		w, err := Create[shaped](ctx, Target{Path: got})
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			row, err := w.Row()
			if err != nil {
				t.Fatal(err)
			}
			if *row != (shaped{}) {
				t.Fatalf("row %d is not empty: %+v", i, *row)
			}
			*row = rows[i]
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if row, err := w.Row(); row != nil || err == nil {
			t.Errorf("a closed writer gives row %v, error %v", row, err)
		}
		a, errA := os.ReadFile(want)
		b, errB := os.ReadFile(got)
		if err := errors.Join(errA, errB); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%v, other bytes: %d and %d", err, len(a), len(b))
		}
	}
	w, err := Create[shaped](ctx, Target{Path: filepath.Join(dir, "given-up.parquet")})
	if err != nil {
		t.Fatal(err)
	}
	w.Abort()
	if row, err := w.Row(); row != nil || err == nil {
		t.Errorf("a writer that was given up gives row %v, error %v", row, err)
	}
}
