package intake

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
)

// stepTimes is the table of measured times; its head states the sources.
//
//go:embed steptimes.csv
var stepTimes string

// StepTimes gives the time of a step of each model on one GPU, in microseconds, as the authors of a
// trace measured it: gavel, shockwave or elasticflow.
func StepTimes(authors string) (map[string]int64, error) { return readStepTimes(stepTimes, authors) }

func readStepTimes(text, authors string) (map[string]int64, error) {
	in := csv.NewReader(strings.NewReader(text))
	in.Comment = '#'
	rows, err := in.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("steptimes.csv: %w", err)
	}
	if head := "authors,gpu,model,step_us"; len(rows) == 0 || strings.Join(rows[0], ",") != head {
		return nil, fmt.Errorf("steptimes.csv: no header, expected %s", head)
	}
	out := map[string]int64{}
	for _, row := range rows[1:] {
		us, err := strconv.ParseInt(row[3], 10, 64)
		_, twice := out[row[2]]
		switch {
		case row[0] != authors:
			continue
		case err != nil || us <= 0:
			return nil, fmt.Errorf("steptimes.csv: step_us of %s, %q is %q, expected a whole number of microseconds > 0",
				row[0], row[2], row[3])
		case twice:
			return nil, fmt.Errorf("steptimes.csv: %s has the model %q twice", row[0], row[2])
		}
		out[row[2]] = us
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("steptimes.csv: no row of %q", authors)
	}
	return out, nil
}
