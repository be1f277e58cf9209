package reference

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// More that agree than were compared is a fault of the count, whatever the folder.
func TestTallyRefusesMoreThanAll(t *testing.T) {
	var o Tally
	o.Many("jobs", "a.csv", 3, 2)
	o.Many("means", "a.csv", 1, 5)
	if got := o.check(&Folder{}); !slices.Equal(got, []string{"a.csv: 3 of 2 jobs are said to agree"}) {
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

// Each file of a folder is counted, left out with a reason or read: one of which nothing is said is
// an error that names it.
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

// Every folder of the shared results has a line, and folders with a comparer one whose count is not
// empty.
func TestEveryFolderHasALine(t *testing.T) {
	root := filepath.Join(shared(t), "reference")
	folders, err := Setup{}.open(root)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range entries {
		if e.IsDir() {
			n++
		}
	}
	if len(folders) != n {
		t.Errorf("%d folders are gone through, there are %d", len(folders), n)
	}
}
