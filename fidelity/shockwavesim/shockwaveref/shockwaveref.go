// Package shockwaveref compares shockwave-sim with Shockwave's own simulator. A folder holds files
//
//	jobs__POLICY.csv    job, jct_s, ftf_static
//	rounds__POLICY.csv  round, jobs (JOB:GPUs, separated by blanks); from which the jobs' gangs follow, may be absent
//	summary.csv         policy, makespan_s, mean_jct_s, worst_ftf, pct_jobs_ftf_over_1.05
//
// The trace is from traces/shockwave (or of the folder) with as many jobs and the same gangs; its
// name states how many GPUs there are: NAME32_120. Every ftf_static must follow from its jct_s and
// the job's profile. Makespans and means of the policies that are modelled must be within 3 %, the
// part of jobs that are treated unfairly within 4 points and the worst ratio within 15 %, as near
// as the three published runs of Shockwave are to one another.
package shockwaveref

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tarry/fidelity/reference"
	"tarry/run/config"
	profile "tarry/sim/speed/shockwave"
)

var shockJobs = regexp.MustCompile(`^jobs__(.+)\.csv$`)

var shockTrace = regexp.MustCompile(`^[^0-9]*([0-9]+)_[0-9]+\.csv$`)

var shockSummary = []string{"policy", "makespan_s", "mean_jct_s", "worst_ftf", "pct_jobs_ftf_over_1.05"}

// How far apart results may be.
const (
	shockTime   = 0.03 // of makespan and mean
	shockUnfair = 4.0  // percentage points of the jobs
	shockWorst  = 0.15 // of the worst ratio
)

// Reader compares folders of results of that program.
func Reader() reference.Reader {
	return reference.Reader{
		Name: "shockwave", Variants: []string{"shockwave-sim"}, Knows: isShockwave, Compare: compareShockwave,
	}
}

// outcome gathers how a folder compares.
type outcome struct{ reference.Outcome }

func isShockwave(f *reference.Folder) bool {
	if !slices.ContainsFunc(f.Files, shockJobs.MatchString) {
		return false
	}
	_, err := reference.ReadRows(filepath.Join(f.Dir, "summary.csv"), shockSummary...)
	return err == nil
}

// shockPolicy is a policy of that simulator in tarry's words; "" = it is not modelled.
func shockPolicy(name string) string {
	switch {
	case name == "shockwave" || strings.HasSuffix(name, "_shockwave"):
		return "shockwave"
	case name == "max_min_fairness":
		return "max-min"
	case name == "gandiva_fair":
		return "gandiva-fair"
	}
	return ""
}

// shockRun is what the runs of a folder share.
type shockRun struct {
	trace, dir, name string // the file, the folder of profiles, the name of the trace
	gpus             string
	folder           *reference.Folder
	jobs             *reference.Rows
	alone            map[string]float64 // s by the profile times jobs / GPUs
	done             map[string]map[string]reference.Life
}

func compareShockwave(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
	o := outcome{reference.Outcome{Unit: "of makespan or mean"}}
	s, err := reference.ReadRows(filepath.Join(f.Dir, "summary.csv"), shockSummary...)
	if err != nil {
		return o.Outcome, err
	}
	r, err := findRun(f)
	if err != nil {
		return o.Outcome, err
	}
	for _, name := range f.Files {
		if strings.HasPrefix(name, "bs_pattern_") || filepath.Join(f.Dir, name) == r.trace {
			o.Reads(name)
		}
	}
	if err := o.shockAlone(f, r); err != nil {
		return o.Outcome, err
	}
	for i := range s.Cells {
		if err := o.shockRow(ctx, r, s, i); err != nil {
			return o.Outcome, err
		}
	}
	return o.Outcome, nil
}

// findRun finds the trace of a folder and the profile of its jobs.
func findRun(f *reference.Folder) (*shockRun, error) {
	table, err := f.Find("v100_isolated.csv", "profiles/shockwave")
	if err != nil {
		return nil, err
	}
	gangs, n, err := shockGangs(f)
	if err != nil {
		return nil, err
	}
	places := []string{filepath.Join(f.Dir, "*.csv")}
	for _, b := range f.Beside {
		places = append(places, filepath.Join(b, "traces", "shockwave", "*.csv"))
	}
	for _, p := range places {
		files, _ := filepath.Glob(p)
		for _, file := range files {
			m := shockTrace.FindStringSubmatch(filepath.Base(file))
			jobs, err := reference.ReadRows(file, "job", "job_type", "scale_factor")
			if m == nil || err != nil || len(jobs.Cells) != n || !sameGangs(jobs, gangs) {
				continue
			}
			r := &shockRun{trace: file, dir: filepath.Dir(table),
				name: strings.TrimSuffix(filepath.Base(file), ".csv"), gpus: m[1], folder: f, jobs: jobs,
				done: map[string]map[string]reference.Life{}}
			return r, r.profile()
		}
	}
	return nil, fmt.Errorf("no trace NAME<GPUs>_<jobs>.csv with %d jobs of the same gangs in %q (TARRY_SHARED names "+
		"the folder of the shared data)", n, places)
}

// shockGangs reads the jobs' gangs where rounds have them, and counts the jobs.
func shockGangs(f *reference.Folder) (gangs map[string]string, n int, err error) {
	gangs = map[string]string{}
	for _, name := range f.Files {
		switch {
		case shockJobs.MatchString(name):
			r, err := reference.ReadRows(filepath.Join(f.Dir, name), "job", "jct_s", "ftf_static")
			if err != nil {
				return nil, 0, err
			}
			n = max(n, len(r.Cells))
		case strings.HasPrefix(name, "rounds__"):
			r, err := reference.ReadRows(filepath.Join(f.Dir, name), "round", "jobs")
			if err != nil {
				return nil, 0, err
			}
			for i := range r.Cells {
				for _, one := range strings.Fields(r.Text(i, "jobs")) {
					job, gpus, _ := strings.Cut(one, ":")
					gangs[job] = gpus
				}
			}
		}
	}
	return gangs, n, nil
}

// sameGangs reports whether the jobs of a trace have these gangs.
func sameGangs(r *reference.Rows, want map[string]string) bool {
	for i := range r.Cells {
		if g, ok := want[r.Text(i, "job")]; ok && g != r.Text(i, "scale_factor") {
			return false
		}
	}
	return true
}

// profile computes how long each job would take with its part of the cluster.
func (r *shockRun) profile() error {
	p, err := profile.Open(r.dir, r.name)
	if err != nil {
		return err
	}
	gpus := 0.0
	if _, err := fmt.Sscan(r.gpus, &gpus); err != nil || gpus == 0 {
		return errors.New("the trace's name states no number of GPUs")
	}
	r.alone = map[string]float64{}
	for i := range r.jobs.Cells {
		id := r.jobs.Text(i, "job")
		model, _ := profile.Split(r.jobs.Text(i, "job_type"))
		g, err := r.jobs.Number(i, "scale_factor")
		if err != nil {
			return err
		}
		s := p.Job(id)
		if s == nil {
			return fmt.Errorf("job %s of %s is not in the profile", id, r.trace)
		}
		r.alone[id] = p.AloneS(model, s, int(g)) * max(1, float64(len(r.jobs.Cells))/gpus)
	}
	return nil
}

// shockAlone compares how long each job takes with its part of the cluster, which the policy and
// its measures stand on: in every file its ratio is its completion time over that. A job counts
// once; the completion times themselves are stored ones.
func (o *outcome) shockAlone(f *reference.Folder, r *shockRun) error {
	bad, seen := map[string]string{}, map[string]bool{}
	last := ""
	for _, name := range f.Files {
		if strings.HasPrefix(name, "rounds__") {
			o.Leave("rounds", name, 0, "they are read for the jobs' gangs; which jobs run in a round differs with "+
				"the solver")
		}
		if !shockJobs.MatchString(name) {
			continue
		}
		last = name
		stored, err := reference.ReadRows(filepath.Join(f.Dir, name), "job", "jct_s", "ftf_static")
		if err != nil {
			return err
		}
		o.Leave("completion times", name, len(stored.Cells), "a job's own differs with the solver: means and "+
			"makespans are compared")
		for i := range stored.Cells {
			jct, err1 := stored.Number(i, "jct_s")
			ratio, err2 := stored.Number(i, "ftf_static")
			if err := errors.Join(err1, err2); err != nil {
				return err
			}
			id := stored.Text(i, "job")
			if seen[id] = true; !(math.Abs(jct/r.alone[id]-ratio) <= 0.51e-5) && bad[id] == "" {
				bad[id] = fmt.Sprintf("%s: job %s takes %.6g s with its part of the cluster, there %.6g s", name, id,
					r.alone[id], jct/ratio)
			}
		}
	}
	o.Many("times alone", last, len(seen)-len(bad), len(seen))
	for _, id := range slices.Sorted(maps.Keys(bad)) {
		o.Short = append(o.Short, bad[id])
	}
	return nil
}

// shockRow compares a row of the summary: four things.
func (o *outcome) shockRow(ctx context.Context, r *shockRun, s *reference.Rows, row int) error {
	name := s.Text(row, "policy")
	policy := shockPolicy(name)
	if policy == "" {
		o.Leave("rows", "summary.csv", 1, "the policy "+name+" of the simulator is not modelled")
		return nil
	}
	if first := slices.IndexFunc(s.Cells, func(c []string) bool {
		return shockPolicy(
			c[s.At["policy"]]) == policy
	}); shockPlain(s, policy, first) != row {
		o.Leave("rows", "summary.csv", 1, "further published runs of "+policy+": they show how far its runs are apart")
		return nil
	}
	lives, err := r.run(ctx, policy)
	if err != nil {
		return err
	}
	sum, span, worst, unfair := 0.0, 0.0, 0.0, 0.0
	for i := range r.jobs.Cells {
		id := r.jobs.Text(i, "job")
		l := lives[id]
		sum += l.End - l.Submit
		span = max(span, l.End)
		rho := (l.End - l.Submit) / r.alone[id]
		worst = max(worst, rho)
		if rho > 1.05 {
			unfair++
		}
	}
	n := float64(len(r.jobs.Cells))
	for _, c := range []struct {
		column      string
		got, within float64
		part        bool
	}{
		{"makespan_s", span, shockTime, true}, {"mean_jct_s", sum / n, shockTime, true},
		{"worst_ftf", worst, shockWorst, true}, {"pct_jobs_ftf_over_1.05", 100 * unfair / n, shockUnfair, false},
	} {
		want, err := r.nearest(s, row, c.column, c.got)
		if err != nil {
			return err
		}
		d := math.Abs(c.got - want)
		if c.part {
			d /= want
			if c.within == shockTime {
				o.Worst = max(o.Worst, d)
			}
		}
		line := fmt.Sprintf("%s: %s is %.6g, expected %.6g", name, c.column, c.got, want)
		if o.One("figures", "summary.csv", d <= c.within); d <= c.within {
			o.Beyond = append(o.Beyond, line)
		} else {
			o.Short = append(o.Short, line+fmt.Sprintf(" within %g", c.within))
		}
	}
	return nil
}

// shockPlain is the row that a policy is compared with: the row of its own name, else the first.
func shockPlain(s *reference.Rows, policy string, first int) int {
	if i := slices.IndexFunc(s.Cells, func(c []string) bool { return c[s.At["policy"]] == policy }); i >= 0 {
		return i
	}
	return first
}

// nearest is what a row has in a column. Rows of further runs of a policy (NAME_shockwave) show how
// far runs with other settings are apart: there it is the nearest of what the runs of that policy
// have.
func (r *shockRun) nearest(s *reference.Rows, row int, column string, got float64) (float64, error) {
	want, err := s.Number(row, column)
	if err != nil || !strings.HasSuffix(s.Text(row, "policy"), "_shockwave") {
		return want, err
	}
	for i := range s.Cells {
		if shockPolicy(s.Text(i, "policy")) != "shockwave" {
			continue
		}
		v, err := s.Number(i, column)
		if err != nil {
			return 0, err
		}
		if math.Abs(v-got) < math.Abs(want-got) {
			want = v
		}
	}
	return want, nil
}

// run gives the lives of the jobs under a policy.
func (r *shockRun) run(ctx context.Context, policy string) (map[string]reference.Life, error) {
	if l := r.done[policy]; l != nil {
		return l, nil
	}
	c := config.Default()
	c.Trace, c.Cluster = "shockwave:"+r.trace, "1x"+r.gpus+"x1"
	c.Speed = "shockwave:" + r.dir + ",trace=" + r.name + ",batches=fixed"
	c.Policies = []string{"shockwave-sim:policy=" + policy + ",profile=" + r.dir + ",trace=" + r.name}
	if r.gpus == "128" { // as its configuration file has it
		c.Policies[0] += ",lambda=15"
	}
	l, err := r.folder.Simulate(ctx, c)
	r.done[policy] = l
	return l, err
}
