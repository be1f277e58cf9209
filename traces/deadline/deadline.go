// Package deadline gives jobs deadlines by a stated law, or takes a trace's away: few traces
// hold any.
//
// Reading guide: Parse (deadline.go) reads a Law from the setting deadlines; Law.Apply and
// Law.Stream (apply.go) change the deadlines of a workload's jobs, at once or one by one.
//
// # The law
//
// A job that comes at a and runs for d alone, on the GPUs it asks for, at full speed and without
// communication, has the deadline
//
//	a + tightness x U x d,  U uniform in min..max
//
// as in ElasticFlow (Gu et al., ASPLOS 2023, section 6.1), where U is uniform in 0.5..1.5. A part
// of the jobs, 1 - fraction, has no deadline: they are best effort. Each job takes two numbers from
// the stream "deadlines" of the run's seed, whatever the law states, so that laws that differ in
// tightness, in the range or in the fraction give the same jobs comparable deadlines: with a
// smaller fraction some lose theirs, and the others keep them.
package deadline

import (
	"fmt"
	"strings"

	"tarry/sim/param"
)

// Forms states how the setting is written, Doc what its keys are: key, meaning, default.
const (
	Forms = "trace, none or [tightness=T,min=A,max=B,fraction=F,keep=true]"
	Doc   = `tightness  deadline = arrival + tightness x a number in min..max x run time alone on the GPUs asked for
min        least of these numbers, drawn from the stream "deadlines" of the run's seed
max        greatest
fraction   part of the jobs that have a deadline; the others are best effort
keep       true: jobs to which the trace gives a deadline keep it`
)

// Law states which jobs have deadlines. It does not change, and many runs may share it.
type Law struct {
	// Tightness, Min, Max and Fraction are as in the package's law.
	Tightness, Min, Max, Fraction float64
	// Keep leaves jobs alone that have a deadline.
	Keep bool
}

// Default is the law by default: each job has the time that it would need alone.
func Default() Law { return Law{Tightness: 1, Min: 1, Max: 1, Fraction: 1} }

// Parse reads a setting; nil where the trace decides. The error joins all faults.
func Parse(text string) (*Law, error) {
	switch strings.TrimSpace(text) {
	case "", "trace":
		return nil, nil
	case "none":
		return &Law{}, nil
	}
	s, l := param.Parse("deadlines", text), Default()
	l.Read(s)
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("%w; expected %s", err, Forms)
	}
	return &l, nil
}

// Options lists the keys of Doc with their ranges and defaults.
func Options() []param.Setting {
	s, l := param.Parse("", ""), Default()
	l.Read(s)
	return s.Settings()
}

// Read takes the keys of Doc over l's present values. Faults are noted in s.
func (l *Law) Read(s *param.Set) {
	l.Tightness = s.Float("tightness", l.Tightness, 1e-6, 1e6)
	l.Min = s.Float("min", l.Min, 0, 1e6)
	l.Max = s.Float("max", l.Max, 0, 1e6)
	l.Fraction = s.Float("fraction", l.Fraction, 0, 1)
	l.Keep = s.Bool("keep", l.Keep)
	if l.Min > l.Max {
		s.Fault("min is %g and max %g, expected min <= max", l.Min, l.Max)
	}
}

// None reports whether no job gets a deadline.
func (l *Law) None() bool { return l.Fraction == 0 }

// String is the law as a setting, in one spelling.
func (l *Law) String() string {
	if l.None() && !l.Keep {
		return "none"
	}
	d := Default()
	text := fmt.Sprintf("tightness=%g", l.Tightness)
	for _, f := range []struct {
		key     string
		val, of float64
	}{{"min", l.Min, d.Min}, {"max", l.Max, d.Max}, {"fraction", l.Fraction, d.Fraction}} {
		if f.val != f.of {
			text += fmt.Sprintf(",%s=%g", f.key, f.val)
		}
	}
	if l.Keep {
		text += ",keep=true"
	}
	return text
}
