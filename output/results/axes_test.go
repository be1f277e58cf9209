package results

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/parquet/file"
)

func TestAxisColumns(t *testing.T) {
	for _, c := range []struct {
		values []string
		want   reflect.Kind
	}{
		{[]string{"1", "2", "-3"}, reflect.Int64}, {[]string{"0.5", "1", "1e3"}, reflect.Float64},
		{[]string{"1", "1.0"}, reflect.String},
		{[]string{"1", "fifo"}, reflect.String}, {[]string{"NaN", "1"}, reflect.String},
		{[]string{"inf"}, reflect.String}, {[]string{"0x10"}, reflect.String},
		{[]string{"1_000"}, reflect.String}, {[]string{"7", "07"}, reflect.String},
		{[]string{"18446744073709551615", "1"}, reflect.String},
		{[]string{"true", "false"}, reflect.String}, {[]string{"9007199254740993", "9007199254740992"},
			reflect.String}, {[]string{".5"}, reflect.Float64},
	} {
		if got := axisKind(c.values); got != c.want {
			t.Errorf("%q are %v, expected %v", c.values, got, c.want)
		}
	}
	var names []string
	for _, c := range axisColumns([]Axis{{Name: "load"}, {Name: "Load"}, {Name: "env.gamma"}, {Name: "env-gamma"},
		{Name: "env_gamma_2"}, {Name: "seed"}}) {
		names = append(names, c.name)
	}
	if got, want := strings.Join(names, " "), "axis_load axis_Load_2 axis_env_gamma axis_env_gamma_2 "+
		"axis_env_gamma_2_2 axis_seed"; got != want {
		t.Errorf("columns %s, expected %s", got, want)
	}
}

// Cells come in pieces of any size; the bytes depend on the rows alone, and every row has its
// cell's values.
func TestAxesAreWritten(t *testing.T) {
	axes := []Axis{{"load", []string{"0.5", "1"}}, {"policy", []string{"fifo", "dally"}},
		{"seed", []string{"1", "2", "3"}}}
	cells := [][]string{{"0.5", "fifo", "1"}, {"1", "dally", "2"}, {"1", "", "3"}}
	sizes := []int{groupRows + 10, 0, groupRows - 20 + 37}
	write := func(chunk int) string {
		path := filepath.Join(t.TempDir(), "wide.parquet")
		w, err := Create[wide](ctx, Target{Path: path, Axes: axes})
		if err != nil {
			t.Fatal(err)
		}
		for i, values := range cells {
			if err := w.At(values...); err != nil {
				t.Fatal(err)
			}
			for part := range slices.Chunk(make([]wide, sizes[i]), chunk) {
				if err := w.Append(part...); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return path
	}
	path := write(groupRows * 2)
	a, _ := os.ReadFile(path)
	if b, _ := os.ReadFile(write(777)); !bytes.Equal(a, b) {
		t.Error("appending other pieces moves bytes")
	}
	if rows, _, err := Read[wide](ctx, path); err != nil || len(rows) != sizes[0]+sizes[2] {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	in, err := file.OpenParquetFile(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var load []float64
	for g := range in.NumRowGroups() {
		col, err := in.RowGroup(g).Column(5)
		if err != nil {
			t.Fatal(err)
		}
		buf := make([]float64, in.RowGroup(g).NumRows())
		for n := 0; n < len(buf); {
			_, k, err := col.(*file.Float64ColumnChunkReader).ReadBatch(int64(len(buf)-n), buf[n:], nil, nil)
			if err != nil || k == 0 {
				t.Fatal(k, err)
			}
			n += k
		}
		load = append(load, buf...)
	}
	for i, v := range load {
		if want := map[bool]float64{true: 0.5, false: 1}[i < sizes[0]]; v != want {
			t.Fatalf("row %d has load %v, expected %v", i, v, want)
		}
	}
}

func TestAxesThatAreNotGiven(t *testing.T) {
	w, err := Create[wide](ctx, Target{Path: filepath.Join(t.TempDir(), "x"), Axes: []Axis{{"load", []string{"1"}}}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for want, values := range map[string][]string{"2 values of axes, expected 1": {"1", "2"},
		`column "axis_load" has "high"`: {"high"}} {
		if err := w.At(values...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gave %v", values, err)
		}
	}
	w.Append(wide{})
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), "without values of the axes") {
		t.Errorf("rows without values gave %v", err)
	}
}
