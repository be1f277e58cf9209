package slurm

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"tarry/experiments/engine"
	"tarry/experiments/sweep"
)

// Pack reads the cells of an element from the list that the slurm engine wrote: the cells of line
// number element, from 0.
func Pack(file string, element int) ([]int, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if element < 0 || element >= len(lines) {
		return nil, fmt.Errorf("%s: no line %d, expected 0..%d", file, element, len(lines)-1)
	}
	cells, err := engine.ParseRanges(lines[element])
	if err != nil {
		return nil, fmt.Errorf("%s: line %d: %w", file, element, err)
	}
	return cells, nil
}

// packOutcome decides about a cell whose turn in its pack did not come before the element ended: it
// is put back. Only the cell that ran is charged for a time limit, a kill or a lost node; where
// none ran, each of the others is, so that an element which never gets to a cell is given up in the
// end. False: the cell's own STATUS and Slurm's word decide, as for an element of one cell.
func (r *slurmRun) packOutcome(cell int, pack []int, q queued, st sweep.Status) (outcome, bool) {
	if pack == nil || st.State != sweep.Waiting || q.state == "CANCELLED" {
		return outcome{}, false
	}
	ran, touched := false, false
	for _, other := range pack {
		was := r.status(other)
		state := was.State
		touched = touched || state != sweep.Waiting && was.Attempts > 0 // what the engine marked was not begun
		ran = ran || r.open[other] != nil && (state == sweep.Running || state == sweep.Requeue || state == sweep.Failed)
	}
	if !touched { // the worker did not begin: reported as for one cell
		return outcome{}, false
	}
	if c := r.rec.count(cell); !ran {
		if c.Requeues++; c.Requeues > r.opt.requeues {
			return outcome{}, false
		}
	}
	return outcome{err: errors.New("its turn in the pack did not come")}, true
}
