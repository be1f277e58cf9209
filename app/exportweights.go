package app

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"tarry/run/evaluate"
)

// exportWeightsCommand writes what a policy search found, or a network that makes choices, as text.
func (from program) exportWeightsCommand() *cli.Command {
	return &cli.Command{
		Name: "weights",
		Usage: "write an agent as text: what a policy search found, for --policy ranked:weights=FILE or " +
			"dally:weights=FILE, or a network",
		UsageText: "tarry train --env tarry/Order-v0 --agent cmaes-policy --out runs/agent && tarry export weights " +
			"--out weights.txt runs/agent\n" +
			"tarry compare --trace synth:demo --policy dally --policy ranked:weights=weights.txt",
		Description: "FOLDER is the folder of a training run. Of an agent with discrete actions the text has the network " +
			"and how observations are scaled;\nit acts as the checkpoint does. Of a policy search over parameters " +
			"of its environment, such as tarry/Order-v0, the text\n" +
			"has the features, their weights, the law of run times, the margin and the timers; docs/reference/scores.md " +
			"states what they mean. An agent\n" +
			"of tarry/Preempt-v2 is the score, the gate and the wait of victims, for " +
			"dally:evict=later,order=gittins,weights=FILE: docs/results/victims.md.",
		ArgsUsage: "FOLDER",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "write to `FILE` instead of the terminal"},
			&cli.IntFlag{Name: "digits", Usage: "significant digits of a network's weights; `0` = to the last bit"},
			&cli.StringFlag{Name: "which", Value: "best", Usage: "checkpoint: `best` on validation, or last"},
		},
		OnUsageError: onUsageError,
		Action: anyOrder(func(c *cli.Context) error {
			dir, err := folderArgument(c)
			if w := c.String("which"); w != "best" && w != "last" {
				err = errors.Join(err, usageError{fmt.Errorf("--which: %q, expected best or last", w)})
			}
			if n := c.Int("digits"); n < 0 || n > 17 {
				err = errors.Join(err, usageError{fmt.Errorf("--digits: %d, expected 0 to 17", n)})
			}
			if err != nil {
				return err
			}
			var text bytes.Buffer
			if err := evaluate.WriteWeights(&from.Catalogues, dir, c.String("which"), c.Int("digits"), &text); err != nil {
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
