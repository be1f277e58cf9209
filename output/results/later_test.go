package results

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// after is a table as this version reads it.
type after struct {
	Name  string  `col:"name"`
	Mean  float64 `col:"mean_s,later"`
	Seed  uint64  `col:"seed,signed"`
	Count int64   `col:"count,later"`
	Word  string  `col:"word,later"`
	From  uint64  `col:"from,later,signed"`
}

func (after) Table() string { return "turned" }

// TestEarlierFilesAreRead: a column that a file lacks is missing in every row, seeds may be
// unsigned, axes are passed over.
func TestEarlierFilesAreRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "turned.parquet")
	cols := []Column{{Name: "name", Text: []string{"x", "y"}}, {Name: "axis_load", Numbers: []float64{1, 2}}}
	if err := WriteColumns(ctx, Target{Path: path}, "turned", cols); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Read[after](ctx, path); err == nil || !strings.Contains(err.Error(),
		`column "seed" is missing, want uint64`) ||
		strings.Contains(err.Error(), "mean_s") || strings.Contains(err.Error(), "axis_load") {
		t.Errorf("a file without seeds gave %v", err)
	}
	path = filepath.Join(t.TempDir(), "turned.parquet")
	if err := WriteColumns(ctx, Target{Path: path}, "turned",
		[]Column{{Name: "name", Text: []string{"x"}}, {Name: "odd", Numbers: []float64{1}}}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Read[after](ctx, path); err == nil || !strings.Contains(err.Error(), `column "odd" is unknown`) {
		t.Errorf("an unknown column gave %v", err)
	}
	path = filepath.Join(t.TempDir(), "turned.parquet")
	writePlain(t, path, []unsigned{{"x", 7}, {"y", maxSeed}})
	rows, _, err := Read[after](ctx, path)
	if err != nil || len(rows) != 2 {
		t.Fatal(rows, err)
	}
	for i, r := range rows {
		if r.Name != []string{"x", "y"}[i] || r.Seed != []uint64{7, maxSeed}[i] || !math.IsNaN(r.Mean) ||
			r.Count != -1 || r.Word != "" || r.From != NoSeed {
			t.Errorf("row %d is %+v", i, r)
		}
	}
}

// unsigned is the table as an earlier version wrote it.
type unsigned struct {
	Name string `col:"name"`
	Seed uint64 `col:"seed"`
}

func (unsigned) Table() string { return "turned" }

func writePlain(t *testing.T, path string, rows []unsigned) {
	t.Helper()
	if err := Write(ctx, Target{Path: path}, rows); err != nil {
		t.Fatal(err)
	}
}

func TestSeedsThatTablesCannotHold(t *testing.T) {
	for seed, ok := range map[uint64]bool{0: true, maxSeed: true, NoSeed: true, maxSeed + 1: false, NoSeed - 1: false} {
		path := filepath.Join(t.TempDir(), "x.parquet")
		err := Write(ctx, Target{Path: path}, []Trial{{Keys: Keys{Seed: seed}}})
		if (err == nil) != ok {
			t.Errorf("seed %d: %v", seed, err)
		}
		if !ok {
			continue
		}
		if rows, _, err := Read[Trial](ctx, path); err != nil || rows[0].Seed != seed {
			t.Errorf("seed %d came back as %+v, %v", seed, rows, err)
		}
	}
}
