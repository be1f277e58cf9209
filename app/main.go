// Package app is the command tarry: schedulers for distributed deep-learning training in a
// simulated GPU cluster, compared and trained. See "tarry --help".
//
// Reading guide: main.go is the table of commands and the exit codes; each command has a file
// of its own name; flags.go turns flags and a YAML file into a config.Config; execute.go runs
// the trials; train.go trains an agent, eval.go measures it beside schedulers; print.go prints
// the result, pictures.go draws it; progress.go states how far it is.
//
// The result goes to standard output and everything else to standard error.
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"tarry/internal/legible"
	"tarry/run/lock"
	"tarry/sim/setting"
)

// The exit codes. They are part of the interface: scripts may rely on them.
const (
	exitOK          = 0
	exitFailed      = 1   // the run failed: a file, a disk, a simulation
	exitUsage       = 2   // the command line or the configuration is wrong
	exitRequeue     = 75  // training got a signal to stop and wrote a checkpoint: start it again with --resume
	exitInterrupted = 130 // Ctrl-C or a TERM signal; what is on disk is complete
)

// usageError is a fault of the command line or the configuration.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// grace is how long an interrupted run may take to stop by itself, longGrace how long a training
// run, which ends its update first.
const (
	grace     = time.Second
	longGrace = 10 * time.Minute
)

// program is the command with the catalogues in which its sub-commands look names up.
type program struct {
	*Catalogue
	more []setting.Row // settings beside tarry's
}

// Main runs the command line of the process with the entries of a catalogue, and ends it with one
// of the exit codes. A catalogue in which two entries of a kind have the same name, or one is
// incomplete, ends it at once with code 2.
func Main(c *Catalogue) {
	if err := c.Validate(); err != nil {
		fmt.Fprintf(os.Stderr, "tarry: %v\n", err)
		os.Exit(exitUsage)
	}
	from := program{Catalogue: c}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	done := make(chan int)
	go func() { done <- from.run(ctx, os.Args, os.Stdout, os.Stderr) }()
	select {
	case code := <-done:
		os.Exit(code)
	case <-ctx.Done():
	}
	stop() // a second signal ends the program at once
	wait := grace
	if patient(ctx, os.Args) {
		wait = longGrace
	}
	select {
	case code := <-done:
		os.Exit(code)
	case <-time.After(wait): // it reads or draws something long; files take their names only when whole
		fmt.Fprintln(os.Stderr, "tarry: interrupted")
		os.Exit(exitInterrupted)
	}
}

// checkWords refuses control characters, ends of lines among them: no name that is meant has any,
// and in messages they would stand for what they are not.
func checkWords(args []string) error {
	for _, a := range args[min(1, len(args)):] {
		if strings.ContainsFunc(a, unicode.IsControl) {
			return usageError{fmt.Errorf("the argument %q holds control characters, expected none", a)}
		}
	}
	return nil
}

// terminal reports whether a writer is a terminal, on which lines may be drawn anew; what is drawn
// on it goes past legible.Writer.
func terminal(w io.Writer) (io.Writer, bool) {
	f, ok := legible.Under(w).(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return w, false
	}
	return f, true
}

// run is the program but for the process around it.
func (from program) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 1 && args[1] == completeWord {
		return from.complete(from.newApp(stdout, stderr), args[2:], stdout)
	}
	out, errs := legible.NewWriter(stdout), legible.NewWriter(stderr)
	app := from.newApp(out, errs)
	words := args[min(1, len(args)):]
	err := checkWords(args)
	if path, all, asked := helpAsked(app, words); err == nil && asked {
		err = printHelp(out, app, path, all)
	} else if err == nil {
		if err = checkNumbers(app, words); err == nil {
			err = app.RunContext(ctx, args)
		}
	}
	code := ended(err, errs)
	if err := errors.Join(out.Flush(), errs.Flush()); err != nil && code == exitOK {
		return exitFailed
	}
	return code
}

// ended prints the error of a command, if there is one, and gives the exit code.
func ended(err error, stderr io.Writer) int {
	var usage usageError
	var requeue requeueError
	var coded codeError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &requeue):
		fmt.Fprintf(stderr, "tarry: %v\n", err)
		return exitRequeue
	case errors.As(err, &coded) && !errors.As(err, &usage):
		fmt.Fprintf(stderr, "tarry: %v\n", err)
		return coded.code
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "tarry: interrupted; all files on disk are complete, and the same command resumes "+
			"from them")
		return exitInterrupted
	}
	fmt.Fprintf(stderr, "tarry: %v\n", err)
	if errors.As(err, &usage) || errors.Is(err, lock.ErrForeign) {
		return exitUsage
	}
	return exitFailed
}

func (from program) newApp(stdout, stderr io.Writer) *cli.App {
	cli.VersionFlag = nil
	return &cli.App{
		Name:  "tarry",
		Usage: "compare schedulers, and train them, for distributed deep learning in a simulated GPU cluster",
		UsageText: "tarry compare --trace synth:demo --cluster 4x4x8 --policy dally --policy tiresias\n" +
			"tarry COMMAND --help",
		Description: "Exit codes: 0 done, 1 the run failed, 2 the command line or the configuration is wrong,\n" +
			"75 training got a signal to stop and resumes with --resume, 130 interrupted. The result goes to " +
			"standard output, everything else to standard error.",
		HideHelp:        true,
		HideHelpCommand: true,
		Commands: withHelp([]*cli.Command{
			from.simulateCommand(), from.compareCommand(), from.trainCommand(), from.tuneCommand(), from.evalCommand(),
			from.sweepCommand(), from.reproduceCommand(), from.figuresCommand(), from.reportCommand(), from.watchCommand(),
			from.runsCommand(),
			from.exportCommand(), from.traceCommand(), from.listCommand(), completionCommand(), versionCommand(),
		}),
		Flags: append([]cli.Flag{&cli.BoolFlag{Name: "version", Aliases: []string{"v"},
			Usage: "print what tarry version prints"}}, helpFlags()...),
		Writer:                    stdout,
		ErrWriter:                 stderr,
		Suggest:                   true,
		HideVersion:               true,
		DisableSliceFlagSeparator: true, // a policy's parameters have commas
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              onUsageError,
		CommandNotFound:           nil,
		Before:                    versionStandsAlone,
		Action:                    versionOrHelp,
	}
}
