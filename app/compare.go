package app

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"tarry/run/bounds"
	"tarry/run/compare"
	"tarry/run/config"
	"tarry/run/trial"
)

func (from program) compareCommand() *cli.Command {
	return &cli.Command{
		Name:  "compare",
		Usage: "run many policies on the same jobs",
		UsageText: "tarry compare --trace synth:demo --cluster 4x4x8 --policy dally --policy tiresias --policy fifo " +
			"--replicates 5\n" +
			"tarry compare --trace artistsim:jobs.json --preset paper --policy dally:t_rack=6,t_net=12 --policy " +
			"tiresias --plot pictures",
		Description: "Each policy is compared in pairs with the first. With several replicates the interval is\n" +
			"Student's over the replicates' mean completion times; with one it is over the jobs of\n" +
			"that run, which states how much the jobs differ, not how much another run would." +
			columnsPart + ":\n" + compare.Help() +
			"  jobs_compared   jobs that all policies finished: differences are over them\n" +
			"  jct_mean_compared_s  mean completion time of these jobs\n" +
			"  jct_mean_diff_s, jct_mean_diff_lo_s, jct_mean_diff_hi_s  jct_mean_compared_s minus the first\n" +
			"      policy's, with its 95 % interval; diff_over states over what (replicates, jobs)",
		Flags: append([]cli.Flag{
			&cli.StringSliceFlag{Name: "policy", Aliases: []string{"p"},
				Usage: "`NAME` or NAME:key=value,...; repeatable (see tarry list policies); label=TEXT names it in " +
					"tables for people, pictures and the report"},
			boundsFlag(),
			&cli.StringFlag{Name: "plot", Usage: "draw the completion times and the means into `DIR` (PNG, SVG, " +
				"PDF, and the data as CSV and Parquet)"},
		}, from.runFlags()...),
		OnUsageError: onUsageError,
		Action: func(c *cli.Context) error {
			var more []func(*config.Setup, []trial.Trial) ([]trial.Trial, error)
			if c.Bool("bounds") {
				more = append(more, from.boundTrials)
			}
			s, results, err := from.execute(c, manyPolicies, more...)
			if err != nil {
				return err
			}
			names := s.Config.Policies
			if c.Bool("bounds") {
				names, results = bounds.With(names, results, len(s.Runs))
			}
			sums := compare.Rows(s, names, results)
			if err := compare.WithFirst(s, sums); err != nil {
				return err
			}
			if err := printSummary(c, sums, true); err != nil {
				return err
			}
			if dir := c.String("plot"); dir != "" {
				var files string
				err := pictureFolder("--plot").fill(dir, func() (err error) {
					files, err = drawComparison(&from.Catalogues, dir, sums, s.Labels)
					return err
				})
				if err != nil {
					return fmt.Errorf("--plot: %w", err)
				}
				if !sums[0].Same {
					note(c, "pictures: completion times are of the jobs that all policies finished; queueing, "+
						"communication and makespan are each policy's own")
				}
				note(c, "pictures: %s", files)
			}
			return nil
		},
	}
}
