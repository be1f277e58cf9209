package results

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

var ctx = context.Background()

// randomRows fills every field with values that encodings get wrong: extremes,
// NaN, negative zero, empty and non-ASCII texts.
func randomRows[T Row](n int, seed uint64) []T {
	r := rand.New(rand.NewPCG(seed, 1))
	floats := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.MaxFloat64, math.SmallestNonzeroFloat64,
		1.0 / 3}
	texts := []string{"", "résumé, \"x\"\n", "a", strings.Repeat("long ", 40), "\x00", "日本"}
	ints := []int64{0, -1, 1, math.MaxInt64, math.MinInt64}
	rows := make([]T, n)
	cols, err := columnsOf[T]()
	if err != nil {
		panic(err)
	}
	for i := range rows {
		v := reflect.ValueOf(&rows[i]).Elem()
		for _, c := range cols {
			switch f := v.FieldByIndex(c.index); c.kind {
			case reflect.Float64:
				f.SetFloat(floats[r.IntN(len(floats))] * r.Float64())
			case reflect.String:
				f.SetString(texts[r.IntN(len(texts))])
			case reflect.Uint64:
				v := uint64(ints[r.IntN(len(ints))])
				if c.signed && v != NoSeed { // seeds end at maxSeed
					v &= maxSeed
				}
				f.SetUint(v)
			case reflect.Int32:
				f.SetInt(int64(int32(ints[r.IntN(len(ints))])))
			default:
				f.SetInt(ints[r.IntN(len(ints))])
			}
		}
	}
	return rows
}

// same compares rows bit by bit: NaN equals NaN, 0 differs from -0.
func same[T Row](t *testing.T, got, want []T) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	cols, err := columnsOf[T]()
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		g, w := reflect.ValueOf(got[i]), reflect.ValueOf(want[i])
		for _, c := range cols {
			a, b := g.FieldByIndex(c.index), w.FieldByIndex(c.index)
			equal := a.Equal(b)
			if c.kind == reflect.Float64 {
				equal = math.Float64bits(a.Float()) == math.Float64bits(b.Float()) || math.IsNaN(a.Float()) &&
					math.IsNaN(b.Float())
			}
			if !equal {
				t.Fatalf("row %d, %s = %v, want %v", i, c.name, a, b)
			}
		}
	}
}

type wide struct {
	A int32   `col:"a,delta"`
	B uint64  `col:"b,delta"`
	C string  `col:"c"`
	D float64 `col:"d"`
	E int64   `col:"e"`
}

func (wide) Table() string { return "wide" }

func roundTrip[T Row](t *testing.T, n int) {
	t.Helper()
	rows := randomRows[T](n, uint64(n))
	path := filepath.Join(t.TempDir(), "sub", "x.parquet")
	meta := NewMeta(`{"policy":"é"}`, "abc", "v0.1.0")
	if err := Write(ctx, Target{Path: path, Meta: meta}, rows); err != nil {
		t.Fatal(err)
	}
	got, gotMeta, err := Read[T](ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, rows)
	if gotMeta != meta {
		t.Errorf("metadata %+v, want %+v", gotMeta, meta)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 1000} {
		roundTrip[Trial](t, n)
		roundTrip[Eval](t, n)
		roundTrip[Job](t, n)
		roundTrip[Interval](t, n)
		roundTrip[Sample](t, n)
		roundTrip[Curve](t, n)
		roundTrip[Timing](t, n)
	}
	for _, n := range []int{batchRows, groupRows - 1, groupRows, groupRows + 1, 2*groupRows + 5} {
		roundTrip[wide](t, n)
	}
}

// However the rows come to the writer, the bytes equal one Write's.
func TestSameRowsSameBytes(t *testing.T) {
	dir := t.TempDir()
	rows := randomRows[wide](groupRows+1000, 3)
	write := func(name string, chunk int) []byte {
		path := filepath.Join(dir, name)
		w, err := Create[wide](ctx, Target{Path: path, Meta: NewMeta("{}", "", "v1")})
		if err != nil {
			t.Fatal(err)
		}
		for part := range slices.Chunk(rows, chunk) {
			if err := w.Append(slices.Clone(part)...); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	want := write("all", len(rows))
	for _, chunk := range []int{1000, 777, groupRows - 1} {
		if !bytes.Equal(write("parts", chunk), want) {
			t.Errorf("appending %d rows at a time moves bytes", chunk)
		}
	}
}

// Workers finish in any order; sorting by the keys brings the same bytes.
func TestWorkersDoNotMoveBytes(t *testing.T) {
	var first []byte
	for _, workers := range []int{1, 8} {
		var mu sync.Mutex
		var wg sync.WaitGroup
		var rows []Trial
		todo := make(chan uint64)
		for range workers {
			wg.Go(func() {
				for seed := range todo {
					row := randomRows[Trial](1, seed)[0]
					row.Keys = Keys{Experiment: "e", Policy: []string{"fifo", "dally"}[seed%2], Seed: seed / 4,
						Replicate: int64(seed / 2 % 2)}
					mu.Lock()
					rows = append(rows, row)
					mu.Unlock()
				}
			})
		}
		for seed := range uint64(200) {
			todo <- seed
		}
		close(todo)
		wg.Wait()
		slices.SortFunc(rows, func(a, b Trial) int { return a.Keys.Compare(b.Keys) })
		path := filepath.Join(t.TempDir(), "trials.parquet")
		if err := Write(ctx, Target{Path: path}, rows); err != nil {
			t.Fatal(err)
		}
		b, _ := os.ReadFile(path)
		if first == nil {
			first = b
		}
		if !bytes.Equal(b, first) {
			t.Errorf("%d workers move bytes", workers)
		}
	}
}

func TestKeysCompare(t *testing.T) {
	base := Keys{"e", "i", "p", "t", "c", "s", "l", 1, 1}
	for i := range reflect.TypeFor[Keys]().NumField() {
		more := base
		f := reflect.ValueOf(&more).Elem().Field(i)
		switch f.Kind() {
		case reflect.String:
			f.SetString("z")
		case reflect.Uint64:
			f.SetUint(9)
		default:
			f.SetInt(9)
		}
		if base.Compare(more) != -1 || more.Compare(base) != 1 || more.Compare(more) != 0 {
			t.Errorf("field %d does not order keys", i)
		}
	}
}

type noTag struct{ A int64 }
type twice struct {
	A int64 `col:"a"`
	B int64 `col:"a"`
}
type badKind struct {
	A []int   `col:"a"`
	B float64 `col:"b,delta"`
	C int64   `col:"c,zip"`
	d int64   `col:"d"`
}

func (noTag) Table() string   { return "noTag" }
func (twice) Table() string   { return "twice" }
func (badKind) Table() string { return "badKind" }

func TestBadRowStructs(t *testing.T) {
	check := func(err error, want ...string) {
		t.Helper()
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("error %v does not say %q", err, w)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "x")
	check(Write(ctx, Target{Path: path}, []noTag{{}}), "noTag.A", "no tag")
	check(Write(ctx, Target{Path: path}, []twice{{}}), `column "a" twice`)
	check(Write(ctx, Target{Path: path}, []badKind{{d: 1}}), "badKind.A: type []int", "delta encoding of float64",
		`tag option "zip"`, "badKind.d: not exported")
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was left")
	}
}

type otherWide struct {
	A string  `col:"a"`
	B int64   `col:"b"`
	C string  `col:"c"`
	X float64 `col:"x"`
}

func (otherWide) Table() string { return "wide" }

func TestMismatchIsReportedByColumn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wide.parquet")
	if err := Write(ctx, Target{Path: path}, randomRows[wide](3, 1)); err != nil {
		t.Fatal(err)
	}
	_, _, err := Read[otherWide](ctx, path)
	for _, want := range []string{
		"read table wide from " + path, `column "a" has type INT32, want string`,
		`column "b" is Int(bitWidth=64, isSigned=false), want int64`,
		`column "x" is missing, want float64`, `column "d" is unknown`, `column "e" is unknown`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v\ndoes not say %q", err, want)
		}
	}
}

func TestScanStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wide.parquet")
	if err := Write(ctx, Target{Path: path}, randomRows[wide](3*batchRows, 1)); err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	n := 0
	_, err := Scan(ctx, path, func(rows []wide) error { n += len(rows); return enough })
	if err != enough || n != batchRows {
		t.Errorf("scan gave %v after %d rows, want its own error after %d", err, n, batchRows)
	}
	cut, cancel := context.WithCancel(ctx)
	_, err = Scan(cut, path, func([]wide) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled scan gave %v", err)
	}
	defer func() {
		if r := recover(); r != "mine" {
			t.Errorf("the caller's panic became %v", r)
		}
	}()
	Scan(ctx, path, func([]wide) error { panic("mine") })
}

func TestGPUList(t *testing.T) {
	for _, c := range []struct {
		gpus []int32
		text string
	}{
		{nil, ""}, {[]int32{3}, "3"}, {[]int32{0, 1, 2, 3, 4, 5, 6, 7, 12}, "0-7,12"}, {[]int32{1, 3, 5, 6}, "1,3,5-6"},
	} {
		if g := FormatGPUs(c.gpus); g != c.text {
			t.Errorf("FormatGPUs(%v) = %q, want %q", c.gpus, g, c.text)
		}
		if g, err := ParseGPUs[int32](c.text); err != nil || !slices.Equal(g, c.gpus) {
			t.Errorf("ParseGPUs(%q) = %v, %v", c.text, g, err)
		}
	}
	for _, bad := range []string{"a", "1-", "-1", "3-1", "1,1", "2,1", "1,,2", "0-99999999", "1-2-3", " 1"} {
		if g, err := ParseGPUs[int32](bad); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("ParseGPUs(%q) = %v, %v; want an error that names it", bad, g, err)
		}
	}
}

// TestScanTargetBounds: a file with more rows than are taken is refused before one is read.
func TestScanTargetBounds(t *testing.T) {
	target := Target{Path: filepath.Join(t.TempDir(), "part-0.parquet")}
	if err := Write(t.Context(), target, make([]Curve, 100)); err != nil {
		t.Fatal(err)
	}
	n := 0
	count := func(rows []Curve) error { n += len(rows); return nil }
	if _, err := ScanTarget(t.Context(), target, 100, count); err != nil || n != 100 {
		t.Errorf("as many as are taken: %d rows, %v", n, err)
	}
	var more *tooManyRows
	_, err := ScanTarget(t.Context(), target, 99, count)
	if !errors.As(err, &more) || more.rows != 100 || more.most != 99 || n != 100 ||
		!strings.HasSuffix(err.Error(), "100 rows, want at most 99") {
		t.Errorf("%d rows read, %v", n-100, err)
	}
}
