package app

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/run/tune"
)

func (from program) tuneCommand() *cli.Command {
	d := tune.Default()
	return &cli.Command{
		Name:  "tune",
		Usage: "search for good parameters of a scheduler",
		UsageText: "tarry tune --policy dally-manual --param t_rack=0.1:100:log --param t_net=0.1:100:log --env " +
			"tarry/DelayTimer-v1 --out tuned\n" +
			"tarry tune --policy tiresias --param queues/0=600:36000:log --optimiser gp --budget 50 --env " +
			"tarry/DelayTimer-v1:load=0.7 --out tuned\n" +
			"tarry tune --out tuned --resume",
		Description: "Every point is measured on the same windows of training, the windows that agents of the environment " +
			"are trained on, and\n" +
			"compared with the unchanged scheduler window by window. The best few are compared once more on " +
			"windows of\n" +
			"validation, with the unchanged scheduler among them. tarry eval --tuned DIR measures the scheduler that was " +
			"chosen, on windows\n" +
			"of test. The budget counts points on all windows; one that is measured on fewer (halving, ucb1, " +
			"thompson) costs as\n" +
			"much less. The folder of --out gets config.json, windows.json, STATE, the table tune, best.json and\n" +
			"manifest.json. On TERM, USR2 (where there is one) or Ctrl-C the state is written and the exit code is " +
			"75: the same\n" +
			"command with --resume continues, to the same bytes.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "policy", Usage: "the scheduler, `NAME` or NAME:key=value,... with what is not " +
				"tuned (see tarry list policies)"},
			&cli.StringSliceFlag{Name: "param", Usage: "a parameter, `NAME=LO:HI`[:log|int|logint] or NAME=A|B|C; " +
				"NAME/0, NAME/1, ... are members of a list; repeatable"},
			&cli.StringFlag{Name: "optimiser", Usage: "`NAME` or NAME:key=value,... (see tarry list optimisers)",
				DefaultText: d.Optimiser},
			&cli.StringFlag{Name: "env", Usage: "`ID` or ID:key=value,... of an environment over the simulator: its " +
				"jobs, cluster, speeds and costs (see tarry list envs)"},
			&cli.StringFlag{Name: "metric", Usage: "`NAME` of the metric to minimise: " +
				strings.Join(tune.Metrics(), ", "), DefaultText: d.Metric},
			&cli.StringFlag{Name: "cost", Usage: "what is made small, `NAME`: ratio, the mean over windows of the " +
				"metric over --against's, as a policy search has it; log, the mean logarithm; mean, the " +
				"mean itself", DefaultText: d.Cost},
			&cli.StringFlag{Name: "against", Usage: "the scheduler that --cost ratio is relative to, `NAME` or " +
				"NAME:key=value,...", DefaultText: d.Against},
			&cli.IntFlag{Name: "budget", Usage: "measure `N` points", DefaultText: fmt.Sprint(d.Budget)},
			&cli.IntFlag{Name: "windows", Usage: "measure each on `N` windows of training",
				DefaultText: fmt.Sprint(d.Windows)},
			&cli.IntFlag{Name: "validation", Usage: "choose on `N` windows of validation",
				DefaultText: fmt.Sprint(d.Validation)},
			&cli.IntFlag{Name: "candidates", Usage: "choose between the `N` best points",
				DefaultText: fmt.Sprint(d.Candidates)},
			&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "the run's `DIR`"},
			codecFlag(),
			progressFlag(),
			&cli.Uint64Flag{Name: "seed", Usage: "`SEED` of all random draws", DefaultText: fmt.Sprint(d.Seed)},
			&cli.BoolFlag{Name: "resume", Usage: "continue the run in the folder of --out, or start one"},
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "run `N` simulations at once, 0 = one per " +
				"processor; never changes a result"},
		},
		OnUsageError: onUsageError,
		Action:       from.runTune,
	}
}

func (from program) runTune(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	cfg, err := from.tuneConfig(c)
	if err != nil {
		return usageError{err}
	}
	if err := tune.Check(&from.Catalogues, cfg, c.String("out")); err != nil {
		return usageError{err}
	}
	ctx, stop := signal.NotifyContext(c.Context, requeueSignals()...)
	defer stop()
	workers := c.Int("jobs")
	if workers < 1 {
		workers = runtime.NumCPU()
	}
	p := newTuneProgress(c.App.ErrWriter, formOf(c), cfg.Windows)
	out, err := tune.Run(ctx, &from.Catalogues, cfg, tune.Options{Out: c.String("out"), Resume: c.Bool("resume"),
		Workers: workers, Version: version(), Watch: p.update})
	p.close()
	if errors.Is(err, tune.ErrInterrupted) {
		return requeueError{fmt.Errorf("%w: %d of %d points are measured; tarry tune --out %s --resume continues it",
			err, out.Windows/cfg.Windows, cfg.Budget, c.String("out"))}
	}
	if err != nil {
		return err
	}
	return printTuned(c, cfg, out)
}

// tuneConfig resolves recorded run < flags.
func (from program) tuneConfig(c *cli.Context) (tune.Config, error) {
	cfg := tune.Default()
	if c.String("out") == "" {
		return cfg, errors.New("no --out, expected the folder of the run")
	}
	if c.Bool("resume") {
		was, err := tune.Recorded(c.String("out"))
		switch {
		case err == nil:
			cfg = was
		case !errors.Is(err, os.ErrNotExist):
			return cfg, err
		}
	}
	for flag, to := range map[string]*string{"policy": &cfg.Policy, "optimiser": &cfg.Optimiser, "env": &cfg.Env,
		"metric": &cfg.Metric, "cost": &cfg.Cost, "against": &cfg.Against, codecName: &cfg.Codec} {
		if c.IsSet(flag) {
			*to = c.String(flag)
		}
	}
	for flag, to := range map[string]*int{"budget": &cfg.Budget, "windows": &cfg.Windows,
		"validation": &cfg.Validation, "candidates": &cfg.Candidates} {
		if c.IsSet(flag) {
			*to = c.Int(flag)
		}
	}
	if c.IsSet("param") {
		cfg.Params = c.StringSlice("param")
	}
	if c.IsSet("seed") {
		cfg.Seed = c.Uint64("seed")
	}
	return cfg, nil
}

// printTuned writes the scheduler, and how it stands beside the one it was made from.
func printTuned(c *cli.Context, cfg tune.Config, out tune.Outcome) error {
	note(c, "%d points, %d simulations, %d jobs; %s", out.Windows/cfg.Windows, out.Simulations, out.Jobs,
		c.String("out"))
	for _, one := range out.Chosen {
		note(c, "%s", one)
	}
	if out.Best.Policy == out.Reference.Policy {
		note(c, "no point did better on validation than %s as it stands: %s %.6g s there", out.Reference.Policy,
			cfg.Metric, out.Reference.Validation)
	} else {
		note(c, "%s on %d windows of validation: %.6g, %s as it stands %.6g; difference %.4g [%.4g, %.4g]", cfg.Metric,
			cfg.Validation, out.Best.Validation,
			out.Reference.Policy, out.Reference.Validation, out.Diff.Point, out.Diff.Lo, out.Diff.Hi)
	}
	_, err := fmt.Fprintln(c.App.Writer, out.Best.Policy)
	return err
}
