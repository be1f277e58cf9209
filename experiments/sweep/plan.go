package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"tarry/output/results"
	"tarry/run/lock"
	"tarry/run/outdir"
	"tarry/run/parts"
)

// Plan lays a sweep down in a folder, or opens the folder of the same sweep. A folder of another
// sweep is an error that names both. With extend it may be replaced by a sweep of the same name in
// which every cell that was started keeps its settings: more seeds, more values. Nothing may run
// there then.
func Plan(from *parts.Catalogues, dir string, s Spec, version string, extend bool) (*Folder, error) {
	cells, err := s.Cells(from)
	if err != nil {
		return nil, err
	}
	text, err := cellLines(cells)
	if err != nil {
		return nil, err
	}
	sum := sweepSum(s.Name, text)
	there, err := Open(from, dir)
	switch {
	case err == nil && there.SHA256 == sum:
		s.where, there.Spec = nil, s // how it is run may be stated anew
		return there, outdir.Label(dir, s.labels)
	case err == nil && !extend:
		return nil, there.other(&s, sum, cells)
	case err == nil:
		if err := there.mayBecome(s.Name, cells); err != nil {
			return nil, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	default:
		if err := checkFree(dir); err != nil {
			return nil, err
		}
	}
	if err := s.Check(from, cells); err != nil {
		return nil, err
	}
	if err := ungather(dir); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStorage, err)
	}
	p := planned{Name: s.Name, Question: s.Question, Kind: s.Kind, Cells: len(cells), Version: version, SHA256: sum,
		Spec: s}
	data, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return nil, err
	}
	// sweep.json goes last: while it is not there, nothing was planned.
	if err := results.WriteFile(filepath.Join(dir, cellsName), text); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStorage, err)
	}
	if err := results.WriteFile(filepath.Join(dir, sweepName), append(data, '\n')); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStorage, err)
	}
	if err := outdir.Label(dir, s.labels); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStorage, err)
	}
	return Open(from, dir)
}

// cellLines writes a line for each cell.
func cellLines(cells []Cell) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for i := range cells {
		if err := e.Encode(&cells[i]); err != nil {
			return nil, fmt.Errorf("cell %s: %w", cells[i].ID, err)
		}
	}
	return b.Bytes(), nil
}

// other states that the folder is another sweep's.
func (f *Folder) other(s *Spec, sum string, cells []Cell) error {
	what := fmt.Sprintf("sweep %s of %d cells (SHA-256 %.12s)", f.Spec.Name, f.Len(), f.SHA256)
	want := fmt.Sprintf("sweep %s of %d cells (SHA-256 %.12s)", s.Name, len(cells), sum)
	hint := "give another folder"
	if f.Spec.Name == s.Name {
		hint += ", or --extend if cells were added only"
	}
	return fmt.Errorf("%s holds %s, not %s%s: %s", f.Dir, what, want, f.changed(cells), hint)
}

// mayBecome reports cells that were started and would have other settings.
func (f *Folder) mayBecome(name string, cells []Cell) error {
	if f.Spec.Name != name {
		return fmt.Errorf("%s holds sweep %s, expected sweep %s to extend it", f.Dir, f.Spec.Name, name)
	}
	next := make(map[string]string, len(cells))
	for i := range cells {
		next[cells[i].ID] = cells[i].ConfigSHA256
	}
	var bad []string
	n := 0
	for i, s := range f.Statuses() {
		want, there := next[f.ids[i]]
		if s.State == Waiting || there && (s.ConfigSHA256 == want) {
			continue
		}
		if n++; len(bad) < 5 {
			what := "is no cell any more"
			if there {
				what = fmt.Sprintf("was started with settings of SHA-256 %.12s and would have %.12s", s.ConfigSHA256,
					want)
			}
			bad = append(bad, f.ids[i]+" "+what)
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%s cannot be extended: %d cells were started with other settings%s; give another folder:\n  %s",
		f.Dir, n, f.changed(cells), strings.Join(bad, "\n  "))
}

// checkFree refuses a folder that holds something else.
func checkFree(dir string) error {
	return lock.Free(dir, "a sweep", func(e fs.DirEntry) bool { return e.Name() == cellsName })
}
