package curves

import (
	"fmt"
	"strings"

	"tarry/sim/param"
	"tarry/sim/series"
	"tarry/sim/series/table"
)

// Forms states how a load is written.
const Forms = "requests per second, steady, day-night or bursty, each with [:base=30,swing=0.6,...], or " +
	"FILE.csv[,column=C,peak=P,days=D,start=T,every_s=S,scale=1]"

// most bounds a load, in requests per second.
const most = 1e12

// Form is what a file of a load has: start_s and requests_per_s, or counts per row.
func Form() *table.Form {
	return &table.Form{Times: []string{"start_s", "time_s", "hour", "time"},
		Values: []string{"requests_per_s", "requests"}, High: most, Curve: true}
}

// Parse reads the load of a service; nil for "". The error joins all faults.
func Parse(service, text string) (*series.Series, error) {
	if text == "" {
		return nil, nil
	}
	if v, err := param.ParseFloat(text); err == nil {
		if !(v >= 0 && v <= most) {
			return nil, fmt.Errorf("load is %q, expected requests per second in 0..%g", text, float64(most))
		}
		return series.Constant(v), nil
	}
	name, options, _ := strings.Cut(text, ":")
	if l, ok := Named(name); ok {
		s := param.Parse("load "+name, options)
		l.Read(s)
		if err := s.Err(); err != nil {
			return nil, err
		}
		return checked(l.Draw(service, 0))
	}
	path, options, _ := strings.Cut(text, ",")
	if !table.Is(path) {
		var names []string
		for _, l := range Laws() {
			names = append(names, l.Name)
		}
		return nil, fmt.Errorf("load is %q, expected %s%s", text, Forms, param.Hint(name, names))
	}
	return Form().Read("load "+path, path, options)
}

// checked gives a series that is valid and in range.
func checked(s *series.Series) (*series.Series, error) {
	for _, p := range s.Steps {
		if !(p.Value >= 0 && p.Value <= most) {
			return nil, fmt.Errorf("load: %g requests per second after %d s, expected at most %g", p.Value, p.At/1e6,
				float64(most))
		}
	}
	return s, s.Validate()
}
