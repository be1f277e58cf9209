package report

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"tarry/internal/rundir"
	"tarry/output/results"
)

// run is one trial with what the charts need of its jobs.
type run struct {
	row results.Trial
	// dir is the folder of its tables; cell its number in the sweep, -1 outside; seed the cell's.
	dir  string
	cell int
	id   string
	seed uint64
	// policy and setting are what it is compared by; axes are the cell's.
	policy, setting string
	axes            []axisValue
	// fitted states that it is of an agent that was trained or of a scheduler that was tuned.
	fitted bool
	// jct, queue and slowdown of each job in the order of the table; nil = not read.
	jct, queue, slowdown []float64
	// measured are the measures of all its jobs, sought that they were looked for.
	measured []measured
	// tenants are its tenants that the page shows; nil = none.
	tenants map[tenantKey]float64
	sought  bool
	// cost is a window's cost in an environment outside the simulator, which costName names; "" = a
	// trial. Of a cost only the keys of row are set.
	cost     float64
	costName string
	seeded   bool // it differs by training seed: an agent, trained or not
	// power is what it drew over time, asked that it was looked for.
	power []results.PowerSample
	asked bool
	// served is what its services did over time, askedServed that it was looked for.
	served      []results.ServiceSample
	askedServed bool
	// drawn is the timeline as far as it was read, for the bound drawnFor, and jobs are its jobs.
	drawn    *timeline
	drawnFor bound
	jobs     *workload
	types    []typed // what it did on GPUs of each type, known with the timeline; nil = the cluster has one
	undrawn  string  // why there is none; "" = it was drawn, or has no intervals
}

// files lists the Parquet files of a table below dir, in order; none is no error.
func files(dir, table string) ([]results.Target, error) {
	root := filepath.Join(dir, table)
	var out []results.Target
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_") {
			if d.IsDir() && path != root {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() || filepath.Ext(path) != ".parquet" {
			return nil
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		part, err := results.ParsePartition(rel)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		out = append(out, results.Target{Path: path, Part: part})
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return out, err
}

// limits bound the rows that one page reads, by table. A small file can hold millions of equal
// rows, so that the size of the files shows nothing; the footer of each is asked before a row is
// read.
type limits struct {
	trials, curves, tune, jobs, spans, measures, power, services int64
}

func defaultLimits() limits {
	return limits{trials: 200_000, curves: 2_000_000, tune: 1_000_000, jobs: 2 * maxJobValues, spans: 20_000_000,
		measures: 2 * maxJobValues, power: 2_000_000, services: 2_000_000}
}

// tooMany is the error of a file that has more rows than are taken.
type tooMany interface {
	error
	TooManyRows() (rows, most int64)
}

// fullPage notes it in the words of the page.
type fullPage struct {
	tooMany
	text string
}

func (e fullPage) Error() string { return e.text }

// scan reads a table below dir file by file, and takes its rows from what is left; a file with more
// is an error.
func scan[T results.Row](ctx context.Context, dir string, left *int64, each func([]T) error) error {
	var row T
	all, err := files(dir, row.Table())
	if err != nil {
		return err
	}
	for _, f := range all {
		if _, err := scanFile(ctx, f, left, each); err != nil {
			return err
		}
	}
	return nil
}

// scanFile does so with one file.
func scanFile[T results.Row](ctx context.Context, f results.Target, left *int64, each func([]T) error) (results.Meta,
	error) {
	before := *left
	meta, err := results.ScanTarget(ctx, f, before, func(rows []T) error {
		*left -= int64(len(rows))
		return each(rows)
	})
	var more tooMany
	if errors.As(err, &more) {
		var row T
		rows, _ := more.TooManyRows()
		err = fullPage{more, fmt.Sprintf("report: %s has %d rows of the table %s, expected at most %d: that is what "+
			"the page still takes (docs/howto/report.md, Bounds)", f.Path, rows, row.Table(), before)}
	}
	return meta, err
}

// family names an agent or a tuned scheduler without its seed and its numbers, from "ppo of ENV,
// seed 1, ..." or "dally-manual:t_rack=2, tuned by tpe with seed 1, ...".
func family(agent string) string {
	if policy, rest, ok := strings.Cut(agent, ", tuned by "); ok {
		policy, _, _ = strings.Cut(policy, ":")
		by, _, _ := strings.Cut(rest, " with seed ")
		return policy + ", tuned by " + by
	}
	name, _, _ := strings.Cut(agent, " of ")
	return name
}

// loadRuns reads the trials below dir. What was trained or tuned in a sweep is known by its name
// without its seed, so that runs with several seeds meet.
func loadRuns(ctx context.Context, dir string, sweep bool, left *int64) ([]*run, error) {
	var evals []results.Eval
	most := *left
	err := scan(ctx, dir, &most, func(rows []results.Eval) error {
		evals = append(evals, rows...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	var trials []results.Trial
	err = scan(ctx, dir, left, func(rows []results.Trial) error {
		trials = append(trials, rows...)
		return nil
	})
	return runsOf(dir, evals, trials, sweep), err
}

// runsOf makes runs of the trials in a folder, in the order of the evals, which is as tarry eval
// wrote them, agents first; behind them one of each cost.
func runsOf(dir string, evals []results.Eval, trials []results.Trial, sweep bool) []*run {
	agent := map[string]string{}
	var order []string
	for i := range evals {
		if _, ok := agent[evals[i].Policy]; !ok {
			order = append(order, evals[i].Policy)
			agent[evals[i].Policy] = family(evals[i].Agent)
		}
	}
	begin := func(k results.Keys) *run {
		one := &run{row: results.Trial{Keys: k}, dir: dir, cell: -1, policy: k.Policy}
		if name := agent[k.Policy]; name != "" && sweep {
			one.policy, one.fitted = name, true
		}
		return one
	}
	byPolicy := map[string][]*run{}
	for _, r := range trials {
		one := begin(r.Keys)
		one.row = r
		if byPolicy[r.Policy] == nil && !slices.Contains(order, r.Policy) {
			order = append(order, r.Policy)
		}
		byPolicy[r.Policy] = append(byPolicy[r.Policy], one)
	}
	var out []*run
	for _, p := range order {
		out = append(out, byPolicy[p]...)
	}
	for i := range evals {
		if e := &evals[i]; e.CostName != "" {
			one := begin(e.Keys)
			one.cost, one.costName = e.Cost, e.CostName
			one.seed, one.fitted, one.seeded = e.TrainSeed, e.Agent != "", e.TrainSeed != results.NoSeed
			out = append(out, one)
		}
	}
	return out
}

// loadJobs reads the jobs of runs that lie in one folder.
func loadJobs(ctx context.Context, runs []*run, left *int64) error {
	if len(runs) == 0 {
		return nil
	}
	by := map[results.Keys]*run{}
	for _, r := range runs {
		by[r.row.Keys] = r
	}
	return scan(ctx, runs[0].dir, left, func(rows []results.Job) error {
		for i := range rows {
			j := &rows[i]
			if r := by[j.Keys]; r != nil {
				r.jct, r.queue, r.slowdown = append(r.jct, j.JCT), append(r.queue, j.Queue),
					append(r.slowdown, j.Slowdown)
			}
		}
		return nil
	})
}

// readText reads a small file for the page; absent = "".
func readText(path string) (string, error) {
	data, err := rundir.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("report: %w", err)
	}
	return pretty(data), nil
}
