package trial

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"tarry/output/durable"
	"tarry/output/results"
	"tarry/sim"
)

// store keeps the rows of one trial; the zero value keeps nothing.
type store struct {
	ctx       context.Context
	root      string
	keys      results.Keys
	meta      results.Meta
	intervals *results.Writer[results.Interval]
	files     *results.Batch
	own       bool // files are the trial's
	unsynced  *durable.Unsynced
	keep      []string // tables whose rows go into the Result
}

// newStore prepares the place of a trial below root; root "" keeps nothing, and rows of the trial
// then have hashes only where the workload's is known already.
func newStore(ctx context.Context, opt Options, t *Trial) *store {
	hash := t.WorkloadSHA256
	switch {
	case opt.Out == "" && hash == "":
		return &store{keep: opt.Keep}
	case opt.Out == "":
		return &store{meta: results.NewMeta(t.Config, hash, opt.Version), keep: opt.Keep}
	case hash == "":
		hash = t.Workload.Hash()
	}
	s := &store{ctx: ctx, root: opt.Out, meta: results.NewMeta(t.Config, hash, opt.Version), keys: t.Keys,
		files: opt.Files, unsynced: opt.Unsynced, keep: opt.Keep}
	s.meta.Codec = opt.Codec
	if s.own = s.files == nil; s.own {
		s.files = &results.Batch{}
	}
	return s
}

// keeps reports whether the rows of a table go into the Result.
func (s *store) keeps(r results.Row) bool { return slices.Contains(s.keep, r.Table()) }

func (s *store) wants() bool { return s.root != "" }

func (s *store) target(table string) results.Target {
	t := s.keys.Target(s.root, table, s.meta)
	t.Files = s.files
	return t
}

// begin opens the intervals, which are written while the trial runs. The trials file of an
// earlier run goes first: while it is there, the trial counts as whole.
func (s *store) begin() (err error) {
	if !s.wants() {
		return nil
	}
	// not all are written where they have no rows
	for _, table := range []string{"trials", "measures", "power", "services"} {
		if err := os.Remove(s.target(table).Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	old := results.Partition{{Key: "policy", Value: s.keys.Policy},
		{Key: "replicate", Value: strconv.FormatInt(s.keys.Replicate, 10)}}
	for _, table := range tables() { // where earlier versions wrote: the trial would be there twice
		if err := os.RemoveAll(filepath.Dir(old.Target(s.root, table, s.meta).Path)); err != nil {
			return err
		}
		// Readers of folders take an empty key=value folder for nothing; it goes when its last
		// trial goes.
		_ = os.Remove(filepath.Dir(filepath.Dir(old.Target(s.root, table, s.meta).Path)))
	}
	s.intervals, err = results.Create[results.Interval](s.ctx, s.target("intervals"))
	return err
}

// tables names the tables of a trial.
func tables() []string {
	return []string{"trials", "jobs", "intervals", "cluster", "power", "services", "predictions", "measures"}
}

// abort leaves nothing half-written.
func (s *store) abort() {
	if s.intervals != nil {
		s.intervals.Abort()
	}
	if s.own {
		s.files.Abort()
	}
}

// finish writes the other tables, trials last.
func (s *store) finish(t *Trial, e *sim.Engine, w *watch, r *Result) error {
	r.Row.ConfigSHA256, r.Row.WorkloadSHA256, r.Row.Version = s.meta.ConfigSHA256, s.meta.WorkloadSHA256, s.meta.Version
	r.Predicted = s.wants() && t.Predictor != nil
	s.hold(t, e, w, r)
	if !s.wants() {
		return nil
	}
	closed := make(chan error, 1)
	go func() { closed <- s.intervals.Close() }() // while the jobs are written
	err := s.finishJobs(t, e)
	if err = errors.Join(<-closed, err); err != nil {
		return err
	}
	if err := results.Write(s.ctx, s.target("cluster"), w.taken); err != nil {
		return err
	}
	if w.power != nil {
		if err := results.Write(s.ctx, s.target(results.PowerSample{}.Table()), w.power.rows(t.Keys)); err != nil {
			return err
		}
	}
	if t.Services != nil {
		target := s.target(results.ServiceSample{}.Table())
		if err := results.Write(s.ctx, target, w.served.rows(t.Keys)); err != nil {
			return err
		}
	}
	return s.finishRows(t, e, r)
}

// finishJobs writes the table of jobs.
func (s *store) finishJobs(t *Trial, e *sim.Engine) error {
	jobs, err := results.Create[results.Job](s.ctx, s.target("jobs"))
	if err != nil {
		return err
	}
	for id := range t.Workload.Jobs {
		row, err := jobs.Row()
		if err != nil {
			return err
		}
		*row = t.jobRow(e.Record(sim.JobID(id)))
	}
	return jobs.Close()
}

// finishRows writes the tables of a few rows, trials last, and gives all files their names.
func (s *store) finishRows(t *Trial, e *sim.Engine, r *Result) error {
	if r.Predicted {
		if err := results.Write(s.ctx, s.target(results.Prediction{}.Table()),
			[]results.Prediction{t.foretold(e)}); err != nil {
			return err
		}
	}
	if rows := r.Measures; len(rows) > 0 {
		if !s.keeps(results.Measure{}) {
			rows = t.withJobs(rows)
		}
		if err := results.Write(s.ctx, s.target(results.Measure{}.Table()), rows); err != nil {
			return err
		}
	}
	if err := results.Write(s.ctx, s.target("trials"), []results.Trial{r.Row}); err != nil || !s.own {
		return err
	}
	return s.files.CommitTo(s.unsynced)
}

// hold puts the rows that are to be kept into the result; rows of intervals are there already.
func (s *store) hold(t *Trial, e *sim.Engine, w *watch, r *Result) {
	if s.keeps(results.Job{}) {
		r.Jobs = make([]results.Job, len(t.Workload.Jobs))
		for id := range r.Jobs {
			r.Jobs[id] = t.jobRow(e.Record(sim.JobID(id)))
		}
	}
	if s.keeps(results.Sample{}) {
		r.Samples = w.taken
	}
	if s.keeps(results.PowerSample{}) && w.power != nil {
		r.Power = w.power.rows(t.Keys)
	}
	if s.keeps(results.ServiceSample{}) && t.Services != nil {
		r.Services = w.served.rows(t.Keys)
	}
	if s.keeps(results.Measure{}) {
		r.Measures = t.withJobs(r.Measures)
	}
	if s.keeps(results.Prediction{}) && t.Predictor != nil {
		r.Predictions = []results.Prediction{t.foretold(e)}
	}
}

// reuse gives the result of an earlier run of the same trial, nil when there is none. A file
// that is missing, broken, or of another configuration means that there is none.
func (s *store) reuse(t *Trial) *Result {
	if !s.wants() {
		return nil
	}
	r := &Result{Reused: true}
	n := 0
	whole := scan(s, func(row results.Trial) bool {
		n++
		r.Row = row
		return n == 1 && row.Keys == t.Keys && row.Finished >= 0 && // earlier versions did not count
			(row.Finished == 0 || !math.IsNaN(row.BSLDMean)) // nor have this column
	}) && n == 1
	whole = whole && scan(s, func(row results.Job) bool {
		id := len(r.JCT)
		r.JCT = append(r.JCT, row.JCT)
		if s.keeps(row) {
			r.Jobs = append(r.Jobs, row)
		}
		return id < len(t.Workload.Jobs) && row.Outcome != "" && row.ID == t.Workload.Jobs[id].ID
	}) && len(r.JCT) == len(t.Workload.Jobs)
	uses := newTypeUse(t.Topology)
	whole = whole && scan(s, func(row results.Interval) bool {
		if uses != nil && uses.read(&row) != nil {
			return false
		}
		if t.KeepIntervals {
			r.Intervals = append(r.Intervals, row)
		}
		return true
	})
	whole = whole && scan(s, func(row results.Sample) bool {
		if s.keeps(row) {
			r.Samples = append(r.Samples, row)
		}
		return true
	})
	if r.Powered = t.Power != nil; r.Powered && whole {
		whole = scan(s, func(row results.PowerSample) bool {
			if s.keeps(row) {
				r.Power = append(r.Power, row)
			}
			return row.Keys == t.Keys
		})
	}
	if r.Served = t.Services != nil; r.Served && whole {
		whole = scan(s, func(row results.ServiceSample) bool {
			if s.keeps(row) {
				r.Services = append(r.Services, row)
			}
			return row.Keys == t.Keys
		})
	}
	if r.Predicted = t.Predictor != nil; r.Predicted && whole {
		whole = scan(s, func(row results.Prediction) bool {
			if s.keeps(row) {
				r.Predictions = append(r.Predictions, row)
			}
			return row.Keys == t.Keys
		})
	}
	if !whole || !s.reuseMeasures(t, r) {
		return nil
	}
	r.Refused, r.Types = refused(t), uses.uses()
	return r
}

// errOther ends a scan of a file that is another trial's.
var errOther = errors.New("trial: the file belongs to another trial")

// scan reads the trial's file of a table; false when it is not there or not whole, of another
// configuration, or a row is not as expected.
func scan[T results.Row](s *store, expected func(T) bool) bool {
	var zero T
	meta, err := results.ScanTarget(s.ctx, s.target(zero.Table()), math.MaxInt64, func(rows []T) error {
		for _, row := range rows {
			if !expected(row) {
				return errOther
			}
		}
		return nil
	})
	return err == nil && meta == s.meta
}

// refused names the jobs that the cluster can never hold.
func refused(t *Trial) []Refusal {
	var jobs []Refusal
	for i := range t.Workload.Jobs {
		if j := &t.Workload.Jobs[i]; !j.Fits(t.Topology) {
			jobs = append(jobs, Refusal{j.ID, j.Refusal(t.Topology)})
		}
	}
	return jobs
}

// Files lists the files of the results, relative to root, for a manifest.
func Files(root string, of []*Result) []string {
	var files []string
	for _, r := range of {
		for _, table := range tables() {
			if table == (results.Prediction{}).Table() && !r.Predicted || table == (results.Measure{}).Table() &&
				len(r.Measures) == 0 || table == (results.PowerSample{}).Table() && !r.Powered ||
				table == (results.ServiceSample{}).Table() && !r.Served {
				continue
			}
			if rel, err := filepath.Rel(root, r.Row.Keys.Target(root, table, results.Meta{}).Path); err == nil {
				files = append(files, rel)
			}
		}
	}
	return files
}
