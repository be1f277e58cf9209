package baselines_test

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"maps"
	"math/bits"
	"os"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/schedulers"
	"tarry/sim/know"
)

const (
	schedulersCSV = "../docs/schedulers.csv"
	knowsPage     = "../docs/explain/knows.md"
)

// rows reads what docs/schedulers.csv states of each policy: what it was checked against, what is
// ours.
func rows(t *testing.T) map[string][]string {
	t.Helper()
	f, err := os.Open(schedulersCSV)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil || strings.Join(all[0], ",") != "name,checked,ours" {
		t.Fatalf("%s: head %v, %v", schedulersCSV, all, err)
	}
	out := map[string][]string{}
	for i, r := range all[1:] {
		for k, cell := range r {
			if strings.TrimSpace(cell) == "" || strings.ContainsAny(cell, "|\n") {
				t.Errorf("%s, row %d, %s: %q, expected a text without | and without line breaks", schedulersCSV, i+2,
					all[0][k], cell)
			}
		}
		if out[r[0]] != nil {
			t.Errorf("%s, row %d: %s stands twice", schedulersCSV, i+2, r[0])
		}
		out[r[0]] = r[1:]
	}
	return out
}

// TestSchedulersCSV: docs/schedulers.csv, from which the site makes a page per scheduler, has a row for
// each policy of the catalogue and no other.
func TestSchedulersCSV(t *testing.T) {
	said := rows(t)
	for _, e := range schedulers.All() {
		if said[e.Name] == nil {
			t.Errorf("%s has no row in %s", e.Name, schedulersCSV)
		}
		if e.Decides == "" {
			t.Errorf("%s does not state what it decides", e.Name)
		}
		delete(said, e.Name)
	}
	for name := range said {
		t.Errorf("%s: %s is not in the catalogue", schedulersCSV, name)
	}
}

// TestKnowsPage holds the table of docs/explain/knows.md: what the policies of the catalogue read by
// default, one row for each set of permissions, the smallest sets first; -update writes it.
func TestKnowsPage(t *testing.T) {
	by := map[know.Set][]string{}
	for _, e := range schedulers.All() {
		by[e.Knows()] = append(by[e.Knows()], "`"+e.Name+"`")
	}
	sets := slices.SortedFunc(maps.Keys(by), func(a, b know.Set) int {
		return cmp.Or(cmp.Compare(bits.OnesCount(uint(a)), bits.OnesCount(uint(b))),
			strings.Compare(a.String(), b.String()))
	})
	var b strings.Builder
	b.WriteString("| knows | policies |\n|---|---|\n")
	for _, k := range sets {
		fmt.Fprintf(&b, "| %s | %s |\n", k, strings.Join(by[k], ", "))
	}
	page, err := os.ReadFile(knowsPage)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- table knows -->\n", "<!-- end -->"
	before, rest, found := strings.Cut(string(page), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no place for the table", knowsPage)
	}
	want := before + begin + b.String() + end + after
	switch {
	case want == string(page):
	case *update:
		if err := os.WriteFile(knowsPage, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the table of %s is not what the catalogue states: make permissions", knowsPage)
	}
}
