package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/internal/rundir"
	"tarry/output/report"
	"tarry/output/results"
)

func (from program) reportCommand() *cli.Command {
	return &cli.Command{
		Name: "report",
		Usage: "write one HTML page about the folder of a sweep, of compare, eval, train or tune, or about several " +
			"of them in one folder",
		UsageText: "tarry compare --trace synth:demo --policy dally --policy tiresias --replicates 3 --out " +
			"runs/demo && tarry report runs/demo\n" +
			"tarry report --out page.html --first tiresias runs/demo\n" +
			"tarry report runs/a runs/b",
		Description: "The page holds what was asked, how many cells are done and which failed, tables with " +
			"intervals, charts that can be\n" +
			"zoomed, a replay of racks, GPUs and queue for one trial or two side by side, a timeline of the cluster " +
			"for each trial,\n" +
			"the configuration and hashes. It is one file that loads nothing:\n" +
			"it can be mailed, archived and opened without a network. The same folder gives the same bytes.\n" +
			"Several folders are one page, on which the folder is an axis.",
		ArgsUsage: "FOLDER...",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "write the page into `FILE`; by default " +
				"report.html in the folder, of several folders in the current one"},
			firstFlag(),
			timelinesFlag(),
		},
		OnUsageError: onUsageError,
		Action: anyOrder(func(c *cli.Context) error {
			dirs, dir := c.Args().Slice(), ""
			if len(dirs) < 2 {
				one, err := folderArgument(c)
				if err != nil {
					return err
				}
				dirs, dir = []string{one}, one
			}
			p, err := report.NewReaderOf(dirs, from.reportOptions(c, dir)).Read(c.Context)
			if err != nil {
				return askedWrongly(err)
			}
			var page bytes.Buffer
			if err := report.Write(&page, p); err != nil {
				return err
			}
			path := c.String("out")
			if path == "" {
				path = filepath.Join(dir, "report.html")
			}
			if err := results.WriteFile(path, page.Bytes()); err != nil {
				return fmt.Errorf("--out: %w", err)
			}
			_, err = fmt.Fprintln(c.App.Writer, path)
			return err
		}),
	}
}

// reportOptions are what report and watch have in common.
func (from program) reportOptions(c *cli.Context, dir string) report.Options {
	return report.Options{First: c.String("first"), Timelines: c.String("timelines"), Policies: from.Policies,
		About: func() []report.Entry { return from.aboutQuestion(dir) }}
}

// askedWrongly gives faults of the command line their exit code: a folder that is none of ours, a
// policy that no trial has.
func askedWrongly(err error) error {
	if errors.Is(err, report.ErrAsked) {
		return usageError{err}
	}
	return err
}

// aboutQuestion is what the catalogue states of a folder's question beside the question itself; nil
// when it is none of the catalogue. The question's text identifies it, for a folder does not name
// it.
func (from program) aboutQuestion(dir string) []report.Entry {
	var asked struct {
		Question string `json:"question"`
	}
	data, err := rundir.ReadFile(filepath.Join(dir, "sweep.json"))
	if err != nil || json.Unmarshal(data, &asked) != nil {
		return nil // the reader reports what is wrong with the folder
	}
	for _, q := range from.Questions.Opened() {
		if q.Ask == asked.Question {
			return []report.Entry{{Name: "prediction", Text: q.Predict}, {Name: "how to read it", Text: q.Read}}
		}
	}
	return nil
}

// firstFlag reports which policy differences are against.
func firstFlag() cli.Flag {
	return &cli.StringFlag{Name: "first", Usage: "compare every policy with `POLICY`; by default the first of " +
		"the folder"}
}

// timelinesFlag chooses trials where not all fit on the page.
func timelinesFlag() cli.Flag {
	return &cli.StringFlag{Name: "timelines", Usage: "a timeline for trials with `TEXT` in their name (seed=1, " +
		"policy=dally/seed=3); by default the first 200"}
}

// folderArgument is the one argument of a command over a folder.
func folderArgument(c *cli.Context) (string, error) {
	switch c.NArg() {
	case 0:
		return "", usageError{fmt.Errorf("no folder, expected the folder of a sweep or of --out (see %s --help)",
			commandPath(c))}
	case 1:
		return c.Args().First(), nil
	}
	return "", usageError{fmt.Errorf("unexpected argument %q: %s takes one folder (see %s --help)", c.Args().Get(1),
		commandPath(c), commandPath(c))}
}

// anyOrder lets a command's flags stand behind its arguments too: "report DIR --out FILE".
func anyOrder(action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		args := c.Args().Slice()
		first := slices.IndexFunc(args, func(a string) bool { return strings.HasPrefix(a, "-") })
		if first < 1 {
			return action(c)
		}
		parent := cli.NewContext(c.App, nil, c.Lineage()[1]) // as the library itself calls a sub-command
		parent.Command = c.Command
		again := append([]string{c.Command.Name}, args[first:]...)
		return c.Command.Run(parent, append(again, args[:first]...)...)
	}
}
