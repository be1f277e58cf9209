package app

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"tarry/run/evaluate"
)

// exportWeightsCommand writes what a policy search found as text.
func (from program) exportWeightsCommand() *cli.Command {
	return &cli.Command{
		Name:  "weights",
		Usage: "write the agent of a policy search as text, for --policy ranked:weights=FILE or dally:weights=FILE",
		UsageText: "tarry train --env tarry/Order-v0 --agent cmaes-policy --out runs/agent && tarry export weights " +
			"--out weights.txt runs/agent\n" +
			"tarry compare --trace synth:demo --policy dally --policy ranked:weights=weights.txt",
		Description: "FOLDER is the folder of a training run of a policy search over parameters of its environment, such " +
			"as tarry/Order-v0. The text\n" +
			"has the features, their weights, the law of run times, the margin and the timers; docs/reference/scores.md " +
			"states what they mean. An agent\n" +
			"of tarry/Preempt-v2 is the score, the gate and the wait of victims, for " +
			"dally:evict=later,order=gittins,weights=FILE: docs/results/victims.md.",
		ArgsUsage: "FOLDER",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "write to `FILE` instead of the terminal"},
			&cli.StringFlag{Name: "which", Value: "best", Usage: "checkpoint: `best` on validation, or last"},
		},
		OnUsageError: onUsageError,
		Action: anyOrder(func(c *cli.Context) error {
			dir, err := folderArgument(c)
			if w := c.String("which"); w != "best" && w != "last" {
				err = errors.Join(err, usageError{fmt.Errorf("--which: %q, expected best or last", w)})
			}
			if err != nil {
				return err
			}
			var text bytes.Buffer
			if err := evaluate.WriteWeights(&from.Catalogues, dir, c.String("which"), &text); err != nil {
				return err
			}
			if out := c.String("out"); out != "" {
				return os.WriteFile(out, text.Bytes(), 0o644)
			}
			_, err = text.WriteTo(c.App.Writer)
			return err
		}),
	}
}
