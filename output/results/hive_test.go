package results

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPartitionPath(t *testing.T) {
	p := Partition{{"experiment", "two words"}, {"policy", "dally:t_rack=1/2,x%"}, {"trace", ""},
		{"seed", "18446744073709551615"}}
	want := filepath.FromSlash("experiment=two%20words/policy=dally:t_rack%3D1%2F2," +
		"x%25/trace=__HIVE_DEFAULT_PARTITION__/seed=18446744073709551615")
	if got := p.Dir(); got != want {
		t.Errorf("Dir = %s, want %s", got, want)
	}
	back, err := ParsePartition(p.Dir())
	if err != nil || !slices.Equal(back, p) {
		t.Errorf("back: %v, %v", back, err)
	}
	if p, err := ParsePartition("plain/folder"); err != nil || p != nil {
		t.Errorf("plain folders gave %v, %v", p, err)
	}
	for _, bad := range []string{"a=%", "a=%4", "a=%zz", "%G0=1"} {
		if _, err := ParsePartition(bad); err == nil {
			t.Errorf("%s was accepted", bad)
		}
	}
}

func FuzzPartition(f *testing.F) {
	f.Add("key", "value")
	f.Add("p/q", "a=b%c")
	f.Fuzz(func(t *testing.T, key, value string) {
		p := Partition{{key, value}}
		if value == hiveMissing {
			return
		}
		back, err := ParsePartition(p.Dir())
		if err != nil || !slices.Equal(back, p) {
			t.Errorf("%q=%q became %s and back %q, %v", key, value, p.Dir(), back, err)
		}
		if strings.ContainsAny(p.Dir(), "/\\\x00 ") {
			t.Errorf("%s is not one folder", p.Dir())
		}
	})
}

func TestReadDir(t *testing.T) {
	root := t.TempDir()
	var want []Trial
	for _, policy := range []string{"dally:lease=60", "fifo"} {
		for _, seed := range []string{"1", "2"} {
			rows := randomRows[Trial](3, uint64(len(want)))
			for i := range rows {
				rows[i].Policy, rows[i].Seed = policy, map[string]uint64{"1": 1, "2": 2}[seed]
			}
			p := Partition{{"policy", policy}, {"seed", seed}}
			if err := Write(ctx, p.Target(root, "trials", Meta{}), rows); err != nil {
				t.Fatal(err)
			}
			want = append(want, rows...)
		}
	}
	// What readers of folders pass over: hidden names, other tables, other files.
	os.WriteFile(filepath.Join(root, ".x.parquet"), []byte("junk"), 0o666)
	os.WriteFile(filepath.Join(root, "trials", "_old.parquet"), []byte("junk"), 0o666)
	os.WriteFile(filepath.Join(root, "jobs.parquet"), []byte("junk"), 0o666)
	os.WriteFile(filepath.Join(root, "notes.txt"), []byte("junk"), 0o666)
	got, err := ReadDir[Trial](ctx, root)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, want)
	if _, err := ReadDir[Job](ctx, root); err == nil || !strings.Contains(err.Error(),
		filepath.Join(root, "jobs.parquet")) {
		t.Errorf("a broken jobs.parquet gave %v", err)
	}
	if _, err := ReadDir[Trial](ctx, t.TempDir()); err == nil ||
		!strings.Contains(err.Error(), "no parquet file below") {
		t.Errorf("an empty folder gave %v", err)
	}
}

// A trial's file states by its folders which trial it holds, as does a file of an earlier version.
func TestHolds(t *testing.T) {
	k := Keys{Policy: "dally:t_rack=1/2", Replicate: 3}
	other, next := k, k
	other.Policy, next.Replicate = "dally:t_rack=1", 4
	old := Partition{{"policy", k.Policy}, {"replicate", "3"}}.Target("out", "jobs", Meta{})
	if want := filepath.FromSlash("out/jobs/policy-dally:t_rack%3D1%2F2/replicate-3/part-0.parquet"); k.Target("out",
		"jobs", Meta{}).Path != want {
		t.Errorf("the file is %s, expected %s", k.Target("out", "jobs", Meta{}).Path, want)
	}
	for _, f := range []Target{k.Target("out", "jobs", Meta{}), old} {
		if !f.Holds(k) || f.Holds(other) || f.Holds(next) {
			t.Errorf("%s: holds %v %v %v, expected its own trial alone", f.Path, f.Holds(k), f.Holds(other),
				f.Holds(next))
		}
	}
	if all := (Target{Path: filepath.Join("out", "jobs", "part-0.parquet")}); !all.Holds(k) || !all.Holds(other) {
		t.Error("a gathered table holds every trial")
	}
}

func TestPartitionErrors(t *testing.T) {
	row := []Trial{{Keys: Keys{Policy: "fifo"}}}
	for _, c := range []struct {
		part Partition
		want string
	}{
		{Partition{{"policy", "sjf"}}, "row 0 has policy=fifo, the folder states sjf"},
		{Partition{{"colour", "red"}}, `partition key "colour" is not a column`},
		{Partition{{"seed", "x"}}, `partition key seed="x": want uint64`},
		{Partition{{"seed", ""}}, `partition key seed="": want uint64`},
		{Partition{{"replicate", "1.5"}}, `partition key replicate="1.5": want int64`},
		{Partition{{"policy", "fifo"}, {"policy", "fifo"}}, `partition key "policy" is there twice`},
		{Partition{{"policy", strings.Repeat("x", 300)}}, `folder for key "policy" has a name of 307 bytes`},
	} {
		root := t.TempDir()
		err := Write(ctx, c.part.Target(root, "trials", Meta{}), row)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v does not say %q", c.part, err, c.want)
		}
		if left := filesBelow(root); len(left) > 0 {
			t.Errorf("%v left %v", c.part, left)
		}
	}
}

func filesBelow(root string) (files []string) {
	filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return nil
	})
	return files
}
