package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"tarry/internal/tensorboard"
)

func exportCommand() *cli.Command {
	return &cli.Command{
		Name:      "export",
		Usage:     "write results in the formats of other programs",
		UsageText: "tarry export tensorboard --out boards runs/agent",
		Subcommands: []*cli.Command{{
			Name:  "tensorboard",
			Usage: "write the curves of a training run, or of all cells of a sweep, as event files of TensorBoard",
			UsageText: "tarry train --env tarry/DelayTimer-v0 --out runs/agent && tarry export tensorboard --out boards runs/agent\n" +
				"tensorboard --logdir boards",
			Description: "The x axis is the number of environment steps. The format has a wall time for every point: it is the step too, so that\n" +
				"the same run gives the same bytes. Values are stored with the seven digits that the format has.",
			ArgsUsage:    "FOLDER",
			Flags:        []cli.Flag{&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "write below `DIR`, one folder for each cell of a sweep"}},
			OnUsageError: onUsageError,
			Action: anyOrder(func(c *cli.Context) error {
				dir, err := folderArgument(c)
				if c.String("out") == "" {
					err = errors.Join(err, usageError{errors.New("no --out, expected the folder to write event files into")})
				}
				if err != nil {
					return err
				}
				files, err := tensorboard.Export(c.Context, dir, c.String("out"))
				for _, f := range files {
					if _, err := fmt.Fprintln(c.App.Writer, f); err != nil {
						return err
					}
				}
				return err
			}),
		}},
		OnUsageError: onUsageError,
		Action:       unknownCommand,
	}
}
