package tariff

import (
	"fmt"
	"strings"

	"tarry/sim/param"
	"tarry/sim/series"
	"tarry/sim/series/table"
)

// None is the setting of a run without the series.
const None = "none"

// Params has one line for each option: key, meaning.
const (
	DayParams = `mean     mean of the day
swing    how far hours are from it: 1 = as drawn, 0 = constant
start_h  hour of the day at which a run begins`
	FileParams = table.Params
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
	if !table.Is(path) {
		return nil, fmt.Errorf("%s is %q, expected %s%s", k.Key, text, k.Forms(), param.Hint(text,
			[]string{"day", None}))
	}
	return k.form().Read(what, path, options)
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
func Files(text string) []string { return table.Files(text) }

// Options lists the options of a day, or of a file, with ranges and defaults.
func (k *Kind) Options(day bool) []param.Setting {
	if !day {
		return k.form().Options()
	}
	s := param.Parse("", "")
	k.synthetic(s)
	return s.Settings()
}
