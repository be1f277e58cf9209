package app

import (
	"github.com/urfave/cli/v2"

	"tarry/run/compare"
)

func (from program) simulateCommand() *cli.Command {
	return &cli.Command{
		Name:  "simulate",
		Usage: "run one policy on one workload",
		UsageText: "tarry simulate --trace synth:demo --cluster 4x4x8 --policy dally --out run\n" +
			"tarry simulate --trace philly:philly.csv --cluster nvlink-512 --policy tiresias --format json",
		Description: "The result is one row of the table trials." + columnsPart + ":\n" + compare.Help(),
		Flags: append([]cli.Flag{
			&cli.StringSliceFlag{Name: "policy", Aliases: []string{"p"},
				Usage: "`NAME` or NAME:key=value,... (see tarry list policies)"},
		}, from.runFlags()...),
		OnUsageError: onUsageError,
		Action: func(c *cli.Context) error {
			s, results, err := from.execute(c, onePolicy)
			if err != nil {
				return err
			}
			return printSummary(c, compare.Rows(s, s.Config.Policies, results), false)
		},
	}
}
