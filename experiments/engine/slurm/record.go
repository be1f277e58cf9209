package slurm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"tarry/experiments/engine"
	"tarry/output/results"
)

// slurmVersion is the version of jobs.json.
const slurmVersion = 1

// slurmRecord is slurm/jobs.json: what was handed in, so that the same command finds it again.
type slurmRecord struct {
	Version int `json:"version"`
	// Sweep is the hash of the sweep whose cells the numbers are.
	Sweep string `json:"sweep"`
	// Next numbers the next submission; numbers are never used twice.
	Next        int           `json:"next"`
	Submissions []*submission `json:"submissions"`
	// Counts are of cells that did not end at their first start.
	Counts map[int]*slurmCounts `json:"cells"`

	dir  string        // the sweep's folder, absolute
	last map[int]place // cell -> its latest submission
}

// submission is one array.
type submission struct {
	// Name is the job's, unlike every other submission's. Job is the number that Slurm gave;
	// "" = the script is written and no answer of Slurm was seen.
	Name string `json:"name"`
	Job  string `json:"job"`
	// Script is the file's name in slurm/; Cells are ranges; element i is cell i + Offset.
	Script string `json:"script"`
	Cells  string `json:"cells"`
	Offset int    `json:"offset"`
	// Packs are the cells of each element, as ranges, where elements have several: element i runs
	// Packs[i], one after the other. Empty = element i is one cell, i + Offset.
	Packs []string `json:"packs,omitempty"`

	cells []int
	packs [][]int
}

// slurmCounts is why a cell was put back, and how often.
type slurmCounts struct {
	Requeues int `json:"requeues,omitempty"`
	Timeouts int `json:"timeouts,omitempty"`
}

// place is an element's submission and its number there.
type place struct {
	in   *submission
	task int
}

// element is the place's name in the queue; nowhere has none.
func (p place) element() element {
	if p.in == nil {
		return element{}
	}
	return element{p.in.Job, p.task}
}

// pack lists the cells of the element where it has several; nil = it has one.
func (p place) pack() []int {
	if p.in == nil || p.task >= len(p.in.packs) {
		return nil
	}
	return p.in.packs[p.task]
}

// readSlurmRecord reads it; no file is an empty record.
func readSlurmRecord(dir string) (*slurmRecord, error) {
	r := &slurmRecord{Version: slurmVersion, Next: 1, Counts: map[int]*slurmCounts{}, dir: dir, last: map[int]place{}}
	data, err := os.ReadFile(r.path())
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err = d.Decode(r)
	if err == nil && r.Version != slurmVersion {
		err = fmt.Errorf("version is %d, expected %d", r.Version, slurmVersion)
	}
	for i, s := range r.Submissions {
		if err != nil {
			break
		}
		if s.cells, err = engine.ParseRanges(s.Cells); err != nil {
			err = fmt.Errorf("submissions[%d]: %w", i, err)
		}
		for _, text := range s.Packs {
			pack, bad := engine.ParseRanges(text)
			if bad != nil && err == nil {
				err = fmt.Errorf("submissions[%d]: %w", i, bad)
			}
			s.packs = append(s.packs, pack)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; with the file moved away the jobs that it lists would be handed in again: "+
			"cancel them first (squeue, scancel)", r.path(), err)
	}
	if r.Counts == nil {
		r.Counts = map[int]*slurmCounts{}
	}
	r.index()
	return r, nil
}

func (r *slurmRecord) path() string { return filepath.Join(r.dir, "slurm", "jobs.json") }

// script is where the batch script of a submission is.
func (r *slurmRecord) script(s *submission) string { return filepath.Join(r.dir, "slurm", s.Script) }

// index fills last.
func (r *slurmRecord) index() {
	clear(r.last)
	for _, s := range r.Submissions {
		for _, c := range s.cells {
			r.last[c] = place{s, c - s.Offset}
		}
		for i, pack := range s.packs {
			for _, c := range pack {
				r.last[c] = place{s, i}
			}
		}
	}
}

// add notes a submission before it is handed in.
func (r *slurmRecord) add(s *submission) {
	r.Next++
	r.Submissions = append(r.Submissions, s)
	r.index()
}

// drop forgets one that was never handed in.
func (r *slurmRecord) drop(s *submission) {
	for i, x := range r.Submissions {
		if x == s {
			r.Submissions = append(r.Submissions[:i], r.Submissions[i+1:]...)
			break
		}
	}
	r.index()
}

// save writes it, whole.
func (r *slurmRecord) save() error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return results.WriteFile(r.path(), append(data, '\n'))
}

// count gives the counts of a cell, to be changed.
func (r *slurmRecord) count(cell int) *slurmCounts {
	c := r.Counts[cell]
	if c == nil {
		c = &slurmCounts{}
		r.Counts[cell] = c
	}
	return c
}

// allNames lists the names of all jobs.
func (r *slurmRecord) allNames() []string {
	names := make([]string, len(r.Submissions))
	for i, s := range r.Submissions {
		names[i] = s.Name
	}
	return names
}

// names lists the jobs' names of the cells' latest submissions, in order.
func (r *slurmRecord) names(cells func(cell int) bool) []string {
	used := map[*submission]bool{}
	for c, p := range r.last {
		if cells(c) {
			used[p.in] = true
		}
	}
	var names []string
	for _, s := range r.Submissions {
		if used[s] {
			names = append(names, s.Name)
		}
	}
	return names
}
