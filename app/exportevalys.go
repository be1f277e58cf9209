package app

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/output/evalys"
)

// exportEvalysCommand writes jobs as Batsim does.
func (from program) exportEvalysCommand() *cli.Command {
	return &cli.Command{
		Name:  "evalys",
		Usage: "write jobs as Batsim's _jobs.csv, for the Python package evalys",
		UsageText: "tarry compare --trace synth:demo --policy fifo --policy dally --out runs/demo && tarry export evalys " +
			"--out jobs runs/demo",
		Description: "FOLDER is the folder of tarry simulate, compare or eval. Each trial is a file POLICY_jobs.csv, with " +
			"the numbers of GPUs as\n" +
			"resources. A job that was preempted or moved has a row for each allocation, from the second on with #2, #3, " +
			"... behind its id.",
		ArgsUsage:    "FOLDER",
		Flags:        []cli.Flag{&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "write below `DIR`"}},
		OnUsageError: onUsageError,
		Action: anyOrder(func(c *cli.Context) error {
			dir, err := folderArgument(c)
			if c.String("out") == "" {
				err = errors.Join(err, usageError{errors.New("no --out, expected the folder to write files of jobs into")})
			}
			if err != nil {
				return err
			}
			var done evalys.Exported
			ours := folderKind{"--out", "files of jobs", func(e fs.DirEntry) bool {
				return strings.HasSuffix(e.Name(), "_jobs.csv")
			}}
			err = ours.fill(c.String("out"), func() (err error) {
				done, err = evalys.Export(c.Context, dir, c.String("out"))
				return err
			})
			for _, f := range done.Files {
				if _, err := fmt.Fprintln(c.App.Writer, f); err != nil {
					return err
				}
			}
			if done.Parts > 0 {
				note(c, "%d jobs have a row for each allocation: they were preempted, moved or resized", done.Parts)
			}
			if done.Waiting > 0 {
				note(c, "%d jobs are left out: they still waited when the run ended", done.Waiting)
			}
			if errors.Is(err, evalys.ErrAsked) {
				err = usageError{err}
			}
			return err
		}),
	}
}
