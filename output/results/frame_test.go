package results

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"testing"
)

// A frame has every value of every row, in pieces of any size, and the columns that a file of the
// same rows has.
func TestFrameHasTheRows(t *testing.T) {
	frameOf[wide](t, 50)
	frameOf[Trial](t, 3)
	frameOf[Job](t, 20)
	frameOf[Eval](t, 0)
}

func frameOf[T Row](t *testing.T, n int) {
	t.Helper()
	rows := randomRows[T](n, 7)
	f, err := NewFrame(NewMeta(`{"policy":"é"}`, "abc", "v1"), rows)
	if err != nil {
		t.Fatal(err)
	}
	cols, err := columnsOf[T]()
	if err != nil || f.Rows != n || len(f.Columns) != len(cols) || f.Words[0] != [2]string{"tarry.table", f.Table} ||
		f.Words[1] != [2]string{"tarry.config", `{"policy":"é"}`} {
		t.Fatalf("%d rows, %d columns, metadata %q, error %v", f.Rows, len(f.Columns), f.Words, err)
	}
	for i, c := range cols {
		if f.Columns[i].Name != c.name || !slices.Equal(f.Columns[i].Words, c.pairs()) {
			t.Errorf("column %d is %+v, expected %+v", i, f.Columns[i], c)
		}
		for _, piece := range [][2]int{{0, n}, {n / 3, n}, {n / 2, n / 2}} {
			for k, v := range values(t, f, i, piece[0], piece[1]) {
				if want := reflect.ValueOf(rows[piece[0]+k]).FieldByIndex(c.index); !alike(v, want) {
					t.Errorf("table %s, column %q, row %d is %v, expected %v", f.Table, c.name, piece[0]+k, v, want)
				}
			}
		}
	}
}

// values reads a column in some rows back.
func values(t *testing.T, f *Frame, column, from, to int) []any {
	t.Helper()
	var out []any
	if c := f.Columns[column]; c.Width() > 0 {
		dst := make([]byte, c.Width()*(to-from))
		f.Numbers(column, from, to, dst)
		for b := range slices.Chunk(dst, c.Width()) {
			switch c.Kind {
			case reflect.Float64:
				out = append(out, math.Float64frombits(binary.NativeEndian.Uint64(b)))
			case reflect.Int32:
				out = append(out, int64(int32(binary.NativeEndian.Uint32(b))))
			default:
				out = append(out, int64(binary.NativeEndian.Uint64(b)))
			}
		}
		return out
	}
	begins, dst := make([]int32, to-from+1), make([]byte, f.TextBytes(column, from, to))
	if err := f.Texts(column, from, to, begins, dst); err != nil {
		t.Fatal(err)
	}
	for k := range to - from {
		out = append(out, string(dst[begins[k]:begins[k+1]]))
	}
	return out
}

// alike compares a value of a frame with the field of a row, numbers bit by bit.
func alike(v any, want reflect.Value) bool {
	switch v := v.(type) {
	case float64:
		return math.Float64bits(v) == math.Float64bits(want.Float())
	case int64:
		if want.Kind() == reflect.Uint64 {
			return uint64(v) == want.Uint()
		}
		return v == want.Int()
	}
	return v == want.String()
}
