package app

import (
	"io"

	"github.com/urfave/cli/v2"

	"tarry/experiments/engine"
	"tarry/traces/slurm"
)

func (from program) traceSlurmCommand() *cli.Command {
	return &cli.Command{
		Name:      "slurm-command",
		Usage:     "print the commands that write a Slurm cluster's jobs and nodes as tarry reads them",
		UsageText: "tarry trace slurm-command --start 2026-01-01 --end 2026-04-01 --partition gpu > log.sh",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "start", Value: "now-30days", Usage: "jobs in the system from `TIME` on, as sacct " +
				"takes it"},
			&cli.StringFlag{Name: "end", Value: "now", Usage: "jobs in the system until `TIME`"},
			&cli.StringFlag{Name: "partition", Usage: "jobs of these `PARTITIONS`, between commas; without it, of all"},
		},
		OnUsageError: onUsageError,
		Action: func(c *cli.Context) error {
			if _, err := arguments(c); err != nil {
				return err
			}
			partition := c.String("partition")
			if partition != "" {
				partition = engine.QuoteShell(partition)
			}
			_, err := io.WriteString(c.App.Writer, slurm.Command(engine.QuoteShell(c.String("start")),
				engine.QuoteShell(c.String("end")), partition))
			return err
		},
	}
}
