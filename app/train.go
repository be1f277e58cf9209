package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	agents "tarry/agents/registry"
	"tarry/run/config"
	"tarry/run/train"
)

func (from program) trainCommand() *cli.Command {
	return &cli.Command{
		Name:  "train",
		Usage: "train an agent",
		UsageText: "tarry train --config examples/order.yaml --seeds 1-5 --out runs/order\n" +
			"tarry train --env tarry/Order-v0:cluster=2x4x8,load=0.8,globals=false --agent ppo --out runs/agent --set " +
			"gamma=0.95 --steps 100000\n" +
			"tarry train --out runs/agent --resume",
		Description: "The folder of --out gets config.json, checkpoints/last.ckpt and best.ckpt, the table curves " +
			"and, at the end,\n" +
			"manifest.json. On TERM, USR2 (where there is one) or Ctrl-C training stops after the update under way, " +
			"writes a\n" +
			"checkpoint and exits with 75: the same command with --resume continues, to the same bytes. A run that " +
			"was killed\n" +
			"resumes from its last checkpoint. Settings: checkpoint_every, validate_every (updates), " +
			"checkpoint_minutes,\n" +
			"validate_episodes, patience (validations without a better one before training stops; 0 = never), " +
			"imitate\n" +
			"(a baseline whose actions are learned first), imitate_episodes, imitate_epochs, imitate_rate, and " +
			"the settings of\n" +
			"the agent (tarry list agents).",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "env", Usage: "`ID` or ID:key=value,... (see tarry list envs)"},
			&cli.StringFlag{Name: "agent", Usage: "`NAME` (see tarry list agents); by default ppo"},
			&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "the run's `DIR`"},
			codecFlag(),
			progressFlag(),
			&cli.Uint64Flag{Name: "seed", Usage: "`SEED` of all random draws", DefaultText: "1"},
			&cli.StringFlag{Name: "seeds", Usage: "one run for each of the seeds `LIST`, such as 1-3 or 1,4,9, side " +
				"by side: --out and --plot get a folder for each, named by its seed"},
			&cli.StringFlag{Name: "config", Aliases: []string{"c"}, Usage: "YAML `FILE` of env, agent, seed and " +
				"settings; flags override it"},
			&cli.StringSliceFlag{Name: "set", Usage: "a setting, `KEY=VALUE`; repeatable"},
			&cli.StringFlag{Name: "steps", Usage: "train for `N` environment steps; short for --set total_steps=N"},
			&cli.StringFlag{Name: "plot", Usage: "draw the learning curve into `DIR` at the end (PNG, SVG, PDF, and " +
				"the data as CSV and Parquet)"},
			&cli.BoolFlag{Name: "timing", Value: true, Usage: "also write the table timing: wall time and steps per " +
				"second of each update, for tarry report and TensorBoard; --timing=false leaves it out"},
			&cli.BoolFlag{Name: "resume", Usage: "continue the run in the folder of --out, or start one"},
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "step environments in `N` goroutines, 0 = one " +
				"per processor; never changes a result"},
		},
		OnUsageError: onUsageError,
		Action:       from.runTrain,
	}
}

func (from program) runTrain(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	runs, err := from.trainRuns(c)
	if err != nil {
		return usageError{err}
	}
	if err := from.unused(c, runs); err != nil {
		return err
	}
	for _, r := range runs {
		if err := pictureFolder("--plot").free(r.plot); err != nil {
			return err
		}
	}
	ctx, stop := signal.NotifyContext(c.Context, requeueSignals()...)
	defer stop()
	workers := c.Int("jobs")
	if workers < 1 {
		workers = runtime.NumCPU()
	}
	start := time.Now()
	opt := train.Options{Now: time.Now, Resume: c.Bool("resume"),
		Clock: func() time.Duration { return time.Since(start) }, Version: version()}
	if !c.Bool("timing") {
		opt.Now = nil
	}
	for _, n := range runs[0].cfg.Notes() {
		note(c, "%s", n)
	}
	if err := noteChosen(ctx, c, &runs[0].cfg); err != nil {
		if ctx.Err() != nil {
			return requeueError{err}
		}
		return err
	}
	p := newTrainProgress(c.App.ErrWriter, formOf(c), runs)
	trainAll(ctx, runs, opt, workers, p)
	p.close()
	return from.endTraining(c, runs)
}

// endTraining prints how each run ended, and draws the complete ones.
func (from program) endTraining(c *cli.Context, runs []trainRun) error {
	var errs []error
	again := true
	for i := range runs {
		r := &runs[i]
		err := r.err
		if err == nil {
			err = errors.Join(r.print(c.App.Writer), from.drawRun(c, r))
		}
		if errors.Is(err, train.ErrInterrupted) {
			err = fmt.Errorf("%w: %d of %d steps are made; tarry train --out %s --resume continues it", err,
				r.outcome.Steps, r.cfg.Steps(), r.out)
		} else if err != nil {
			again = false
		}
		if err != nil && len(runs) > 1 {
			err = fmt.Errorf("seed %d: %w", r.cfg.Seed, err)
		}
		errs = append(errs, err)
	}
	err := errors.Join(errs...)
	if err != nil && again {
		return requeueError{err}
	}
	return err
}

// print writes the line of a run that has ended.
func (r *trainRun) print(w io.Writer) error {
	why, out := "", r.outcome
	if out.Stopped {
		why = " (patience ran out)"
	}
	_, err := fmt.Fprintf(w, "%d updates, %d steps%s; best on validation: return %.6g after update %d; %s\n",
		out.Updates, out.Steps, why, out.Best, out.BestUpdate, r.out)
	return err
}

// drawRun draws the learning curve of a run into its folder of pictures, if it has one.
func (from program) drawRun(c *cli.Context, r *trainRun) error {
	if r.plot == "" {
		return nil
	}
	var files string
	err := pictureFolder("--plot").fill(r.plot, func() (err error) {
		files, err = from.drawTraining(c.Context, r.plot, r.out)
		return err
	})
	if err != nil {
		return fmt.Errorf("--plot: %w", err)
	}
	note(c, "pictures: %s", files)
	return nil
}

// trainConfig resolves recorded run < file < flags, for the folder of one run; of is its seed, nil
// = none is given.
func (from program) trainConfig(c *cli.Context, out string, of *uint64) (train.Config, error) {
	var given []agents.Setting
	envText, agent, seed, err := from.fileSettings(c, &given)
	errs := []error{err}
	if c.String("out") == "" {
		errs = append(errs, errors.New("no --out, expected the folder of the run"))
	}
	for _, s := range c.StringSlice("set") {
		key, value, ok := strings.Cut(s, "=")
		if !ok {
			errs = append(errs, fmt.Errorf("--set: %q, expected key=value", s))
		}
		given = append(given, agents.Setting{Key: strings.TrimSpace(key), Value: value, Where: "--set"})
	}
	if c.IsSet("steps") {
		given = append(given, agents.Setting{Key: "total_steps", Value: c.String("steps"), Where: "--steps"})
	}
	if c.IsSet(codecName) {
		given = append(given, agents.Setting{Key: "parquet_codec", Value: c.String(codecName), Where: "--" + codecName})
	}
	if c.IsSet("env") {
		envText = c.String("env")
	}
	if c.IsSet("agent") {
		agent = c.String("agent")
	}
	if of != nil {
		seed = of
	}
	if err := errors.Join(errs...); err != nil {
		return train.Config{}, err
	}
	if c.Bool("resume") {
		was, err := train.Recorded(&from.Catalogues, out)
		if err == nil {
			return was.With(envText, agent, seed, given)
		}
		if !errors.Is(err, os.ErrNotExist) {
			return was, err
		}
	}
	if agent == "" {
		agent = "ppo"
	}
	first := uint64(1)
	if seed == nil {
		seed = &first
	}
	return train.Resolve(&from.Catalogues, envText, agent, *seed, given)
}

// fileSettings reads the file of --config: env, agent and seed, and the rest as settings. An
// environment that is unknown is a fault of the file unless --env names another.
func (from program) fileSettings(c *cli.Context, given *[]agents.Setting) (envText, agent string, seed *uint64,
	err error) {
	if c.String("config") == "" {
		return "", "", nil, nil
	}
	entries, err := config.ReadFlat(c.String("config"))
	for _, e := range entries {
		switch e.Key {
		case "env":
			envText = e.Value
			id, _, _ := strings.Cut(e.Value, ":")
			if _, bad := from.Envs.Find(id); bad != nil && !c.IsSet("env") {
				err = errors.Join(err, fmt.Errorf("%s: %w", e.Where, bad))
			}
		case "agent":
			agent = e.Value
		case "seed":
			n, bad := strconv.ParseUint(e.Value, 10, 63) // seeds are columns of signed integers
			if bad != nil {
				err = errors.Join(err, fmt.Errorf("%s: seed is %q, expected a whole number in 0..%d", e.Where, e.Value,
					math.MaxInt64))
			}
			seed = &n
		default:
			*given = append(*given, agents.Setting(e))
		}
	}
	return envText, agent, seed, err
}

// requeueError ends the program with the code that asks for another start.
type requeueError struct{ error }

func (e requeueError) Unwrap() error { return e.error }

// patient reports whether an interrupted command may take its time to write what it has.
func patient(ctx context.Context, args []string) bool {
	long := []string{"train", "tune", "sweep", "reproduce"}
	return ctx.Err() != nil && len(args) > 1 && slices.Contains(long, args[1])
}

// noteChosen states which predictors were chosen.
func noteChosen(ctx context.Context, c *cli.Context, of *train.Config) error {
	all, err := of.Chosen(ctx)
	for _, one := range all {
		note(c, "%s", one)
	}
	return err
}
