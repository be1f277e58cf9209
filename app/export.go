package app

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"tarry/output/tensorboard"
)

func (from program) exportCommand() *cli.Command {
	return &cli.Command{
		Name:  "export",
		Usage: "write results in the formats of other programs",
		UsageText: "tarry export tensorboard --out boards runs/agent\ntarry export weights --out weights.txt " +
			"runs/agent",
		Subcommands: []*cli.Command{from.exportWeightsCommand(), from.exportEvalysCommand(), {
			Name:  "tensorboard",
			Usage: "write the curves of training runs as event files of TensorBoard",
			UsageText: "tarry train --env tarry/DelayTimer-v1 --out runs/agent && tarry export tensorboard --out " +
				"boards runs/agent\n" +
				"tensorboard --logdir boards",
			Description: "FOLDER is the folder of a training run, of a sweep that trains, or one that holds such folders. " +
				"The x axis is the number of\n" +
				"environment steps; wall times are as tarry train recorded them in the table timing. The tab " +
				"HPARAMS shows the\n" +
				"settings of every run, settings that differ first, and what it came to. The same folder gives the " +
				"same bytes. Values are\n" +
				"stored with the seven digits that the format has.",
			ArgsUsage: "FOLDER",
			Flags: []cli.Flag{&cli.StringFlag{Name: "out", Aliases: []string{"o"},
				Usage: "write below `DIR`, one folder for each run"}},
			OnUsageError: onUsageError,
			Action: anyOrder(func(c *cli.Context) error {
				dir, err := folderArgument(c)
				if c.String("out") == "" {
					err = errors.Join(err, usageError{errors.New("no --out, expected the folder to write event " +
						"files into")})
				}
				if err != nil {
					return err
				}
				var done tensorboard.Exported
				err = boardFolder().fill(c.String("out"), func() (err error) {
					done, err = tensorboard.Export(c.Context, dir, c.String("out"))
					return err
				})
				for _, f := range done.Files {
					if _, err := fmt.Fprintln(c.App.Writer, f); err != nil {
						return err
					}
				}
				if n := len(done.Untimed); n > 0 {
					note(c, "%d of %d runs have no table timing: their points are at time 0, so that the axes "+
						"Relative and Wall have nothing of them", n, len(done.Files))
				}
				if errors.Is(err, tensorboard.ErrAsked) {
					err = usageError{err}
				}
				return err
			}),
		}},
		OnUsageError: onUsageError,
		Action:       unknownCommand,
	}
}
