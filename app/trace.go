package app

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"tarry/sim"
	"tarry/sim/rng"
	"tarry/traces"
)

func (from program) traceCommand() *cli.Command {
	return &cli.Command{
		Name:         "trace",
		Usage:        "look at workloads, convert, split, repair and generate them",
		OnUsageError: onUsageError,
		Action:       unknownCommand,
		Subcommands: []*cli.Command{from.traceInfoCommand(), from.traceConvertCommand(), from.traceSplitCommand(),
			from.traceGenerateCommand(), from.traceTemplateCommand(), from.traceRepairCommand(),
			from.traceSlurmCommand()},
	}
}

// sourceFlags are the flags of every trace command.
func sourceFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "trace", Usage: "the workload: `FORMAT:PATH` or synth:NAME (see tarry list traces)"},
		traceColumnsFlag("columns"),
		&cli.BoolFlag{Name: "strict", Usage: "wrong rows are errors, not dropped and counted"},
		&cli.IntFlag{Name: "max-jobs", Usage: "refuse more than `N` jobs; 0 = 10 million"},
		&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`SEED` of all random draws"},
	}
}

// traceColumnsFlag is the setting of that name; tarry trace has it as --columns too, which chooses
// what tarry compare and tarry eval print.
func traceColumnsFlag(aliases ...string) cli.Flag {
	return &cli.StringFlag{Name: "trace-columns", Aliases: aliases, Usage: "columns of a table of jobs by other names: " +
		"`OWN=COLUMN,...`, COLUMN=- leaves one out (see tarry list columns)"}
}

// jobsOutFlag is the flag of commands that write jobs.
func jobsOutFlag() cli.Flag {
	return &cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "`FILE` ending in .csv, .jsonl, the same with " +
		".gz or .zst, or .parquet"}
}

// arguments reads flags or, in their place, what stands behind them, in order. All are required.
func arguments(c *cli.Context, flags ...string) ([]string, error) {
	rest := c.Args().Slice()
	var out []string
	for _, name := range flags {
		v := c.String(name)
		if v == "" && len(rest) > 0 {
			v, rest = rest[0], rest[1:]
		}
		if v == "" {
			return nil, usageError{fmt.Errorf("no --%s (see %s --help)", name, commandPath(c))}
		}
		out = append(out, v)
	}
	if len(rest) > 0 {
		return nil, usageError{fmt.Errorf("unexpected argument %q: flags go before arguments (see %s --help)", rest[0],
			commandPath(c))}
	}
	return out, nil
}

// openTrace opens a workload for a cluster of so many GPUs (0 = none) and returns the account of
// its rows.
func (from program) openTrace(c *cli.Context, spec string, gpus int) (*sim.Workload, error) {
	w, _, err := from.openReported(c, spec, traces.Options{GPUs: gpus})
	return w, err
}

// openReported is openTrace with the account; nil = there is none, of generated jobs.
func (from program) openReported(c *cli.Context, spec string, opt traces.Options) (*sim.Workload, *traces.Report,
	error) {
	opt.Strict, opt.MaxJobs = opt.Strict || c.Bool("strict"), c.Int("max-jobs")
	opt.Columns = c.String("trace-columns")
	opt.Source = rng.Source{Seed: c.Uint64("seed")}
	w, report, err := from.Traces.Open(spec, opt)
	if report != nil && err == nil {
		fmt.Fprint(c.App.ErrWriter, report)
	}
	return w, report, err
}
