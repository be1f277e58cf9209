package app

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"tarry/experiments/digest"
	"tarry/experiments/moved"
	"tarry/output/results"
)

// saveCSV writes each table as QUESTION-NAME.csv into a folder, and what stands below them into
// notes/QUESTION.csv in it; nothing for "".
func saveCSV(dir, question string, tables map[string]string) error {
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("--tables-csv: %w", err)
	}
	notes := [][]string{{"table", "note"}}
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		text, err := digest.CSV(tables[name])
		if err != nil {
			return fmt.Errorf("--tables-csv: table %s: %w", name, err)
		}
		if err := results.WriteFile(csvPath(dir, question, name), []byte(text)); err != nil {
			return fmt.Errorf("--tables-csv: %w", err)
		}
		for _, note := range digest.Below(tables[name]) {
			notes = append(notes, []string{name, note})
		}
	}
	var out bytes.Buffer
	if err := csv.NewWriter(&out).WriteAll(notes); err != nil {
		return fmt.Errorf("--tables-csv: %w", err)
	}
	path := filepath.Join(dir, "notes", question+".csv")
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("--tables-csv: %w", err)
	}
	return results.WriteFile(path, out.Bytes())
}

// csvPath is the file of a table.
func csvPath(dir, question, name string) string {
	return filepath.Join(dir, question+"-"+name+".csv")
}

// csvMoved reports what moves in the files of tables that stand on no page, before they are written.
func (r *reproduction) csvMoved(made, onPages map[string]string) (string, error) {
	dir := r.q.Kept.CSV
	was, is := map[string]string{}, map[string]string{}
	for name, table := range made {
		if _, there := onPages[name]; there || dir == "" {
			continue
		}
		text, err := digest.CSV(table)
		if err != nil {
			return "", err
		}
		if is[name], err = moved.FromCSV(text); err != nil {
			return "", err
		}
		old, err := os.ReadFile(csvPath(dir, r.q.Name, name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return "", err
		}
		if was[name], err = moved.FromCSV(string(old)); err != nil {
			return "", err
		}
	}
	if len(is) == 0 {
		return "", nil
	}
	return r.movedOn(dir, was, is), nil
}
