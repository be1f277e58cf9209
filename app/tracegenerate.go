package app

import (
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/internal/legible"
	"tarry/traces"
	"tarry/traces/csvfmt"
)

func (from program) traceGenerateCommand() *cli.Command {
	return &cli.Command{
		Name:  "generate",
		Usage: "draw a workload and write it as tarry's CSV, JSON lines or Parquet, to standard output without --out",
		UsageText: "tarry trace generate --seed 7 --trace synth:philly,jobs=1000,load=0.9 --out jobs.parquet\n" +
			"tarry trace generate demo > jobs.csv",
		Description: "NAME or NAME:key=value,... as tarry list traces shows; synth: may stand before it.",
		Flags: append(sourceFlags(),
			jobsOutFlag()),
		OnUsageError: onUsageError,
		Action: func(c *cli.Context) error {
			flags := []string{"trace"}
			if c.String("out") != "" || c.NArg() > 1 || c.NArg() == 1 && c.String("trace") != "" {
				flags = append(flags, "out")
			}
			args, err := arguments(c, flags...)
			if err != nil {
				return err
			}
			w, err := from.openTrace(c, "synth:"+strings.TrimPrefix(args[0], "synth:"), 0)
			if err != nil {
				return usageError{err}
			}
			if len(args) == 1 {
				return csvfmt.Write(legible.Under(c.App.Writer), w)
			}
			if err := traces.Write(args[1], w); err != nil {
				return err
			}
			note(c, "%s: %d jobs", args[1], len(w.Jobs))
			return nil
		},
	}
}
