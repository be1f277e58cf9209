// Package deepbootref plays the simulator of DeepBoot, a fork of Pollux', and compares it with runs of the
// original: four nodes of four GPUs, a clock of seconds, training decided every 60 s, service tasks in pods
// that are guarded for a while and then sleep. Speeds and noise are Pollux' measured tables (profiles/pollux-sim),
// choices are in tarry/baselines/deepboot/ats, fits in tarry/baselines/fit. A folder holds files
//
//	workload.csv     name, time, application, num_replicas, batch_size, duration (of tasks, s; -1 = it trains)
//	job_results.csv  policy, job, end_s, jct_s, restarts, run_s, delay_s
//	placements.csv   policy, job, time_s, before, after: GPUs per node, joined by +
//	means.csv        policy, mean_jct_s, services, mean_service_s, end_s
//
// Policies are dp (DeepBoot), dp_noafe, aryl, tiresias and optimus. Under the last three every time, restart
// and placement must be equal. The first two decide by fits, which L-BFGS-B ends elsewhere than ours, and by
// rounding elsewhere than itself; one GPU more or less then changes all that follows. So of them the delays
// must be equal to what the law of elastic training makes of the placements there, and means be within 5 %;
// their jobs are not compared one by one.
//
// compare.go has what is compared, world.go has the clock, job.go what runs,
// pods.go where tasks run, shares.go and fixed.go decisions about training, seize.go about services.
package deepbootref

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"tarry/fidelity/reference"
	"tarry/sim/speed/polluxsim"
)

// The cluster of the runs.
const (
	clusterNodes = 4
	nodeGPUs     = 4
)

// Reader compares folders of runs of DeepBoot's simulator: every time, restart and placement.
func Reader() reference.Reader {
	return reference.Reader{Name: "deepboot", Knows: knows, Compare: compare}
}

// The policies that decide by fits: with elastic training, and without.
const (
	elastic = "dp"
	rigid   = "dp_noafe"
)

func fits(policy string) bool { return policy == elastic || policy == rigid }

const (
	resultsFile    = "job_results.csv"
	placementsFile = "placements.csv"
	meansFile      = "means.csv"
	workloadFile   = "workload.csv"
)

func knows(f *reference.Folder) bool {
	_, err := reference.ReadRows(filepath.Join(f.Dir, workloadFile), "name", "time", "application", "duration")
	if err != nil {
		return false
	}
	_, err = reference.ReadRows(filepath.Join(f.Dir, resultsFile), "policy", "job", "end_s", "jct_s", "restarts",
		"run_s", "delay_s")
	return err == nil
}

// comparison is a folder and the runs that were played for it, by policy.
type comparison struct {
	reference.Outcome
	folder *reference.Folder
	table  *polluxsim.Table
	lines  *reference.Rows // of the workload
	runs   map[string]*world
	moved  map[key][]move // as the file has them
	order  []key          // of the file
}

func compare(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
	c := &comparison{folder: f, runs: map[string]*world{}, moved: map[key][]move{}}
	c.Unit = "s"
	file, err := f.Find("validation.csv", "profiles/pollux-sim")
	if err != nil {
		return c.Outcome, err
	}
	if c.table, err = polluxsim.Open(filepath.Dir(file)); err != nil {
		return c.Outcome, err
	}
	if c.lines, err = reference.ReadRows(filepath.Join(f.Dir, workloadFile), "name", "time", "application",
		"num_replicas", "batch_size", "duration"); err != nil {
		return c.Outcome, err
	}
	c.Reads(workloadFile)
	if err := c.read(); err != nil {
		return c.Outcome, err
	}
	for _, part := range []func(context.Context) error{c.results, c.placements, c.means} {
		if err := part(ctx); err != nil {
			return c.Outcome, err
		}
	}
	return c.Outcome, nil
}

// world builds the run of a policy; false where there is none of this name.
func (c *comparison) world(name string) (*world, bool, error) {
	w := &world{table: c.table, nodes: clusterNodes, gpus: nodeGPUs, afe: name == elastic, aryl: name == "aryl"}
	tuned := fits(name)
	switch name {
	case elastic, rigid:
		w.policy = deepBoot{}
	case "aryl":
		w.policy = aryl{}
	case "tiresias":
		w.policy = &tiresias{runs: map[int]bool{}, seen: map[int]int{}, executed: map[int]int{}, met: map[int]bool{}}
	case "optimus":
		w.policy = optimus{}
	default:
		return nil, false, nil
	}
	for i := range c.lines.Cells {
		j, err := c.job(i)
		if err != nil {
			return nil, true, err
		}
		if tuned {
			j.batch = 0
		}
		if j.model == "ncf" && (tuned || w.aryl) {
			j.batch = 32768
		}
		w.jobs = append(w.jobs, j)
	}
	return w, true, w.run()
}

// job reads a line of the workload.
func (c *comparison) job(row int) (*job, error) {
	l := reference.Line{Rows: c.lines, Row: row}
	j := &job{id: row, name: c.lines.Text(row, "name"), app: c.lines.Text(row, "application"), submit: l.Count("time"),
		target: l.Count("num_replicas"), batch: l.Count("batch_size"), duration: l.Number("duration"), end: -1, began: -1,
		ends: -1, restarts: -1, pod: -1}
	if l.Err != nil {
		return nil, l.Err
	}
	j.model, j.service = strings.CutPrefix(base(j.app), serviceMark+"-")
	if j.service {
		if j.target, j.batch = 1, 1; serviceStarts()[j.model] == 0 {
			return nil, fmt.Errorf("%s: row %d: no start-up of %q", c.lines.File, row+1, j.app)
		}
		return j, nil
	}
	p, ok := c.table.Profile(j.model)
	if !ok || firsts()[j.model] == 0 || j.target < 1 || j.batch < 1 {
		return nil, fmt.Errorf("%s: row %d: %q on %d GPUs with %d samples, expected an application of %s", c.lines.File,
			row+1, j.model, j.target, j.batch, c.table.Dir)
	}
	j.profile, j.limits = p, p.Limits()
	return j, nil
}

// played gives the run of a policy, made once; nil where there is none, which is noted of the file.
func (c *comparison) played(ctx context.Context, file, name string) (*world, error) {
	if w, ok := c.runs[name]; ok || ctx.Err() != nil {
		return w, ctx.Err()
	}
	w, ok, err := c.world(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if !ok {
		c.Leave("rows", file, 0, "the policy "+name+" is not modelled")
		w = nil
	}
	c.runs[name] = w
	return w, nil
}

// of is the job of a name, nil = there is none.
func (w *world) of(name string) *job {
	for _, j := range w.jobs {
		if j.name == name {
			return j
		}
	}
	return nil
}
