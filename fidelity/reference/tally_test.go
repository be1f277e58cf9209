package reference

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"testing"
)

// More that agree than were compared is a fault of the count, whatever the folder.
func TestTallyRefusesMoreThanAll(t *testing.T) {
	var o Tally
	o.Many("jobs", "a.csv", 3, 2)
	o.Many("means", "a.csv", 1, 5)
	if got := o.check(&Folder{}); !slices.Equal(got, []string{"a.csv: 3 of 2 jobs are noted as equal"}) {
		t.Errorf("%q", got)
	}
	o = Tally{}
	o.One("jobs", "a.csv", true)
	o.One("jobs", "a.csv", false)
	o.Many("means", "b.csv", 2, 3)
	if got := fmt.Sprint(o.Agree(), o.Of(), o.byKind()+" ", o.check(&Folder{})); got != "3 5; jobs 1 of 2, means "+
		"2 of 3 []" {
		t.Error(got)
	}
}

// Each file of a folder is counted, left out with a reason or read: one of which nothing is noted
// is an error that names it.
func TestTallyNamesEveryFile(t *testing.T) {
	var o Tally
	o.One("jobs", "/somewhere/a.csv", true)
	o.Leave("rows", "b.csv", 3, "they draw")
	o.Leave("rows", "c.csv", 4, "they draw")
	o.Leave("rows", "c.csv", 0, "they are too long")
	o.Reads("trace.csv", "run__a.csv")
	f := &Folder{Files: []string{".hidden", "README.md", "a.csv", "b.csv", "c.csv", "found.csv", "run.csv",
		"run__a.csv", "trace.csv"}, used: map[string]bool{"found.csv": true}}
	if got := o.check(f); got != nil {
		t.Errorf("%q", got)
	}
	if got, want := o.leftLines(), []string{"7 rows of b.csv, c.csv: they draw",
		"rows of c.csv: they are too long"}; !slices.Equal(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
	f.Files = append(f.Files, "more/", "odd.csv")
	want := []string{"more/ is neither compared nor named as not compared",
		"odd.csv is neither compared nor named as not compared"}
	if got := o.check(f); !slices.Equal(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
}

// A root that is not there or has no folder is an error.
func TestNoRoot(t *testing.T) {
	for _, dir := range []string{filepath.Join(t.TempDir(), "absent"), t.TempDir()} {
		if _, err := (Setup{}).Run(context.Background(), dir, io.Discard, io.Discard); err == nil {
			t.Errorf("%s: no error", dir)
		}
	}
}
