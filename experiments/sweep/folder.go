package sweep

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"tarry/env/scenario"
	"tarry/internal/rundir"
	"tarry/run/parts"
)

// The files of a sweep's folder, relative to it.
const (
	sweepName   = "sweep.json"
	cellsName   = "cells.jsonl"
	cellsFolder = "cells"
	configName  = "config.json"
)

// Folder is the folder of a sweep, laid down by Plan. It is safe for many goroutines.
type Folder struct {
	// Dir is where it is; Spec what it asks, as it was given.
	Dir  string
	Spec Spec
	// SHA256 is the hash of the sweep's name and cells; Version the program that planned it.
	SHA256  string
	Version string

	from  *parts.Catalogues
	kept  *scenario.Kept // of cells
	ids   []string
	lines [][]byte // of cells.jsonl
	index map[string]int
	need  sync.Map // settings that memory depends on -> bytes
	// seconds is a configuration's hash -> what such a cell takes
	seconds sync.Map
	rows    rowKeeper
}

// planned is the JSON of sweep.json.
type planned struct {
	Name     string `json:"name"`
	Question string `json:"question"`
	Kind     string `json:"kind"`
	Cells    int    `json:"cells"`
	Version  string `json:"version"`
	SHA256   string `json:"sha256"`
	Spec     Spec   `json:"spec"`
}

// sweepsIn names the sweeps in a folder around them, for an error; "" = there are none.
func sweepsIn(dir string) string {
	list, _ := rundir.Members(dir) // none where there is no folder
	var names []string
	for _, m := range list {
		if m.Kind == rundir.Sweep {
			names = append(names, filepath.Join(dir, filepath.FromSlash(m.Name)))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; expected one of " + strings.Join(names, ", ")
}

// Open opens the folder of a sweep, whose settings name entries of from; nil where its tables alone
// are read.
func Open(from *parts.Catalogues, dir string) (*Folder, error) {
	path := filepath.Join(dir, sweepName)
	data, err := rundir.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is no folder of a sweep: it has no %s: %w%s", dir, sweepName, fs.ErrNotExist,
			sweepsIn(dir))
	}
	if err != nil {
		return nil, err
	}
	var p planned
	if err := json.Unmarshal(data, &p); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	cells, err := rundir.ReadFile(filepath.Join(dir, cellsName))
	if err != nil {
		return nil, err
	}
	if got := sweepSum(p.Name, cells); got != p.SHA256 {
		return nil, fmt.Errorf("%s and %s do not belong together (SHA-256 %.12s, expected %.12s): start the sweep "+
			"again in another folder, or bring back the file",
			path, cellsName, got, p.SHA256)
	}
	f := &Folder{from: keeping(from), Dir: dir, Spec: p.Spec, SHA256: p.SHA256, Version: p.Version}
	if f.from != nil {
		f.kept = &scenario.Kept{From: f.from.Catalogues, Most: keptScenarios}
	}
	return f, f.read(cells)
}

// keptTraces is how many traces stay open between cells: the training's and the measurement's.
const keptTraces = 2

// keptScenarios is how many scenarios stay between cells: cells of one scenario mostly follow one
// another.
const keptScenarios = 4

// keeping gives catalogues whose traces are not read again by each cell of a process.
func keeping(from *parts.Catalogues) *parts.Catalogues {
	if from == nil {
		return nil
	}
	own := *from
	own.Traces = from.Traces.Kept(keptTraces)
	return &own
}

// sweepSum is the hash of a sweep's name and cells.
func sweepSum(name string, cells []byte) string {
	h := sha256.New()
	h.Write([]byte(name + "\n"))
	h.Write(cells)
	return hex.EncodeToString(h.Sum(nil))
}

// read finds the lines and the ids. A cell is decoded when it is asked for.
func (f *Folder) read(cells []byte) error {
	n := bytes.Count(cells, []byte("\n"))
	f.lines, f.ids, f.index = make([][]byte, 0, n), make([]string, 0, n), make(map[string]int, n)
	for len(cells) > 0 {
		line, rest, _ := bytes.Cut(cells, []byte("\n"))
		_, tail, ok := bytes.Cut(line, []byte(`"id":"`))
		id, _, closed := bytes.Cut(tail, []byte(`"`))
		if !ok || !closed || !filepath.IsLocal(filepath.FromSlash(string(id))) {
			return fmt.Errorf("%s: line %d holds no cell", filepath.Join(f.Dir, cellsName), len(f.lines)+1)
		}
		f.index[string(id)] = len(f.ids)
		f.lines, f.ids = append(f.lines, line), append(f.ids, string(id))
		cells = rest
	}
	return nil
}

// Len is the number of cells.
func (f *Folder) Len() int { return len(f.ids) }

// ID is the id of a cell.
func (f *Folder) ID(index int) string { return f.ids[index] }

// Index finds a cell by its id; false when there is none.
func (f *Folder) Index(id string) (int, bool) {
	i, ok := f.index[strings.Trim(filepath.ToSlash(id), "/")]
	return i, ok
}

// Cell reads a cell.
func (f *Folder) Cell(index int) (Cell, error) {
	if index < 0 || index >= len(f.lines) {
		return Cell{}, fmt.Errorf("cell %d, expected 0..%d: the sweep has %d cells", index, len(f.lines)-1,
			len(f.lines))
	}
	var c Cell
	if err := json.Unmarshal(f.lines[index], &c); err != nil {
		return Cell{}, fmt.Errorf("%s:%d: %w", filepath.Join(f.Dir, cellsName), index+1, err)
	}
	return c, nil
}

// CellDir is the folder of a cell.
func (f *Folder) CellDir(index int) string {
	return filepath.Join(f.Dir, cellsFolder, filepath.FromSlash(f.ids[index]))
}

// Status reads the STATUS of a cell. One that cannot be read is waiting, with the reason in Error:
// the cell is looked at again, and what is complete is kept.
func (f *Folder) Status(index int) Status {
	s, err := readStatus(f.CellDir(index))
	if err != nil {
		return Status{State: Waiting, Error: err.Error()}
	}
	return s
}

// Statuses reads the STATUS of all cells, in order.
func (f *Folder) Statuses() []Status {
	out := make([]Status, f.Len())
	var group sync.WaitGroup
	readers := min(2*runtime.NumCPU(), f.Len())
	for k := range readers {
		group.Go(func() {
			for i := k * len(out) / readers; i < (k+1)*len(out)/readers; i++ {
				out[i] = f.Status(i)
			}
		})
	}
	group.Wait()
	return out
}

// Pending lists the cells that an engine should start, in order: all that are not over.
func (f *Folder) Pending() []int {
	var out []int
	for i, s := range f.Statuses() {
		if !s.Over(f.Spec.Budget.Retries) {
			out = append(out, i)
		}
	}
	return out
}
