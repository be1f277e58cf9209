package schedenv

import (
	"fmt"
	"strings"

	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/rng"
	"tarry/traces"
	"tarry/traces/transform"
)

// TraceFile tells the path in the value of the option trace from what stands before it, "" or
// "FORMAT:"; path is "" where nothing is read from a file.
func TraceFile(trace string) (format, path string) {
	name, rest, colon := strings.Cut(trace, ":")
	for _, f := range traces.Formats() {
		switch {
		case !colon || f.Name != name:
		case name == "synth":
			return trace, ""
		default:
			return name + ":", rest
		}
	}
	return "", trace
}

// OpenTrace reads what the option trace names, for a cluster of so many GPUs: generated jobs have its load. 0 = no cluster.
func OpenTrace(trace string, gpus int) (*sim.Workload, error) {
	if format, path := TraceFile(trace); format == "" {
		w, _, err := traces.Open("csv:"+path, traces.Options{Strict: true})
		return w, err
	}
	w, report, err := traces.Open(trace, traces.Options{Source: rng.Source{Seed: 1}, GPUs: gpus})
	if err == nil && report.StatedGPUs > 0 {
		return nil, statedGPUs(trace, report.StatedGPUs, gpus)
	}
	return w, err
}

// cuts say how windows are made out of a trace.
type cuts struct {
	shares [3]float64
	rate   float64
	gap    sim.Time
	thin   int
	size   int
	copies int
}

// readCuts reads the settings that say so.
func readCuts(s *param.Set, c *Config) cuts {
	out := cuts{rate: s.Float("rate", 1, 1e-3, 1e6), gap: sim.Time(float64(s.Float("gap", 24, 0, 1e6) * float64(c.Lease()))),
		thin: s.Int("thin", 1, 1, maxThin), size: s.Int("batch_jobs", 0, 0, maxWindowJobs), copies: s.Int("copies", 1, 1, maxCopies)}
	if out.size == 0 && out.copies > 1 {
		s.Fault("copies is %d, expected 1 without batch_jobs: it is how often a job may be drawn", out.copies)
	}
	var err error
	if out.shares, err = parseShares(s.Text("shares", "70:15:15")); err != nil {
		s.Fault("%v", err)
	}
	return out
}

// maxCopies bounds how often one job is in a window.
const maxCopies = 1000

// parseShares reads the lengths of training, validation and test, in proportion.
func parseShares(text string) (shares [3]float64, err error) {
	parts := strings.Split(text, ":")
	for i := range shares {
		if len(parts) == len(shares) {
			shares[i], err = param.ParseFloat(parts[i])
		}
		if err != nil || !(shares[i] >= 1e-6 && shares[i] <= 1e6) {
			return shares, fmt.Errorf("shares is %q, expected three numbers in 1e-06..1e+06 such as 70:15:15", text)
		}
	}
	return shares, nil
}

// traced is the source of the trace settings.
func traced(s *param.Set, c *Config, trace string) Source {
	cut := readCuts(s, c)
	w, err := OpenTrace(trace, c.Topology.GPUs())
	if err != nil {
		s.Fault("trace: %v", err)
		return nil
	}
	c.TraceSHA256 = w.Hash()
	if first, last := w.Span(); first == last || cut.size > 0 {
		return dealt(s, w, trace, cut, first == last)
	}
	seed := uint64(0)
	if cut.thin > 1 {
		seed = uint64(s.Int("data_seed", 0, 0, 1<<62))
	}
	if c.Horizon == 0 {
		s.Fault("horizon is 0 with a trace, expected > 0: it is the length of the windows")
	}
	if cut.shares[2] <= 0 || c.Horizon == 0 {
		return nil
	}
	if cut.rate != 1 {
		if w, err = transform.Rescale(w, cut.rate); err != nil {
			s.Fault("rate: %v", err)
			return nil
		}
	}
	r, err := NewRecorded(w, cut.shares, cut.gap, c.length())
	if err != nil {
		s.Fault("trace %s: %v; a shorter warm, horizon, gap or lease_s would do", trace, err)
		return nil
	}
	if cut.thin > 1 {
		err = r.Thin(cut.thin, seed)
	}
	if err != nil {
		s.Fault("trace %s: %v", trace, err)
	}
	return r
}

// dealt is the source of a trace whose jobs are dealt out to the parts; together says that all come at once.
func dealt(s *param.Set, w *sim.Workload, trace string, cut cuts, together bool) Source {
	count, seed := s.Int("windows", 1000, 1, 1<<30), uint64(s.Int("data_seed", 0, 0, 1<<62))
	if cut.thin != 1 {
		s.Fault("thin is %d, expected 1: a window has batch_jobs of the jobs of trace %s, or a whole part of them", cut.thin, trace)
	}
	if together && cut.rate != 1 {
		s.Fault("rate is %g, expected 1: the jobs of trace %s come all at once", cut.rate, trace)
	}
	if cut.shares[2] <= 0 {
		return nil
	}
	if cut.rate != 1 {
		var err error
		if w, err = transform.Rescale(w, cut.rate); err != nil {
			s.Fault("rate: %v", err)
			return nil
		}
	}
	of := Batch{size: cut.size, count: count, copies: cut.copies, seed: seed}
	make := draws
	if together {
		make = batch
	}
	b, err := make(w, of, cut.shares)
	if err != nil {
		s.Fault("trace %s: %v", trace, err)
		return nil
	}
	return b
}
