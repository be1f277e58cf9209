package baselines_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"tarry/catalogue/policies"
)

const (
	schedulersCSV  = "../docs/schedulers.csv"
	schedulersPage = "../docs/reference/schedulers.md"
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

// TestSchedulersPage holds the table of docs/reference/schedulers.md: a row per policy of the catalogue, with
// its paper and what it reads by default; -update writes it.
func TestSchedulersPage(t *testing.T) {
	said := rows(t)
	var b strings.Builder
	b.WriteString("| scheduler | paper | knows | decides | checked against, how closely | ours " +
		"|\n|---|---|---|---|---|---|\n")
	for _, e := range policies.All() {
		r := said[e.Name]
		if r == nil {
			t.Errorf("%s has no row in %s", e.Name, schedulersCSV)
			continue
		}
		delete(said, e.Name)
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", e.Name, e.Paper, e.Knows(), e.Decides, strings.Join(r, " | "))
	}
	for name := range said {
		t.Errorf("%s: %s is not in the catalogue", schedulersCSV, name)
	}
	page, err := os.ReadFile(schedulersPage)
	if err != nil {
		t.Fatal(err)
	}
	place := regexp.MustCompile(`(?s)(<!-- table schedulers -->\n)(.*?)(<!-- end -->)`)
	if !place.Match(page) {
		t.Fatalf("%s has no place for the table", schedulersPage)
	}
	want := place.ReplaceAllStringFunc(string(page), func(string) string {
		return "<!-- table schedulers -->\n" +
			b.String() + "<!-- end -->"
	})
	switch {
	case want == string(page):
	case *update:
		if err := os.WriteFile(schedulersPage, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not what %s and the catalogue say: make schedulers", schedulersPage, schedulersCSV)
	}
}
