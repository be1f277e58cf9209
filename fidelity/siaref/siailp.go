// Package siaref compares Sia's allocation problem. A folder holds files, of which several sets
// may stand beside one another, HEADjobs.csv and so on:
//
//	configs.csv  (or the shared data's) config, gpu_type, num_nodes, num_gpus; a type has as many GPUs as its largest configuration
//	jobs.csv     instance, job, age_s, num_restarts, restart_penalty_s, realloc_factor, prev_config, raw_goodput, cost_matrix_row: the last two by configuration,
//	             separated by spaces
//	optimum.csv  instance, objective
//
// Each entry of the matrix is to be equal in 32 bits, and the objective to 1e-9, relative.
package siaref

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"tarry/baselines/sia/ilp"
	"tarry/fidelity/reference"
)

const (
	siaTol      = 1e-9
	siaTypes    = "configs.csv"
	siaJobsFile = "jobs.csv"
	siaOptima   = "optimum.csv"
)

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.BySets(reference.Sets{Name: "sia-ilp", Unit: "relative", Key: siaOptima, Compare: compare,
		Knows: func(s *reference.Set) bool {
			return s.Has(siaOptima, "instance objective") && s.Has(siaJobsFile, "instance raw_goodput cost_matrix_row")
		}})
}

// siaInstance is what is read of one.
type siaInstance struct {
	jobs []ilp.Job
	want [][]float64 // rows of the matrix
}

// compare solves the instances of a set.
func compare(s *reference.Set) error {
	configs, err := s.Find(s.Head+siaTypes, "reference/sia-ilp")
	if err != nil {
		if configs, err = s.Find(siaTypes, "reference/sia-ilp"); err != nil {
			return err
		}
	}
	p := ilp.Problem{Rules: ilp.Default()}
	blank, err := siaConfigs(configs, &p)
	if err != nil {
		return err
	}
	instances, err := siaJobs(s, len(p.Configs), blank)
	if err != nil {
		return err
	}
	var solver ilp.Solver
	return s.Each("objectives", siaOptima, "instance objective", func(l *reference.Line) error {
		want := l.Number("objective")
		name := l.Rows.Text(l.Row, "instance")
		off, err := siaOff(&solver, &p, instances[name], want)
		if !(off <= s.Worst) {
			s.Worst = off
		}
		if err == nil && !(off <= siaTol) {
			err = fmt.Errorf("the objective differs by %.3g from %v", off, want)
		}
		if err != nil {
			err = fmt.Errorf("instance %s: %w", name, err)
		}
		return err
	})
}

// siaOff makes the matrix of an instance, solves it, and gives the relative difference of the
// objective.
func siaOff(s *ilp.Solver, p *ilp.Problem, x *siaInstance, want float64) (float64, error) {
	if x == nil {
		return 0, fmt.Errorf("jobs.csv has none of its jobs")
	}
	n := len(p.Configs)
	p.Entries, p.Prev = make([]float64, n*len(x.jobs)), p.Prev[:0]
	for i := range x.jobs {
		row := p.Entries[i*n : (i+1)*n]
		p.Rules.Row(row, &x.jobs[i])
		p.Prev = append(p.Prev, x.jobs[i].Prev)
		for c, v := range row {
			if float32(v) != float32(x.want[i][c]) {
				return 0, fmt.Errorf("job %d, configuration %d: the entry is %v, there %v", i, c, v, x.want[i][c])
			}
		}
	}
	got, err := s.Solve(p, make([]int, len(x.jobs)))
	if err == nil && !s.Proved {
		err = fmt.Errorf("%v is not proved to be the optimum", got)
	}
	return math.Abs(got/want - 1), err
}

// siaConfigs reads the configurations and states which are of one GPU.
func siaConfigs(file string, p *ilp.Problem) (blank []int, err error) {
	r, err := reference.ReadRows(file, "config", "gpu_type", "num_nodes", "num_gpus")
	if err != nil {
		return nil, err
	}
	types := map[string]int{}
	for row := range r.Cells {
		if id := r.Text(row, "config"); id != strconv.Itoa(row) {
			return nil, fmt.Errorf("%s: row %d: configuration %q, expected %d", file, row+1, id, row)
		}
		name := r.Text(row, "gpu_type")
		t, ok := types[name]
		if !ok {
			t = len(types)
			types[name], p.Cap = t, append(p.Cap, 0)
		}
		nodes, err1 := r.Number(row, "num_nodes")
		gpus, err2 := r.Number(row, "num_gpus")
		if err := cmp.Or(err1, err2); err != nil {
			return nil, err
		}
		if !(nodes >= 1 && gpus >= nodes && gpus <= 1e6) {
			return nil, fmt.Errorf("%s: row %d: %v GPUs on %v nodes", file, row+1, gpus, nodes)
		}
		p.Configs = append(p.Configs, ilp.Config{Type: t, Nodes: int(nodes), GPUs: int(gpus)})
		p.Cap[t] = max(p.Cap[t], int(gpus))
		if gpus == 1 {
			blank = append(blank, row)
		}
	}
	return blank, nil
}

// siaJobs reads the jobs of each instance.
func siaJobs(s *reference.Set, configs int, blank []int) (map[string]*siaInstance, error) {
	r, err := s.Rows(siaJobsFile, "instance job age_s num_restarts restart_penalty_s realloc_factor prev_config "+
		"raw_goodput cost_matrix_row")
	if err != nil {
		return nil, err
	}
	file := s.File(siaJobsFile)
	out := map[string]*siaInstance{}
	for row := range r.Cells {
		x := out[r.Text(row, "instance")]
		if x == nil {
			x = &siaInstance{}
			out[r.Text(row, "instance")] = x
		}
		var v [5]float64
		for i, column := range [...]string{"age_s", "num_restarts", "restart_penalty_s", "realloc_factor",
			"prev_config"} {
			if v[i], err = r.Number(row, column); err != nil {
				return nil, err
			}
		}
		good, err1 := reference.Numbers(strings.TrimSpace(r.Text(row, "raw_goodput")))
		want, err2 := reference.Numbers(strings.TrimSpace(r.Text(row, "cost_matrix_row")))
		if err := cmp.Or(err1, err2); err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", file, row+1, err)
		}
		j := ilp.Job{Goodput: good, Blank: blank, AgeS: v[0], Restarts: int(v[1]), PenaltyS: v[2], Prev: int(v[4])}
		if len(good) != configs || len(want) != configs || v[4] < -1 || v[4] >= float64(configs) {
			return nil, fmt.Errorf("%s: row %d: %d goodputs, %d entries and configuration %v before, expected %d "+
				"configurations", file, row+1, len(good), len(want), v[4], configs)
		}
		if math.Abs(j.Restart()-v[3]) > 1e-12 {
			return nil, fmt.Errorf("%s: row %d: the restart factor is %v, there %v", file, row+1, j.Restart(), v[3])
		}
		x.jobs, x.want = append(x.jobs, j), append(x.want, want)
	}
	return out, nil
}
