package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"tarry/env/schedenv"
	"tarry/internal/legible"
	"tarry/internal/run/bounds"
	"tarry/internal/run/compare"
	"tarry/internal/run/evaluate"
	"tarry/internal/run/trial"
	"tarry/internal/run/tune"
	"tarry/internal/stats"
	"tarry/output/knows"
	"tarry/output/results"
	"tarry/sim/param"
)

func (from program) evalCommand() *cli.Command {
	return &cli.Command{
		Name:  "eval",
		Usage: "compare trained agents with schedulers, on jobs that training never saw",
		UsageText: "tarry eval --checkpoint run --baselines dally,tiresias,fifo\n" +
			"tarry eval --checkpoint run --baselines dally --cluster 8x4x8 --count 30 --out evaluation --format json\n" +
			"tarry eval --tuned tuned --baselines dally --count 30\n" +
			"tarry eval --actor python:mine:policy --env tarry/Preempt-v0:load=1.2 --baselines dally",
		Description: "A frozen agent is run by the code that runs every scheduler, on complete windows of jobs, from the first to the\n" +
			"last. Windows that training or the choice of its checkpoint saw are refused, by the hash of their jobs. Policies\n" +
			"with settings of their own (dally:lease=600) are given by --baseline, once for each. Checkpoints that differ in\n" +
			"the seed of their training alone are one agent too, \"ppo (5 seeds)\", with intervals over seeds and windows.\n" +
			"Windows of a mixture are of its scenarios in turn; a second table has each scenario, against dally.\n\n" +
			"Columns, means over the windows:\n" + compare.Help() +
			"  train_seed, checkpoint_sha256  (json, csv) seed of the training or tuning, and hash of what is measured\n" +
			"  jobs_compared            (json, csv) jobs of all windows that all policies finished: what follows is over them\n" +
			"  jct_iqm_s, _lo_s, _hi_s  interquartile mean of the windows' mean completion times, with its 95 % interval\n" +
			"  jct_mean_diff_s, ...     mean completion time minus the first agent's on the same windows, with its 95 % interval\n" +
			"  improvement, _lo, _hi    share of windows on which the first agent's is smaller, with its 95 % interval\n" +
			"  profile_1.1, _lo, _hi    (json, csv) share of windows on which it is less than 1.1 times the least of all policies",
		Flags: append([]cli.Flag{
			&cli.StringSliceFlag{Name: "checkpoint", Usage: "the `DIR` of tarry train; repeatable, the first is compared with all others"},
			&cli.StringSliceFlag{Name: "tuned", Usage: "the `DIR` of tarry tune: the scheduler that it chose; repeatable, the first is the one that is compared when there is no agent"},
			&cli.StringFlag{Name: "which", Value: "best", Usage: "checkpoint of each: `best` on validation, or last"},
			&cli.StringFlag{Name: "baselines", Usage: "`NAME,...` of schedulers (see tarry list policies)"},
			&cli.StringSliceFlag{Name: "baseline", Usage: "one scheduler as `NAME:key=value,...`; repeatable"},
			boundsFlag(),
			&cli.StringFlag{Name: "windows", Value: string(schedenv.Test), Usage: "`PART` that windows are taken from: test, validation or train (training saw the last)"},
			&cli.IntFlag{Name: "count", Value: 10, Usage: "`N` windows"},
			&cli.StringFlag{Name: "cluster", Usage: "another cluster than that of training, `NAME` or RxMxG"},
			&cli.StringFlag{Name: "trace", Usage: "take the windows from a trace, `FORMAT:PATH` or synth:NAME, split 70/15/15 by time"},
			&cli.StringSliceFlag{Name: "set", Usage: "another option of the environment, `KEY=VALUE` (load, workload, speed, ...); repeatable"},
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "run `N` simulations at once, 0 = one per processor; never changes a result"},
			&cli.StringFlag{Name: "plot", Usage: "draw completion times, means, differences and the performance profile into `DIR` (PNG, SVG, PDF, and the data as CSV and Parquet)"},
			&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "write Parquet tables into `DIR`, evals among them"},
			&cli.BoolFlag{Name: "force", Usage: "replace the results of another configuration in the folder of --out"},
			&cli.StringFlag{Name: "format", Value: "table", Usage: "`FORMAT` of the result: table, json or csv"},
		}, actorFlags()...),
		OnUsageError: onUsageError,
		Action:       from.runEval,
	}
}

func (from program) runEval(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	start := time.Now()
	clock := func() time.Duration { return time.Since(start) }
	ctx, stop := context.WithCancel(c.Context)
	defer stop()
	req, err := evalRequest(c)
	actors, closeActors, faults := evalActors(ctx, c)
	defer closeActors()
	if err := errors.Join(err, faults); err != nil {
		return usageError{err}
	}
	req.Actors, req.Clock, req.Stop = actors, clock, stop
	s, err := evaluate.Build(&from.Catalogues, req)
	if stopped := c.Context.Err(); stopped != nil {
		return stopped
	}
	if err != nil {
		return usageError{err}
	}
	if err := pictureFolder("--plot").free(c.String("plot")); err != nil {
		return err
	}
	out := c.String("out")
	if out != "" {
		release, err := claimOut(c, out, s.JSON+"\n")
		if err != nil {
			return err
		}
		defer release()
	}
	workers := c.Int("jobs")
	if workers < 1 {
		workers = runtime.NumCPU()
	}
	p := newProgress(c.App.ErrWriter, s.Trials)
	done, err := trial.Run(ctx, s.Trials, trial.Options{Workers: workers, Out: out, Version: version(), Clock: clock, Progress: p.jobs, Done: p.trial})
	p.close()
	if fault := s.Err(); fault != nil && c.Context.Err() == nil {
		return fault // which stopped the trials
	}
	if err != nil {
		return err
	}
	rows, err := s.Summarise(done)
	if err != nil {
		return err
	}
	for _, a := range s.Agents {
		if n, mean := a.Latency(); n > 0 {
			note(c, "%s: %d decisions, %.1f us each", a.Name, n, float64(mean)/float64(time.Microsecond))
		}
	}
	if out != "" {
		if err := keepEvals(c, out, s, rows, done); err != nil {
			return err
		}
	}
	if err := printEvals(c, s, rows); err != nil {
		return err
	}
	if dir := c.String("plot"); dir != "" {
		var files string
		err := pictureFolder("--plot").fill(dir, func() (err error) {
			files, err = drawEvaluation(dir, rows)
			return err
		})
		if err != nil {
			return fmt.Errorf("--plot: %w", err)
		}
		note(c, "pictures: %s", files)
	}
	return nil
}

// evalRequest reads the flags.
func evalRequest(c *cli.Context) (evaluate.Request, error) {
	r := evaluate.Request{Checkpoints: c.StringSlice("checkpoint"), Tuned: c.StringSlice("tuned"), OpenTuned: tune.OpenWith, Which: c.String("which"), Part: schedenv.Part(c.String("windows")),
		Windows: c.Int("count"), Bounds: c.Bool("bounds"), Options: slices.Clone(c.StringSlice("set")), Trace: c.String("trace")}
	r.Baselines = append(param.Rejoin(param.Split(c.String("baselines"))), c.StringSlice("baseline")...)
	var errs []error
	if _, err := formatOf(c); err != nil {
		errs = append(errs, err)
	}
	parts := []string{string(schedenv.Train), string(schedenv.Validation), string(schedenv.Test)}
	if !slices.Contains(parts, string(r.Part)) {
		errs = append(errs, fmt.Errorf("--windows: %q, expected one of %s%s", r.Part, strings.Join(parts, ", "), param.Hint(string(r.Part), parts)))
	}
	if c.IsSet("cluster") {
		r.Options = append(r.Options, "cluster="+c.String("cluster"))
	}
	for _, o := range r.Options {
		if key, _, ok := strings.Cut(o, "="); !ok || key == "part" {
			errs = append(errs, fmt.Errorf("--set: %q, expected key=value, and --windows for the part", o))
		}
	}
	return r, errors.Join(errs...)
}

// keepEvals writes the table evals and the manifest over all tables.
func keepEvals(c *cli.Context, out string, s *evaluate.Setup, rows []evaluate.Row, done []*trial.Result) error {
	meta := results.NewMeta(s.JSON, "", version())
	path := filepath.Join("evals", "part-0.parquet")
	if err := results.Write(c.Context, results.Target{Path: filepath.Join(out, path), Meta: meta}, evaluate.Evals(rows)); err != nil {
		return err
	}
	if err := results.WriteManifest(c.Context, out, meta, append(trial.Files(out, done), path)); err != nil {
		return err
	}
	note(c, "tables: %s (pandas.read_parquet(%q))", out, filepath.Join(out, "evals"))
	return nil
}

// printEvals writes the result in the format that was asked for.
func printEvals(c *cli.Context, s *evaluate.Setup, rows []evaluate.Row) error {
	var all [][]compare.Cell
	for _, r := range rows {
		all = append(all, evalCells(r))
	}
	switch c.String("format") {
	case "json":
		return printJSON(c.App.Writer, all)
	case "csv":
		return printCSV(legible.Under(c.App.Writer), all)
	}
	if err := evalTable(c.App.Writer, rows); err != nil {
		return err
	}
	return mixedTable(c.App.Writer, s, rows)
}

// evalCells lists a policy's row.
func evalCells(r evaluate.Row) []compare.Cell {
	row := []compare.Cell{{Name: "policy", Text: r.Policy}, {Name: "knows", Text: r.Knows()}, {Name: "agent", Text: r.Agent}, {Name: "train_seed", Number: math.NaN(), Exact: seedText(r.TrainSeed)},
		{Name: "checkpoint_sha256", Text: r.SHA256}, {Name: "windows", Number: float64(r.Windows())}, {Name: "seeds", Number: float64(r.Seeds)},
		{Name: "jobs_compared", Number: float64(r.Compared)}}
	for i, col := range compare.Columns() {
		row = append(row, compare.Cell{Name: col.Name, Number: evalMeans(r)[i]})
	}
	bsld := make([]float64, len(r.Runs))
	for i, run := range r.Runs {
		bsld[i] = run.Row.BSLDMean
	}
	row = append(row, compare.Cell{Name: "bsld_mean", Number: stats.Mean(bsld)})
	add := func(name, unit string, iv stats.Interval) {
		if iv.N == 0 { // the first is not compared with itself
			iv.Point, iv.Lo, iv.Hi = math.NaN(), math.NaN(), math.NaN()
		}
		row = append(row, compare.Cell{Name: name + unit, Number: iv.Point}, compare.Cell{Name: name + "_lo" + unit, Number: iv.Lo}, compare.Cell{Name: name + "_hi" + unit, Number: iv.Hi})
	}
	add("jct_iqm", "_s", r.IQM)
	add("jct_mean_diff", "_s", r.Diff)
	add("improvement", "", r.Improvement)
	for i, tau := range evaluate.Taus() {
		add(fmt.Sprintf("profile_%g", tau), "", r.Profile[i])
	}
	return row
}

// seedText is a seed of training in digits, "" where there is none.
func seedText(seed uint64) string {
	if seed == results.NoSeed {
		return ""
	}
	return strconv.FormatUint(seed, 10)
}

// evalMeans gives the means over windows, in the order of columns.
func evalMeans(r evaluate.Row) []float64 {
	var out []float64
	for _, col := range compare.Columns() {
		x := make([]float64, len(r.Runs))
		for i, run := range r.Runs {
			x[i] = col.Get(&run.Row.Summary)
		}
		out = append(out, stats.Mean(x))
	}
	return out
}

// evalDifferentJobs says over which jobs policies are compared that did not finish the same; "" when they did.
func evalDifferentJobs(rows []evaluate.Row) string {
	same := true
	for _, r := range rows {
		finished := 0
		for _, run := range r.Runs {
			finished += int(run.Row.Finished)
		}
		same = same && finished == r.Compared*r.Seeds
	}
	switch r := rows[0]; {
	case same:
		return ""
	case r.Compared == 0:
		return "the policies finished different jobs and none that all of them finished: nothing can be compared"
	default:
		return fmt.Sprintf("the policies finished different jobs: IQM, differences and profile are over the %d of %d jobs that all of them finished; other means of a row are over its finished jobs", r.Compared, r.Jobs)
	}
}

// evalTable writes the columns for people.
func evalTable(w io.Writer, rows []evaluate.Row) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "policy\tjobs\tfinished\tunfinished\trefused\trejected\tJCT mean\tp50\tp95\tp99\tqueue mean\tp99\tmakespan\tcomm mean\tcomm %\tGPU %\tpreemptions\tJCT IQM\tJCT mean - first, 95 % interval\tfirst is better on\t")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t", knows.Marked(r.Policy, r.Knows()))
		means := evalMeans(r)
		for i, col := range compare.Columns() {
			fmt.Fprintf(t, "%s\t", compare.Rounded(col.Name, means[i]))
		}
		fmt.Fprintf(t, "%.0f\t", r.IQM.Point)
		if r.Diff.N == 0 {
			fmt.Fprintln(t, "-\t-\t")
			continue
		}
		better := fmt.Sprintf("%.0f %% [%.0f, %.0f]", 100*r.Improvement.Point, 100*r.Improvement.Lo, 100*r.Improvement.Hi)
		if math.IsNaN(r.Improvement.Lo) { // one window has no interval
			better = fmt.Sprintf("%.0f %%", 100*r.Improvement.Point)
		}
		fmt.Fprintf(t, "%s\t%s\t\n", (&compare.Row{Diff: r.Diff}).Difference(), better)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	over := "over windows"
	if slices.ContainsFunc(rows, func(r evaluate.Row) bool { return r.Seeds > 1 }) {
		over = "over training seeds and windows where several are taken together, else over windows"
	}
	if _, err := fmt.Fprintf(w, "times in seconds, means over %d windows that training did not see; intervals %s, in pairs\n", rows[0].Windows(), over); err != nil {
		return err
	}
	if slices.ContainsFunc(rows, func(r evaluate.Row) bool { return knows.Clairvoyant(r.Knows()) }) {
		if _, err := fmt.Fprintln(w, knows.Key); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(rows, func(r evaluate.Row) bool { return bounds.Is(r.Policy) }) {
		if _, err := fmt.Fprintln(w, bounds.Key); err != nil {
			return err
		}
	}
	if text := evalDifferentJobs(rows); text != "" {
		_, err := fmt.Fprintln(w, text)
		return err
	}
	return nil
}
