package results

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// python gives the interpreter of the pinned virtual environment below the
// module's root, or skips the test.
func python(t *testing.T) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if filepath.Dir(dir) == dir {
			t.Skip("no module root above the test")
		}
		dir = filepath.Dir(dir)
	}
	py := filepath.Join(dir, "build", "venv", "bin", "python")
	if err := exec.Command(py, "-c", "import pandas, pyarrow").Run(); err != nil {
		t.Skip("pandas does not check the tables: build/venv is absent (make venv creates it where Python 3 is " +
			"installed)")
	}
	return py
}

type pyColumn struct {
	Name   string   `json:"name"`
	DType  string   `json:"dtype"`
	Values []string `json:"values"`
	// Words are its entries of the data dictionary.
	Words map[string]string `json:"words"`
}

type pyFile struct {
	Name    string            `json:"name"`
	Path    string            `json:"path"`
	Meta    map[string]string `json:"meta"`
	Columns []pyColumn        `json:"columns"`
}

// pyTable writes a table and states what pandas must find in it.
func pyTable[T Row](t *testing.T, dir string, n int) pyFile {
	t.Helper()
	return pyRows(t, dir, "", randomRows[T](n, uint64(n)+1))
}

func pyRows[T Row](t *testing.T, dir string, codec Codec, rows []T) pyFile {
	t.Helper()
	var zero T
	n := len(rows)
	name := zero.Table() + "-" + strconv.Itoa(n) + strings.ReplaceAll(string(codec), ":", "-")
	f := pyFile{Name: name, Path: filepath.Join(dir, name+".parquet"), Meta: map[string]string{"table": zero.Table()}}
	meta := NewMeta(`{"text":"é"}`, "0123", "v0.1.0")
	meta.Codec = codec
	for _, e := range meta.stated() {
		f.Meta[e.key] = *e.value
	}
	if err := Write(ctx, Target{Path: f.Path, Meta: meta}, rows); err != nil {
		t.Fatal(err)
	}
	cols, err := columnsOf[T]()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cols {
		col := pyColumn{Name: c.name, DType: c.kind.String(), Values: make([]string, n), Words: map[string]string{}}
		for key, text := range map[string]string{"unit": c.unit, "description": c.doc, "missing": c.none} {
			if text != "" {
				col.Words[key] = text
			}
		}
		if c.kind == reflect.String {
			col.DType = "str"
		}
		if c.signed {
			col.DType = "int64"
		}
		for i := range rows {
			v := reflect.ValueOf(rows[i]).FieldByIndex(c.index)
			switch c.kind {
			case reflect.Float64:
				col.Values[i] = strconv.FormatFloat(v.Float(), 'x', -1, 64)
			case reflect.Uint64:
				if c.signed {
					col.Values[i] = strconv.FormatInt(int64(v.Uint()), 10)
					break
				}
				col.Values[i] = strconv.FormatUint(v.Uint(), 10)
			case reflect.String:
				col.Values[i] = v.String()
			default:
				col.Values[i] = strconv.FormatInt(v.Int(), 10)
			}
		}
		f.Columns = append(f.Columns, col)
	}
	return f
}

func TestPandasReadsEveryTable(t *testing.T) {
	py := python(t)
	dir := t.TempDir()
	type hive struct {
		Path   string              `json:"path"`
		Rows   int                 `json:"rows"`
		Values map[string][]string `json:"values"`
	}
	var expected struct {
		Files []pyFile `json:"files"`
		Hive  hive     `json:"hive"`
		Plain string   `json:"plain"`
	}
	expected.Files = []pyFile{
		pyTable[Trial](t, dir, 50), pyTable[Eval](t, dir, 50), pyTable[Job](t, dir, 500),
		pyTable[Interval](t, dir, 500),
		pyTable[Sample](t, dir, 500), pyTable[Curve](t, dir, 500), pyTable[Timing](t, dir, 50),
		pyTable[Trial](t, dir, 0), pyTable[Trial](t, dir, 1), pyTable[wide](t, dir, groupRows+100),
		pyRows(t, dir, "", shapedRows(10_000)),
	}
	for _, name := range Codecs()[1:] {
		expected.Files = append(expected.Files, pyRows(t, dir, Codec(name), randomRows[Curve](500, 7)),
			pyRows(t, dir, Codec(name), shapedRows(3000)))
	}
	root := filepath.Join(dir, "run")
	expected.Hive = hive{filepath.Join(root, "trials"), 4, map[string][]string{
		"policy": {"dally:t_rack=1/2", "fifo 100%"}, "seed": {"1", "2"}, "trace": {"a"},
	}}
	for i, policy := range expected.Hive.Values["policy"] {
		for _, seed := range []uint64{1, 2} {
			row := Trial{Keys: Keys{Policy: policy, Trace: "a", Seed: seed, Replicate: int64(i)}}
			p := Partition{{"policy", policy}, {"seed", strconv.FormatUint(seed, 10)}}
			if err := Write(ctx, p.Target(root, "trials", Meta{}), []Trial{row}); err != nil {
				t.Fatal(err)
			}
		}
	}
	expected.Plain = filepath.Join(dir, "plain", "trials")
	for i := range int64(4) {
		k := Keys{Policy: []string{"dally:t_rack=1/2", "fifo"}[i%2], Seed: uint64(i), Replicate: i / 2}
		if err := Write(ctx, k.Target(filepath.Dir(expected.Plain), "trials", Meta{}), []Trial{{Keys: k}}); err != nil {
			t.Fatal(err)
		}
	}
	data, err := json.Marshal(expected)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "expected.json")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(py, "verify_parquet.py", path).CombinedOutput()
	if err != nil || !strings.Contains(string(out), " 0 differences") {
		t.Errorf("%v\n%s", err, out)
	}
}

// What pandas writes has nullable columns: they are refused by name.
func TestNullableColumnsAreRefused(t *testing.T) {
	py := python(t)
	path := filepath.Join(t.TempDir(), "x.parquet")
	const script = `
import sys, pandas as pd
pd.DataFrame({"a": [1], "b": [2], "c": ["x"], "d": [None], "e": [3]}).to_parquet(sys.argv[1], index=False)
`
	if out, err := exec.Command(py, "-c", script, path).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	_, _, err := Read[wide](ctx, path)
	for _, c := range []string{"a", "b", "c", "d", "e"} {
		if want := `column "` + c + `" is nullable or nested`; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
}
