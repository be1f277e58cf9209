package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/experiments/engine"
	"tarry/experiments/questions"
	"tarry/experiments/sweep"
	"tarry/sim/param"
)

// exitPermanent: nothing is left to do and every cell that failed would fail again.
const exitPermanent = 42

// codeError ends the program with a code of its own.
type codeError struct {
	error
	code int
}

func (e codeError) Unwrap() error { return e.error }

func (from program) sweepCommand() *cli.Command {
	return &cli.Command{
		Name:  "sweep",
		Usage: "run the cells of a sweep: on this machine, on many, or on a cluster",
		UsageText: "tarry sweep examples/load.yaml --out runs/load\n" +
			"tarry sweep examples/load.yaml --out runs/load --set trace=synth:demo --jobs 2 --dry-run\n" +
			"tarry sweep --question load --scale small --out runs/question --engine dir\n" +
			"tarry sweep status runs/load && tarry sweep retry runs/load --failed",
		Description: "A sweep asks one question with many cells: settings that differ along axes, each with some " +
			"seeds. The file is\n" +
			"described in docs/howto/sweeps.md. The same command resumes after any interruption, and does nothing when " +
			"all is done;\n" +
			"the tables in the folder of --out have the same bytes whatever happened on the way.\n\n" +
			"Exit codes: 0 all cells are done, cancelled or handed out; 1 cells failed, or the folder cannot be " +
			"written; 2 the file or the command line is\n" +
			"wrong; 42 cells failed and all of them would fail again; 75 cells are left and the same command " +
			"continues.",
		ArgsUsage: "FILE",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "question", Usage: "a question by `NAME` (see tarry list questions) or file, in " +
				"place of FILE"},
			scaleFlag("small"),
			&cli.StringSliceFlag{Name: "only", Usage: "of a question's sweeps the one by `NAME`; repeatable"},
			&cli.StringSliceFlag{Name: "set", Usage: "a setting of all cells, `KEY=VALUE` or KEY.KEY=VALUE; a list " +
				"is written [a, b]; repeatable"},
			codecFlag(),
			&cli.BoolFlag{Name: "dry-run", Usage: "print the cells and what they cost, and run nothing"},
			&cli.BoolFlag{Name: "extend", Usage: "the folder's sweep may get more cells; cells that were started " +
				"keep their settings"},
		}, engineFlags()...),
		Subcommands: []*cli.Command{from.sweepWorkerCommand(), from.sweepStatusCommand(), from.sweepRetryCommand(),
			from.sweepCancelCommand(), from.sweepGatherCommand()},
		OnUsageError: onUsageError,
		Action:       anyOrder(from.runSweep),
	}
}

func (from program) runSweep(c *cli.Context) error {
	specs, err := from.sweepSpecs(c)
	if err != nil {
		return usageError{err}
	}
	nested := len(specs) > 1
	if specs, err = onlySpecs(specs, c.StringSlice("only")); err != nil {
		return usageError{err}
	}
	if c.Bool("dry-run") {
		return inFile(c, from.dryRun(c, specs))
	}
	out := c.String("out")
	if out == "" {
		return usageError{errors.New("no --out, expected the folder of the sweep")}
	}
	return from.runSweeps(c, specs, out, nested)
}

// runSweeps runs sweeps into a folder, each in a folder of its own where they are nested.
func (from program) runSweeps(c *cli.Context, specs []sweep.Spec, out string, nested bool) error {
	ctx, stop := signal.NotifyContext(c.Context, requeueSignals()...)
	defer stop()
	if err := from.checkLater(specs); err != nil {
		return inFile(c, usageError{err})
	}
	var errs []error
	for i := range specs {
		dir := out
		if nested {
			dir = filepath.Join(out, specs[i].Name)
			note(c, "sweep %d of %d: %s", i+1, len(specs), specs[i].Name)
		}
		err := from.oneSweep(ctx, c, specs[i], dir)
		if errors.Is(err, engine.ErrRequeue) {
			return codeError{err, exitRequeue}
		}
		errs = append(errs, inFile(c, err))
	}
	return worst(errs)
}

// checkLater reports what is wrong with sweeps that run after another, before that takes its time.
func (from program) checkLater(specs []sweep.Spec) error {
	var errs []error
	for i := 1; i < len(specs); i++ {
		cells, err := specs[i].Cells(&from.Catalogues)
		if err == nil {
			err = specs[i].Check(&from.Catalogues, cells)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// scaleFlag is the scale of a question.
func scaleFlag(scale string) cli.Flag {
	return &cli.StringFlag{Name: "scale", Value: scale, Usage: "`SCALE` of a question: tiny (seconds), small " +
		"(about a minute) or full"}
}

// scaleOf is the scale that was asked for.
func scaleOf(c *cli.Context) (string, error) {
	scale := c.String("scale")
	if !slices.Contains(sweep.Scales(), scale) {
		return "", fmt.Errorf("--scale: %q, expected one of %s%s", scale, strings.Join(sweep.Scales(), ", "),
			param.Hint(scale, sweep.Scales()))
	}
	return scale, nil
}

// inFile puts the sweep's file before a fault of its settings that has no place.
func inFile(c *cli.Context, err error) error {
	var usage usageError
	file := c.Args().First()
	// the fault is the folder's
	if out := c.String("out"); out != "" && err != nil && strings.Contains(err.Error(), out) {
		return err
	}
	if file == "" || !errors.As(err, &usage) || strings.Contains(err.Error(), file) {
		return err
	}
	return usageError{fmt.Errorf("%s: %w", file, err)}
}

// worst joins the errors of several sweeps under the code that asks for most.
func worst(errs []error) error {
	err := errors.Join(errs...)
	code := exitOK
	for _, e := range errs {
		var usage usageError
		var coded codeError
		switch {
		case e == nil:
		case errors.As(e, &usage):
			return usageError{err}
		case errors.As(e, &coded) && (code == exitOK || code == coded.code):
			code = coded.code
		default:
			code = exitFailed
		}
	}
	if err == nil {
		return nil
	}
	return codeError{err, code}
}

// sweepSpecs reads the sweeps that were asked for.
func (from program) sweepSpecs(c *cli.Context) ([]sweep.Spec, error) {
	var specs []sweep.Spec
	name := c.String("question")
	switch first := c.Args().First(); {
	case c.NArg() > 1 && !strings.ContainsAny(first, "./\\"):
		parts := []string{"worker", "status", "retry", "cancel", "gather"}
		return nil, fmt.Errorf("%q: expected the FILE of a sweep, or one of %s%s", first, strings.Join(parts, ", "),
			param.Hint(first, parts))
	case c.NArg() > 1:
		return nil, fmt.Errorf("unexpected argument %q: %s takes one file (see %s --help)", c.Args().Get(1),
			commandPath(c), commandPath(c))
	case c.NArg() == 1 && name != "":
		return nil, errors.New("a file and --question are both given, expected one of them")
	case c.NArg() == 0 && name == "":
		return nil, fmt.Errorf("nothing to run, expected the FILE of a sweep or --question NAME (see %s --help)",
			commandPath(c))
	case name != "":
		q, err := from.findQuestion(name)
		if err != nil {
			return nil, err
		}
		scale, err := scaleOf(c)
		if err != nil {
			return nil, err
		}
		specs = q.Specs(scale)
	default:
		scale, err := scaleOf(c)
		if err != nil {
			return nil, err
		}
		var one bool
		specs, one, err = questions.Sweeps(&from.Catalogues, first, scale)
		if err != nil {
			return nil, sweepFileError(c, err)
		}
		if one && c.IsSet("scale") {
			return nil, fmt.Errorf("--scale: %s states the same at every scale, expected values of the form {tiny: 1, "+
				"small: 10, full: 100}", first)
		}
	}
	set := c.StringSlice("set")
	codec, err := codecOf(c)
	if codec != "" {
		set = append(set, "parquet_codec="+string(codec))
	}
	errs := []error{err}
	for i := range specs {
		errs = append(errs, specs[i].Override(set))
	}
	return specs, errors.Join(errs...)
}

// onlySpecs are the sweeps that were named, all where none was; their order stays.
func onlySpecs(all []sweep.Spec, only []string) ([]sweep.Spec, error) {
	if len(only) == 0 {
		return all, nil
	}
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
	}
	var errs []error
	for _, name := range only {
		if !slices.Contains(names, name) {
			one, _, several := strings.Cut(name, ",")
			hint := param.Hint(name, names)
			if several && slices.Contains(names, one) {
				hint = "; each is given by an --only of its own"
			}
			errs = append(errs, fmt.Errorf("--only: %q, expected one of %s%s", name, strings.Join(names, ", "), hint))
		}
	}
	return slices.DeleteFunc(all, func(s sweep.Spec) bool { return !slices.Contains(only, s.Name) }),
		errors.Join(errs...)
}

// sweepFileError reports which sub-command was meant where a file is not there.
func sweepFileError(c *cli.Context, err error) error {
	if name := c.Args().First(); errors.Is(err, os.ErrNotExist) && !strings.ContainsAny(name, "./\\") {
		return fmt.Errorf("%w: expected the file of a sweep, or one of worker, status, retry, cancel, gather", err)
	}
	return err
}

// oneSweep plans, runs and gathers one sweep.
func (from program) oneSweep(ctx context.Context, c *cli.Context, s sweep.Spec, dir string) error {
	e, err := chooseEngine(c, &s)
	if err != nil {
		return usageError{err}
	}
	f, err := sweep.Plan(&from.Catalogues, dir, s, version(), c.Bool("extend"))
	switch {
	case errors.Is(err, sweep.ErrStorage):
		return err
	case err != nil:
		return usageError{err}
	}
	again, err := f.Recover(ctx)
	if err != nil {
		return err
	}
	if len(again) > 0 {
		note(c, "%s: the machine stopped before all files reached the disk; %d cells run again", dir, len(again))
	}
	statuses := f.Statuses()
	tellChanged(c, f, statuses)
	pending := f.Pending()
	if len(pending) == 0 {
		note(c, "%s: nothing to do, all %d cells are over", dir, f.Len())
		return errors.Join(f.Tidy(), endSweep(ctx, c, f))
	}
	p := newSweepProgress(c.App.ErrWriter, formOf(c), f, statuses)
	j := e.job(c, f, pending)
	j.Watch = p.event
	err = e.run(ctx, j)
	p.close()
	switch {
	case errors.Is(err, engine.ErrHandedOut):
		note(c, "%s: %d cells are handed out; tarry sweep status %s shows how far they are", dir, len(pending), dir)
		return nil
	case err != nil:
		listFailed(c, f)
		return fmt.Errorf("%s: %w", dir, err)
	}
	return endSweep(ctx, c, f)
}

// tellChanged reports what is odd about the cells that are there.
func tellChanged(c *cli.Context, f *sweep.Folder, statuses []sweep.Status) {
	for i, s := range statuses {
		if s.State == sweep.Waiting && s.Error != "" {
			note(c, "cell %s is looked at again: %s", f.ID(i), s.Error)
		}
	}
	if v := version(); f.Version != v {
		note(c, "%s was started by version %s and continues with %s: the column version of the tables states which "+
			"rows are of which", f.Dir, f.Version, v)
	}
}

// endSweep gathers the tables and reports which cells failed.
func endSweep(ctx context.Context, c *cli.Context, f *sweep.Folder) error {
	fresh, err := f.Gather(ctx, version())
	switch {
	case errors.Is(err, sweep.ErrStorage):
		return fmt.Errorf("%s: %w; nothing is lost: the same command continues", f.Dir, err)
	case err != nil:
		return fmt.Errorf("%s: %w", f.Dir, err)
	}
	if fresh && hasTable(f) {
		note(c, "tables: %s (pandas.read_parquet(%q))", f.Dir, filepath.Join(f.Dir, mainTable(f)))
	}
	return tellFailed(c, f)
}

// hasTable reports whether the sweep's main table was gathered: without cells that are done there
// is none.
func hasTable(f *sweep.Folder) bool {
	_, err := os.Stat(filepath.Join(f.Dir, mainTable(f)))
	return err == nil
}

// mainTable is the table that a sweep's kind is about.
func mainTable(f *sweep.Folder) string {
	switch f.Spec.Kind {
	case "learn":
		return "curves"
	case "tune":
		return "tune"
	}
	return "trials"
}
