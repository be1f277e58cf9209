package app

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"tarry/sim/setting"
)

// progressName is the flag of every command that shows how far it is.
const progressName = "progress"

// form is how a command shows how far it is.
type form string

// The forms of progress.
const (
	auto   form = "auto" // a bar on a terminal, a line every few seconds elsewhere
	inJSON form = "json"
	silent form = "none"
)

// progressFlag is the form in which a command shows how far it is.
func progressFlag() cli.Flag {
	return &cli.StringFlag{Name: progressName, Category: setting.Output, Value: string(auto),
		Usage: "progress on standard error in `FORM`: auto (a bar on a terminal, else a line now and then), json " +
			`(lines of {"progress": UNIT, "done": N, "total": N, "text": WORDS}) or none`,
		Action: func(_ *cli.Context, text string) error {
			switch form(text) {
			case auto, inJSON, silent:
				return nil
			}
			return usageError{fmt.Errorf("--%s: %q, expected auto, json or none", progressName, text)}
		}}
}

// formOf reads the flag; a command without it shows progress by itself.
func formOf(c *cli.Context) form { return cmp.Or(form(c.String(progressName)), auto) }

// printProgress writes the line of a program that reads progress. One that cannot be written is no
// reason to stop.
func printProgress(w io.Writer, unit string, done, total int64, text string) {
	line, err := json.Marshal(struct {
		Unit  string `json:"progress"`
		Done  int64  `json:"done"`
		Total int64  `json:"total"`
		Text  string `json:"text"`
	}{unit, done, total, text})
	if err == nil {
		w.Write(append(line, '\n'))
	}
}
