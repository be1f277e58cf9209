package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"tarry/env/schedenv"
	"tarry/internal/legible"
	"tarry/output/results"
	"tarry/run/compare"
	"tarry/run/evaluate"
	"tarry/run/trial"
	"tarry/run/tune"
	"tarry/sim/param"
	"tarry/traces/columns"
)

// scoredPart is the part of the help on environments outside the simulator.
const scoredPart = "In an environment outside the simulator, such as classic/DeepRM-v0, baselines are its own rules, " +
	"and policies are\ncompared by what its episodes cost.\n"

func (from program) evalCommand() *cli.Command {
	return &cli.Command{
		Name:  "eval",
		Usage: "compare trained agents with schedulers, on jobs that training never saw",
		UsageText: "tarry eval --checkpoint runs/agent --baselines dally,tiresias,fifo\n" +
			"tarry eval --checkpoint runs/agent --baselines dally --cluster 8x4x8 --count 30 --out evaluation " +
			"--format json\n" +
			"tarry eval --tuned tuned --baselines dally --count 30\n" +
			"tarry eval --actor python:mine:policy --env tarry/Preempt-v0:load=1.2 --baselines dally",
		Description: "A frozen agent is run by the code that runs every scheduler, on complete windows of jobs, " +
			"from the first to the\n" +
			"last. Windows that training or the choice of its checkpoint saw are refused, by the hash of their " +
			"jobs. Policies\n" +
			"with settings of their own (dally:lease=600) are given by --baseline, once for each. Checkpoints that " +
			"differ in\n" +
			"the seed of their training alone are one agent too, \"ppo (5 seeds)\", with intervals over seeds and " +
			"windows; the seed that\n" +
			"did best on validation has a row beside it, \"ppo (seed by validation)\", chosen as a rule is and as " +
			"dear as all of them.\n" +
			"untrained:ppo is the same network before training.\n" +
			scoredPart + "Windows of a mixture are of its scenarios in turn; a second table has each scenario, against dally." +
			columnsPart + ", means over the windows:\n" + compare.Help() +
			"  train_seed, checkpoint_sha256  (json, csv) seed of the training or tuning, and hash of what is " +
			"measured\n" +
			"  jobs_compared            (json, csv) jobs of all windows that all policies finished: what follows is " +
			"over them\n" +
			"  jct_iqm_s, _lo_s, _hi_s  interquartile mean of the windows' mean completion times, with its 95 % " +
			"interval\n" +
			"  jct_mean_diff_s, ...     mean completion time minus the first agent's on the same windows, with its " +
			"95 % interval\n" +
			"  improvement, _lo, _hi    share of windows on which the first agent's is smaller, with its 95 % " +
			"interval\n" +
			"  profile_1.1, _lo, _hi    (json, csv) share of windows on which it is less than 1.1 times the least " +
			"of all policies",
		Flags: append([]cli.Flag{
			&cli.StringSliceFlag{Name: "checkpoint", Usage: "the `DIR` of tarry train; repeatable, the first is " +
				"compared with all others"},
			&cli.StringSliceFlag{Name: "tuned", Usage: "the `DIR` of tarry tune: the scheduler that it chose; " +
				"repeatable, the first is compared when there is no agent"},
			&cli.StringFlag{Name: "which", Value: "best", Usage: "checkpoint of each: `best` on validation, or last"},
			&cli.StringFlag{Name: "baselines", Usage: "`NAME,...` of schedulers (see tarry list policies)"},
			&cli.StringSliceFlag{Name: "baseline", Usage: "one scheduler as `NAME:key=value,...`; repeatable"},
			&cli.BoolFlag{Name: "untrained", Value: true, Usage: "add each checkpoint as it was before training: " +
				"the same network with the weights that its seed draws"},
			boundsFlag(), drawFlag(),
			&cli.StringFlag{Name: "windows", Value: string(schedenv.Test),
				Usage: "`PART` that windows are taken from: test, validation or train (training saw the last)"},
			&cli.IntFlag{Name: "count", Value: 10, Usage: "`N` windows"},
			&cli.StringFlag{Name: "cluster", Usage: "another cluster than training's, `NAME` or RxMxG"},
			&cli.StringFlag{Name: "trace", Usage: "take the windows from a trace, `FORMAT:PATH` or synth:NAME, " +
				"split 70/15/15 by time"},
			traceColumnsFlag(),
			&cli.StringSliceFlag{Name: "set", Usage: "another option of the environment, `KEY=VALUE` (load, " +
				"workload, speed, ...); repeatable"},
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "run `N` simulations at once, 0 = one per " +
				"processor; never changes a result"},
			&cli.StringFlag{Name: "plot", Usage: "draw completion times, means, differences and the performance " +
				"profile into `DIR` (PNG, SVG, PDF, and the data as CSV and Parquet)"},
			&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "write Parquet tables into `DIR`, evals " +
				"among them"},
			codecFlag(),
			progressFlag(),
			&cli.BoolFlag{Name: "force", Usage: "replace the results of another configuration in the folder of --out"},
			&cli.StringFlag{Name: "format", Value: "table", Usage: "`FORMAT` of the result: table, json or csv"},
			columnsFlag(),
		}, actorFlags()...),
		OnUsageError: onUsageError,
		Action:       from.runEval,
	}
}

func (from program) runEval(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	codec, err := codecOf(c)
	if err != nil {
		return usageError{err}
	}
	start := time.Now()
	clock := func() time.Duration { return time.Since(start) }
	ctx, stop := context.WithCancel(c.Context)
	defer stop()
	s, closeActors, err := from.evalSetup(ctx, stop, c, clock)
	defer closeActors()
	if err != nil {
		return err
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
	if s.Scored() {
		return scoreAgents(c, s, codec)
	}
	p := newProgress(c.App.ErrWriter, formOf(c), s.Trials)
	done, err := trial.Run(ctx, s.Trials, trial.Options{Workers: workersOf(c), Out: out, Codec: codec,
		Version: version(), Clock: clock, Progress: p.jobs, Done: p.trial})
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
	noteLatencies(c, s)
	if out != "" {
		if err := evaluate.Keep(c.Context, out, version(), codec, s, rows, done); err != nil {
			return err
		}
		note(c, "tables: %s (pandas.read_parquet(%q))", out, filepath.Join(out, "evals"))
	}
	return showEvals(c, s, rows)
}

// showEvals prints the result and draws it where that was asked for.
func showEvals(c *cli.Context, s *evaluate.Setup, rows []evaluate.Row) error {
	if err := printEvals(c, s, rows); err != nil {
		return err
	}
	if dir := c.String("plot"); dir != "" {
		var files string
		err := pictureFolder("--plot").fill(dir, func() (err error) {
			files, err = drawEvaluation(dir, rows, s.Labels)
			return err
		})
		if err != nil {
			return fmt.Errorf("--plot: %w", err)
		}
		note(c, "pictures: %s", files)
	}
	return nil
}

func drawFlag() cli.Flag {
	return &cli.BoolFlag{Name: "draw", Usage: "agents draw their actions, as in training, in place of the likeliest; " +
		"outside the simulator"}
}

// noteLatencies writes how often agents were asked, and the mean time of an answer.
func noteLatencies(c *cli.Context, s *evaluate.Setup) {
	for _, a := range s.Agents {
		if n, mean := a.Latency(); n > 0 {
			note(c, "%s: %d decisions, %.1f us each", a.Name, n, float64(mean)/float64(time.Microsecond))
		}
	}
}

// scoreAgents measures what is outside the simulator.
func scoreAgents(c *cli.Context, s *evaluate.Setup, codec results.Codec) error {
	rows, err := s.Score(c.Context, workersOf(c), nil)
	if err != nil {
		return err
	}
	noteLatencies(c, s)
	if out := c.String("out"); out != "" {
		if err := evaluate.Keep(c.Context, out, version(), codec, s, rows, nil); err != nil {
			return err
		}
		note(c, "tables: %s (pandas.read_parquet(%q))", out, filepath.Join(out, "evals"))
	}
	return showEvals(c, s, rows)
}

// evalSetup makes what the flags ask for; stop ends ctx, and with it the processes of actors, which
// closeActors waits for.
func (from program) evalSetup(ctx context.Context, stop func(), c *cli.Context,
	clock func() time.Duration) (s *evaluate.Setup, closeActors func(), err error) {
	req, err := evalRequest(c)
	actors, closeActors, faults := evalActors(ctx, c)
	if err := errors.Join(err, faults); err != nil {
		return nil, closeActors, usageError{err}
	}
	req.Actors, req.Clock, req.Stop = actors, clock, stop
	s, err = evaluate.BuildUntil(ctx, from.withPython(c), req)
	if stopped := c.Context.Err(); stopped != nil {
		return nil, closeActors, stopped
	}
	if err != nil {
		return nil, closeActors, usageError{err}
	}
	for _, one := range s.Choices() {
		note(c, "%s", one)
	}
	return s, closeActors, nil
}

// evalRequest reads the flags.
func evalRequest(c *cli.Context) (evaluate.Request, error) {
	r := evaluate.Request{Checkpoints: c.StringSlice("checkpoint"), Tuned: c.StringSlice("tuned"),
		OpenTuned: tune.OpenWith, Which: c.String("which"), Part: schedenv.Part(c.String("windows")),
		Windows: c.Int("count"), Bounds: c.Bool("bounds"), Draw: c.Bool("draw"), Untrained: c.Bool("untrained"),
		Options: slices.Clone(c.StringSlice("set")), Trace: c.String("trace")}
	if mapped := c.String("trace-columns"); mapped != "" {
		r.Options = append(r.Options, columns.Option+"="+param.Quote(mapped))
	}
	r.Baselines = append(param.Rejoin(param.Split(c.String("baselines"))), c.StringSlice("baseline")...)
	var errs []error
	if _, err := formatOf(c); err != nil {
		errs = append(errs, err)
	}
	parts := []string{string(schedenv.Train), string(schedenv.Validation), string(schedenv.Test)}
	if !slices.Contains(parts, string(r.Part)) {
		errs = append(errs, fmt.Errorf("--windows: %q, expected one of %s%s", r.Part, strings.Join(parts, ", "),
			param.Hint(string(r.Part), parts)))
	}
	if c.IsSet("cluster") {
		r.Options = append(r.Options, "cluster="+c.String("cluster"))
	}
	for _, o := range r.Options {
		if key, _, ok := strings.Cut(o, "="); !ok || key == "part" {
			errs = append(errs, fmt.Errorf("--set: %q, expected key=value, and --windows for the part", o))
		}
	}
	if _, err := shownOf(c, evaluate.Names()...); err != nil {
		errs = append(errs, err)
	}
	return r, errors.Join(errs...)
}

// printEvals writes the result in the format that was asked for.
func printEvals(c *cli.Context, s *evaluate.Setup, rows []evaluate.Row) error {
	var all [][]compare.Cell
	for _, r := range rows {
		all = append(all, evaluate.Cells(r))
	}
	shown, err := shownOf(c, evaluate.Names()...)
	if err != nil {
		return err
	}
	all = shownCells(all, shown, "policy")
	switch c.String("format") {
	case "json":
		return printJSON(c.App.Writer, all)
	case "csv":
		return printCSV(legible.Under(c.App.Writer), all)
	}
	return evaluate.Print(c.App.Writer, s, rows, shown)
}

// workersOf is how many simulations run at once.
func workersOf(c *cli.Context) int {
	if n := c.Int("jobs"); n > 0 {
		return n
	}
	return runtime.NumCPU()
}
