package tariff

import (
	"fmt"
	"math"
	"strings"

	"tarry/sim/param"
	"tarry/sim/series"
)

// None is the setting of a run without the series.
const None = "none"

// Params has one line for each option: key, meaning.
const (
	DayParams = `mean     mean of the day
swing    how far hours are from it: 1 = as drawn, 0 = constant
start_h  hour of the day at which a run begins`
	FileParams = `every_s  seconds after which the file begins again; 0 = its last value holds
start    instant of the file at which a run begins, seconds or a date with a time; empty = its first row
scale    all values times it`
)

// Parse reads a setting; nil for "" and none. The error joins all faults.
func (k *Kind) Parse(text string) (*series.Series, error) {
	if text == "" || text == None {
		return nil, nil
	}
	if v, err := param.ParseFloat(text); err == nil {
		if !(v >= k.Low && v <= k.High) {
			return nil, fmt.Errorf("%s is %q, expected a number in %g..%g", k.Key, text, k.Low, k.High)
		}
		return series.Constant(v), nil
	}
	what := fmt.Sprintf("%s %q", k.Key, text)
	if name, options, _ := strings.Cut(text, ":"); name == "day" && k.day != nil {
		s := param.Parse(what, options)
		out := k.synthetic(s)
		return checked(out, s.Err())
	}
	path, options, _ := strings.Cut(text, ",")
	if !isFile(path) {
		return nil, fmt.Errorf("%s is %q, expected %s%s", k.Key, text, k.Forms(), param.Hint(text,
			[]string{"day", None}))
	}
	return k.file(what, path, options)
}

// checked gives a series that is valid.
func checked(s *series.Series, err error) (*series.Series, error) {
	if err == nil {
		err = s.Validate()
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Files lists the files that a setting names, which may not be there.
func Files(text string) []string {
	if path, _, _ := strings.Cut(text, ","); isFile(path) {
		return []string{path}
	}
	return nil
}

// isFile reports whether a text names a table: by its ending, compressed or not.
func isFile(path string) bool {
	path = strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), ".zst")
	return strings.HasSuffix(path, ".csv") || strings.HasSuffix(path, ".tsv")
}

// Options lists the options of a day, or of a file, with ranges and defaults.
func (k *Kind) Options(day bool) []param.Setting {
	s := param.Parse("", "")
	if day {
		k.synthetic(s)
	} else {
		_, _ = readCut(s)
	}
	return s.Settings()
}

// cut is how a file is laid under a run.
type cut struct {
	everyUs int64
	start   string
	scale   float64
}

func readCut(s *param.Set) (cut, error) {
	c := cut{start: s.Text("start", ""), scale: s.Float("scale", 1, -1e6, 1e6)}
	c.everyUs = int64(math.Round(s.Float("every_s", 0, 0, maxS) * 1e6))
	return c, s.Err()
}

// maxS bounds seconds: a century is 3.2e9.
const maxS = 1e10
