package sweep

import (
	"os"
	"path/filepath"
	"testing"

	"tarry/catalogue/shipped"
)

// What is gathered from the rows that a process kept has the bytes of what is gathered from files; a
// cell that another process ran since is read.
func TestGatherFromRows(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	f := planIn(t, dir, `name: one
kind: simulate
base: {trace: "synth:demo,jobs=9", cluster: 2x2x8, predict: size}
axes: [{name: policy, values: [fifo, dally]}]
seeds: 2
`)
	for i := range f.Len() {
		if err := f.Work(t.Context(), i, WorkOptions{}); err != nil {
			t.Fatal(err)
		}
		if f.rows.of(i, f.Status(i).ManifestSHA256) == nil || f.rows.of(i, "another") != nil {
			t.Fatalf("cell %d: its rows are not kept, or for any manifest", i)
		}
	}
	tables := func(f *Folder) (out []string) {
		if fresh, err := f.Gather(t.Context(), "v"); err != nil || !fresh {
			t.Fatal(fresh, err)
		}
		for _, name := range [...]string{"trials", "jobs", "predictions"} {
			data, err := os.ReadFile(filepath.Join(dir, name, "part-0.parquet"))
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, string(data))
		}
		if err := ungather(dir); err != nil {
			t.Fatal(err)
		}
		return out
	}
	kept := tables(f)
	g, err := Open(shipped.All(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for k, data := range tables(g) {
		if data != kept[k] {
			t.Errorf("table %d differs: %d bytes from files, %d from rows", k, len(data), len(kept[k]))
		}
	}
}
