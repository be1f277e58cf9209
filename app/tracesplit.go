package app

import (
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"tarry/sim"
	"tarry/sim/param"
	"tarry/traces"
	"tarry/traces/transform"
)

func (from program) traceSplitCommand() *cli.Command {
	return &cli.Command{
		Name:      "split",
		Usage:     "cut a workload by time into train, validation and test, with gaps",
		UsageText: "tarry trace split --trace philly:philly.csv --out parts --shares 70/15/15 --gap 86400",
		Flags: append(sourceFlags(),
			&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "write train, validation and test into `DIR`"},
			&cli.StringFlag{Name: "shares", Value: "70/15/15", Usage: "`A/B/C`: lengths of the three parts, in " +
				"proportion"},
			&cli.Float64Flag{Name: "gap", Usage: "leave out the jobs submitted within `SECONDS` after a cut"},
			&cli.StringFlag{Name: "format", Value: "parquet", Usage: "`FORMAT` of the parts: parquet or csv"}),
		OnUsageError: onUsageError,
		Action: func(c *cli.Context) error {
			args, err := arguments(c, "trace", "out")
			if err != nil {
				return err
			}
			set := param.Parse("--shares", "shares="+c.String("shares"))
			shares := set.Floats("shares", nil, 0, 1e9)
			format := param.Parse("--format", "format="+c.String("format"))
			ext := format.Enum("format", "parquet", "csv")
			if err := firstError(set.Err(), format.Err()); err != nil {
				return usageError{err}
			}
			if len(shares) != 3 {
				return usageError{fmt.Errorf("--shares: %q has %d parts, expected three such as 70/15/15",
					c.String("shares"), len(shares))}
			}
			if err := partFolder().free(args[1]); err != nil {
				return err
			}
			w, err := from.openTrace(c, args[0], 0)
			if err != nil {
				return err
			}
			p, err := transform.Split(w, [3]float64(shares), sim.Seconds(c.Float64("gap")))
			if err != nil {
				return usageError{err}
			}
			return partFolder().fill(args[1], func() error {
				for _, part := range [...]struct {
					name string
					w    *sim.Workload
				}{{"train", p.Train}, {"validation", p.Validation}, {"test", p.Test}} {
					path := filepath.Join(args[1], part.name+"."+ext)
					if err := traces.Write(path, part.w); err != nil {
						return err
					}
					note(c, "%s: %d jobs", path, len(part.w.Jobs))
				}
				return nil
			})
		},
	}
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
