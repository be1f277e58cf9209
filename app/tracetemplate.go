package app

import (
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/internal/legible"
	"tarry/traces"
	"tarry/traces/csvfmt"
	"tarry/traces/intake"
)

// template is an example of a table of jobs.
const template = `id,submit_s,gpus,duration_s,user,vc,model,request_s,state
train-1,2024-03-01T08:00:00Z,8,1-02:30:00,ann,vision,ResNet-50,2-00:00:00,COMPLETED
train-2,2024-03-01T08:04:10.5Z,1,5400,bob,nlp,,4:00:00,COMPLETED
tune-1,2024-03-01T09:30:00Z,4,00:12:45,ann,vision,VGG-16,,FAILED
`

func (from program) traceTemplateCommand() *cli.Command {
	return &cli.Command{
		Name:  "template",
		Usage: "write an example of a table of jobs, as CSV to standard output without --out",
		UsageText: "tarry trace template > jobs.csv\n" +
			"tarry trace template --out jobs.jsonl",
		Description:  "tarry list columns has all columns that such a table may have.",
		Flags:        []cli.Flag{jobsOutFlag()},
		OnUsageError: onUsageError,
		Action: func(c *cli.Context) error {
			out := c.String("out")
			if out == "" && c.NArg() == 0 {
				_, err := io.WriteString(legible.Under(c.App.Writer), template)
				return err
			}
			args, err := arguments(c, "out")
			if err != nil {
				return err
			}
			return writeTemplate(c, args[0])
		},
	}
}

// writeTemplate writes the example in the format of a file's name.
func writeTemplate(c *cli.Context, target string) error {
	format, path, err := traces.Target(target)
	if err != nil {
		return usageError{err}
	}
	w, _, err := csvfmt.Parse("template", strings.NewReader(template), intake.Options{Strict: true})
	if err != nil {
		return err
	}
	if format == "csv" && !strings.HasSuffix(path, ".gz") && !strings.HasSuffix(path, ".zst") {
		err = os.WriteFile(path, []byte(template), 0o644)
	} else {
		err = traces.Write(target, w)
	}
	if err == nil {
		note(c, "%s: %d jobs", path, len(w.Jobs))
	}
	return err
}
