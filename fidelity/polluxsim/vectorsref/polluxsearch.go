package vectorsref

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tarry/baselines/pollux/search"
	"tarry/fidelity/reference"
	"tarry/sim/goodput"
	"tarry/sim/rng"
)

// Vectors of Pollux' search: two more forms of table in folders of its model.
//
//	fitness_states.csv, fitness_jobs.csv    each speed-up, fitness and utility of states: to 1e-12, relative
//	repair_states.csv                       repaired states, of jobs below their maximum: equal
//
// A state has a row for each job, separated by |, of the GPUs on each node.

// reallocation is the time that a restart is taken to cost there, s.
const reallocation = 30

// cells reads a state.
func cells(text string, jobs, nodes int) ([][]uint8, error) {
	lines := strings.Split(text, "|")
	if len(lines) != jobs {
		return nil, fmt.Errorf("a state of %d rows, expected %d", len(lines), jobs)
	}
	out := make([][]uint8, jobs)
	for i, l := range lines {
		fields := strings.Fields(l)
		if len(fields) != nodes {
			return nil, fmt.Errorf("row %d has %d nodes, expected %d", i, len(fields), nodes)
		}
		for _, c := range fields {
			g, err := strconv.ParseUint(c, 10, 7)
			if err != nil {
				return nil, fmt.Errorf("%q GPUs, expected 0..127", c)
			}
			out[i] = append(out[i], uint8(g))
		}
	}
	return out, nil
}

// evenly is a problem of nodes with the same number of GPUs, without jobs.
func evenly(nodes, gpus int) (*search.Problem, error) {
	if nodes < 1 || gpus < 0 || gpus > 127 {
		return nil, fmt.Errorf("%d nodes of %d GPUs, expected at least one of 0..127", nodes, gpus)
	}
	p := &search.Problem{P: -1, MaxNodes: nodes, Avoid: true}
	for range nodes {
		p.GPUs = append(p.GPUs, uint8(gpus))
	}
	return p, nil
}

// relative is a job's speed-up over a fair share of the cluster on one node; by GPUs where the job
// was not measured.
type relative struct {
	f    goodput.Function
	fair int
	base float64 // 0 = not measured
}

func (c *relative) Speedup(nodes, gpus int) float64 {
	if c.base == 0 {
		return float64(gpus) / float64(c.fair)
	}
	g, _, _ := c.f.Best(nodes, gpus)
	return g / c.base
}

// limited is the goodput function of a row, with limits.
func (l *line) limited() goodput.Function {
	f := l.function()
	f.Max, f.MinLocal, f.MaxLocal, f.Accumulate = l.Count("max_batch_size"), l.Count("min_local_bsz"),
		l.Count("max_local_bsz"), true
	return f
}

// fitnessStates compares states of instances, whose jobs are in a table beside.
func (o *outcome) fitnessStates(f *reference.Folder, head string) error {
	const file, beside = "fitness_states.csv", "fitness_jobs.csv"
	r, err := reference.ReadRows(filepath.Join(f.Dir, head+file), "instance", "jobs", "nodes", "gpus_per_node",
		"base_state",
		"state_matrix", "speedups", "fitness", "utility")
	if err != nil {
		return err
	}
	jobs, err := reference.ReadRows(filepath.Join(f.Dir, head+beside),
		functionColumns("instance", "unprofiled", "max_batch_size", "min_local_bsz", "max_local_bsz", "num_restarts",
			"age_s")...)
	if err != nil {
		return err
	}
	o.Reads(jobs.File)
	for row := range r.Cells {
		l := line{reference.Line{Rows: r, Row: row}}
		off, err := l.fitness(jobs)
		o.Value("states", head+file, row, off, closedTol, err)
	}
	return nil
}

// fitness gives the largest difference of a state.
func (l *line) fitness(jobs *reference.Rows) (off float64, err error) {
	n, nodes, gpus := l.Count("jobs"), l.Count("nodes"), l.Count("gpus_per_node")
	p, err := evenly(nodes, gpus)
	if err = errors.Join(l.Err, err); err != nil {
		return 0, err
	}
	base, err := cells(l.Rows.Text(l.Row, "base_state"), n, nodes)
	if err != nil {
		return 0, err
	}
	state, err := cells(l.Rows.Text(l.Row, "state_matrix"), n, nodes)
	if err != nil {
		return 0, err
	}
	for i := range jobs.Cells {
		if jobs.Text(i, "instance") != l.Rows.Text(l.Row, "instance") || len(p.Jobs) == n {
			continue
		}
		k := line{reference.Line{Rows: jobs, Row: i}}
		c := &relative{f: k.limited(), fair: (nodes*gpus + n - 1) / n}
		if k.Count("unprofiled") == 0 {
			c.base, _, _ = c.f.Best(1, c.fair)
		}
		age, restarts := k.Number("age_s"), k.Number("num_restarts")
		if k.Err != nil {
			return 0, k.Err
		}
		p.Jobs = append(p.Jobs, search.Job{Base: base[len(p.Jobs)], Max: max(1, nodes*gpus), Curve: c,
			Factor: max(age-float64(restarts*reallocation), 0) / (age + reallocation)})
	}
	if len(p.Jobs) != n {
		return 0, fmt.Errorf("the instance has %d jobs, expected %d", len(p.Jobs), n)
	}
	if err := p.Validate(); err != nil {
		return 0, err
	}
	fitness, utility := p.Evaluate(state)
	off = max(reference.Apart(fitness, l.Number("fitness")), reference.Apart(utility, l.Number("utility")))
	for i, text := range strings.Fields(l.Rows.Text(l.Row, "speedups")) {
		want, err := strconv.ParseFloat(text, 64)
		if err != nil || i >= n {
			return off, fmt.Errorf("speed-up %d is %q, expected %d numbers", i+1, text, n)
		}
		if used, g := rowSum(state[i]); g > 0 {
			off = max(off, reference.Apart(p.Jobs[i].Curve.Speedup(used, g), want))
		} else {
			off = max(off, reference.Apart(0, want))
		}
	}
	return off, l.Err
}

func rowSum(row []uint8) (nodes, gpus int) {
	for _, g := range row {
		if g > 0 {
			nodes, gpus = nodes+1, gpus+int(g)
		}
	}
	return nodes, gpus
}

// repairStates compares repaired states.
func (o *outcome) repairStates(f *reference.Folder, head string) error {
	const file = "repair_states.csv"
	r, err := reference.ReadRows(filepath.Join(f.Dir, head+file), "jobs", "nodes", "gpus_per_node", "before", "after")
	if err != nil {
		return err
	}
	s, err := search.New(search.Config{Population: 1, Generations: 1},
		rng.Source{Experiment: "reference"}.Stream("repair"))
	if err != nil {
		return err
	}
	for row := range r.Cells {
		l := line{reference.Line{Rows: r, Row: row}}
		o.Value("repairs", head+file, row, 0, closedTol, l.repair(s))
	}
	return nil
}

// repair gives an error where a repaired state is another.
func (l *line) repair(s *search.Search) error {
	n, nodes, gpus := l.Count("jobs"), l.Count("nodes"), l.Count("gpus_per_node")
	p, err := evenly(nodes, gpus)
	if err = errors.Join(l.Err, err); err != nil {
		return err
	}
	state, err := cells(l.Rows.Text(l.Row, "before"), n, nodes)
	if err != nil {
		return err
	}
	want, err := cells(l.Rows.Text(l.Row, "after"), n, nodes)
	if err != nil {
		return err
	}
	for _, row := range state {
		_, g := rowSum(row)
		p.Jobs = append(p.Jobs, search.Job{Max: max(1, g), Curve: &relative{fair: 1}, Factor: 1})
	}
	s.Repair(p, state)
	for i := range want {
		if !slices.Equal(state[i], want[i]) {
			return fmt.Errorf("row %d is %v, expected %v", i, state[i], want[i])
		}
	}
	return nil
}
