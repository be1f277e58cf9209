// Command tarry compares schedulers for distributed deep-learning training in a simulated
// GPU cluster. See "tarry --help".
//
// Reading guide: main.go is the table of commands and the exit codes; each command has a file
// of its own name; flags.go turns flags and a YAML file into a config.Config; execute.go runs
// the trials; train.go trains an agent, eval.go measures it beside schedulers; summary.go prints
// the result, pictures.go draws it; progress.go says how far it is.
//
// The result goes to standard output and everything else to standard error.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"
)

// The exit codes. They are part of the interface: scripts may rely on them.
const (
	exitOK          = 0
	exitFailed      = 1   // the run failed: a file, a disk, a simulation
	exitUsage       = 2   // the command line or the configuration is wrong
	exitRequeue     = 75  // training was told to stop and wrote a checkpoint: start it again with --resume
	exitInterrupted = 130 // Ctrl-C or a TERM signal; what is on disk is whole
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

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	done := make(chan int)
	go func() { done <- run(ctx, os.Args, os.Stdout, os.Stderr) }()
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

// run is the program but for the process around it.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	err := newApp(stdout, stderr).RunContext(ctx, args)
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
		fmt.Fprintln(stderr, "tarry: interrupted; the files that are there are whole, and the same command goes on from them")
		return exitInterrupted
	}
	fmt.Fprintf(stderr, "tarry: %v\n", err)
	if errors.As(err, &usage) {
		return exitUsage
	}
	return exitFailed
}

func newApp(stdout, stderr io.Writer) *cli.App {
	cli.VersionFlag = nil
	return &cli.App{
		Name:  "tarry",
		Usage: "compare schedulers, and train them, for distributed deep learning in a simulated GPU cluster",
		UsageText: "tarry compare --trace synth:demo --cluster 4x4x8 --policy dally --policy tiresias\n" +
			"tarry COMMAND --help",
		Description: "Exit codes: 0 done, 1 the run failed, 2 the command line or the configuration is wrong,\n" +
			"75 training was told to stop and goes on with --resume, 130 interrupted. The result goes to standard output, everything else to standard error.",
		Commands: []*cli.Command{
			simulateCommand(), compareCommand(), trainCommand(), tuneCommand(), evalCommand(), sweepCommand(), figuresCommand(), reportCommand(), watchCommand(), exportCommand(), traceCommand(), listCommand(), completionCommand(), versionCommand(),
		},
		Writer:                    stdout,
		ErrWriter:                 stderr,
		Suggest:                   true,
		EnableBashCompletion:      true,
		HideVersion:               true,
		DisableSliceFlagSeparator: true, // a policy's parameters have commas
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              onUsageError,
		CommandNotFound:           nil,
		Action:                    unknownCommand,
	}
}
