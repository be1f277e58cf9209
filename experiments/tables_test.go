package experiments

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	catalogue "tarry/catalogue/questions"
	"tarry/experiments/digest"
	"tarry/experiments/moved"
)

// tables is the folder of the tables of all questions as CSV, below the folder of the project.
const tables = "docs/results/tables"

// measured stands in place of a question for tables that were measured once, whose rows are not
// stored.
const measured = "examples"

// readCSV reads a file of that folder.
func readCSV(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open(filepath.Join("..", tables, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) == 0 {
		t.Fatalf("%s: %d rows, %v", name, len(rows), err)
	}
	return rows
}

// Every table of a question is a file with a caption, from which the site shows it, and every caption
// has a file.
func TestTablesHaveCaptions(t *testing.T) {
	var captions, files []string
	for _, r := range readCSV(t, "captions.csv")[1:] {
		if r[2] == "" {
			t.Errorf("captions.csv: %s/%s has no caption", r[0], r[1])
		}
		if q, err := catalogue.All().Find(r[0]); r[0] != measured && (err != nil || q.Opened().Kept.CSV != tables) {
			t.Errorf("captions.csv: %s is no question with csv: %s, %v", r[0], tables, err)
		}
		if r[1] != "" {
			captions = append(captions, r[0]+"-"+r[1]+".csv")
		}
	}
	paths, err := filepath.Glob(filepath.Join("..", tables, "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if name := filepath.Base(path); name != "captions.csv" {
			files = append(files, name)
		}
	}
	for _, name := range files {
		if !slices.Contains(captions, name) {
			t.Errorf("%s/%s has no caption in captions.csv", tables, name)
		}
	}
	for _, name := range captions {
		if !slices.Contains(files, name) {
			t.Errorf("captions.csv: there is no %s/%s", tables, name)
		}
	}
}

// A table on a page has the numbers of its file. Questions whose rows are not stored have no other
// check of that.
func TestPagesHaveTheirTables(t *testing.T) {
	for _, q := range catalogue.All().Opened() {
		if q.Kept.CSV != tables {
			if len(q.Kept.Pages) > 0 {
				t.Errorf("question %s has pages and no csv: %s", q.Name, tables)
			}
			continue
		}
		notes := map[string][]string{}
		for _, r := range readCSV(t, "notes/"+q.Name+".csv")[1:] {
			notes[r[0]] = append(notes[r[0]], r[1])
		}
		for _, page := range q.Kept.Pages {
			text, err := os.ReadFile(filepath.Join("..", page))
			if err != nil {
				t.Fatal(err)
			}
			for name, block := range moved.Blocks(string(text), q.Name) {
				is, err := digest.CSV(block)
				if err != nil {
					t.Fatal(err)
				}
				file := filepath.Join(tables, q.Name+"-"+name+".csv")
				want, err := os.ReadFile(filepath.Join("..", file))
				if err != nil || is != string(want) || !slices.Equal(digest.Below(block), notes[name]) {
					t.Errorf("%s: the table %s/%s is not as in %s, %v", page, q.Name, name, file, err)
				}
			}
			if strings.Count(string(text), "<!-- table "+q.Name+"/") == 0 {
				t.Errorf("%s has no table of question %s, which names it", page, q.Name)
			}
		}
	}
}
