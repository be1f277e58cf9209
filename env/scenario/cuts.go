package scenario

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"tarry/sim"
	"tarry/sim/entry"
	"tarry/sim/param"
	"tarry/sim/rng"
	"tarry/traces/synth"
	"tarry/traces/transform"
)

// Cuts define the windows of jobs, and of which part each is. Start from DefaultCuts.
type Cuts struct {
	// Part is where windows come from; "" = no windows: all jobs in one piece.
	Part Part
	// Workload is the law of generated jobs, as synth.Parse reads it, and Load their load, > 0.
	// Only without a trace.
	Workload string
	Load     float64
	// Windows is how many windows each part has where they are drawn. DataSeed is the root of their
	// seeds.
	Windows  int
	DataSeed uint64
	// Shares are training, validation and test of a trace, in proportion.
	Shares [3]float64
	// Gap is the time after each cut whose jobs are in no part, in leases; 0 = none.
	Gap float64
	// Rate is how many times as fast the jobs of a trace come; 1 = as they are.
	Rate float64
	// Thin is how many classes the jobs of a trace are dealt to, of which a window has one; 1 =
	// none.
	Thin int
	// BatchJobs is how many jobs are drawn for a window; 0 = windows are cut from time. Copies is
	// how often each may be drawn.
	BatchJobs, Copies int
	// WindowJobs is how many jobs a window has: of a trace such that come one after another, at its
	// times; 0 = windows are cut from time.
	WindowJobs int
	// TestStarts are the first jobs of the windows of part test; nil = by Shares. TestJobs is
	// how many jobs these have, 0 = WindowJobs.
	TestStarts []int
	TestJobs   int
	// LeaseS is the unit of time, in seconds; Warm and Horizon are the length of a window, in
	// leases, a lease less. Horizon 0 = the window has all its law's jobs.
	LeaseS, Warm, Horizon float64
}

// DefaultCuts are the cuts by default.
func DefaultCuts() Cuts {
	return Cuts{Workload: "poisson", Load: 0.9, Windows: 1000, Shares: [3]float64{70, 15, 15}, Gap: 24, Rate: 1,
		Thin: 1, Copies: 1, LeaseS: 3600, Warm: 24, Horizon: 72}
}

// Lease is the unit of time.
func (c *Cuts) Lease() sim.Time { return sim.Seconds(c.LeaseS) }

// Leases is a time in leases as one of the simulation.
func (c *Cuts) Leases(n float64) sim.Time { return sim.Time(float64(n * float64(c.Lease()))) }

// Length is the length of a window: warm-up, horizon and a lease more.
func (c *Cuts) Length() sim.Time { return c.Leases(c.Warm) + c.Leases(c.Horizon) + c.Lease() }

func (c *Cuts) sharesText() string {
	return fmt.Sprintf("%v:%v:%v", c.Shares[0], c.Shares[1], c.Shares[2])
}

const wantShares = "three numbers in 1e-06..1e+06 such as 70:15:15"

// parseShares reads the lengths of training, validation and test, in proportion.
func parseShares(text string) (shares [3]float64, err error) {
	parts := strings.Split(text, ":")
	for i := range shares {
		if len(parts) == len(shares) {
			shares[i], err = param.ParseFloat(parts[i])
		}
		if err != nil || !(shares[i] >= 1e-6 && shares[i] <= 1e6) {
			return shares, errors.New(wantShares)
		}
	}
	return shares, nil
}

// Bounds of a window: how often one job is in it, and its jobs.
const (
	maxCopies     = 1000
	maxWindowJobs = 1_000_000
)

// windows makes the source of the cuts; Setup.TraceSHA256 too where jobs are of a trace.
func (s *Setup) windows() (Source, error) {
	c := &s.Scenario
	if c.Trace == "" {
		return s.synthetic(c.misplaced("without a trace", "shares", "gap", "rate", "thin", "batch_jobs", "copies",
			"test_starts", "test_jobs"))
	}
	return s.traced(c.misplaced("with a trace", "workload", "load"))
}

// misplaced reports fields that do not matter.
func (c *Scenario) misplaced(with string, fields ...string) error {
	var errs []error
	for _, f := range fields {
		if c.given(f) {
			errs = append(errs, wrong(f, "%s is given %s, expected none", f, with))
		}
	}
	return errors.Join(errs...)
}

// synthetic is the source of generated jobs: a window has as many as arrive in its length on
// average.
func (s *Setup) synthetic(errs error) (Source, error) {
	c := &s.Scenario.Cuts
	law, err := synth.Parse(fmt.Sprintf("%s,load=%g", c.Workload, c.Load))
	if err == nil {
		law, err = onCluster(law, s.Topology.GPUs())
	}
	if err != nil {
		return nil, errors.Join(errs, wrong("workload", "%w", err))
	}
	law = law.Tabled()
	src := Synthetic{Config: law, Count: c.Windows, Seed: c.DataSeed}
	if c.WindowJobs > 0 {
		src.Config.Jobs = c.WindowJobs
	} else if rate := law.MeanRate(); rate > 0 && c.Leases(c.Horizon) > 0 {
		n := math.Ceil(float64(rate * c.Length().Seconds()))
		if n > maxWindowJobs {
			return nil, errors.Join(errs, wrong("horizon", "a window of warm-up and horizon has %.0f jobs, expected "+
				"at most %d", n, maxWindowJobs))
		}
		src.Config.Jobs = int(n)
	}
	return src, errs
}

// onCluster gives the law for a cluster of so many GPUs. The load of windows counts for their
// cluster alone.
func onCluster(law synth.Config, gpus int) (synth.Config, error) {
	law, note := law.For(gpus)
	if note != "" {
		return law, statedGPUs("synth:"+law.Preset, law.GPUs, gpus)
	}
	return law, nil
}

func statedGPUs(what string, stated, gpus int) error {
	return fmt.Errorf("%s: gpus is %d, expected the %d GPUs of the cluster, or no gpus: the load of an environment "+
		"is of its cluster", what, stated, gpus)
}

// TraceFile separates the path in the value of the setting trace from what stands before it, "" or
// "FORMAT:"; path is "" where nothing is read from a file.
func TraceFile(from entry.Traces, trace string) (format, path string) {
	f, path, ok := from.Find(trace)
	switch {
	case !ok:
		return "", trace
	case f.Generated:
		return trace, ""
	}
	return f.Name + ":", path
}

// OpenTrace reads what the settings trace and trace_columns name, for no cluster.
func OpenTrace(from entry.Traces, trace, columns string) (*sim.Workload, error) {
	c := Default()
	c.Trace, c.TraceColumns = trace, columns
	w, _, err := c.open(from, 0)
	return w, err
}

// open reads the trace for windows; a FILE without a format is tarry's own, of which every row
// counts, unless it is recognised as one of another format. The report is nil where the error is
// not.
func (c *Scenario) open(from entry.Traces, gpus int) (*sim.Workload, *entry.Report, error) {
	format, path := TraceFile(from, c.Trace)
	if format == "" && c.TraceColumns == "" {
		found, err := from.Candidates(path)
		switch {
		case err == nil && len(found) > 1:
			_, err = from.Recognise(path)
			return nil, nil, err
		case err == nil && len(found) == 1 && found[0].Name != "csv":
			format = found[0].Name
		}
	}
	if format == "" && c.TraceColumns == "" {
		return from.Open("csv:"+path, entry.TraceOptions{Strict: true, MaxJobs: c.MaxJobs})
	}
	w, report, err := from.Open(c.Trace, entry.TraceOptions{Strict: c.Strict, MaxJobs: c.MaxJobs, Columns: c.TraceColumns,
		Source: rng.Source{Seed: 1}, GPUs: gpus})
	if err == nil && report.StatedGPUs > 0 {
		return nil, nil, statedGPUs(c.Trace, report.StatedGPUs, gpus)
	}
	return w, report, err
}

// traced is the source of windows of a trace.
func (s *Setup) traced(errs error) (Source, error) {
	c := &s.Scenario.Cuts
	if c.BatchJobs == 0 && c.Copies > 1 {
		errs = errors.Join(errs, wrong("copies", "copies is %d, expected 1 without batch_jobs: it is how often a "+
			"job may be drawn", c.Copies))
	}
	w, err := s.opened, error(nil)
	if s.opened = nil; w == nil {
		report := (*entry.Report)(nil)
		if w, report, err = s.Scenario.open(s.from.Traces, s.Topology.GPUs()); err != nil {
			return nil, errors.Join(errs, wrong("trace", "trace: %w", err))
		}
		s.places = report.Models
	}
	s.TraceSHA256 = w.Hash()
	if c.WindowJobs > 0 {
		return s.consecutive(w, errs)
	}
	errs = errors.Join(errs, s.Scenario.misplaced("without window_jobs", "test_starts", "test_jobs"))
	if first, last := w.Span(); first == last || c.BatchJobs > 0 {
		return s.dealt(w, first == last, errs)
	}
	errs = errors.Join(errs, s.Scenario.misplaced("with a trace that is cut", "windows"))
	if c.Thin == 1 {
		errs = errors.Join(errs, s.Scenario.misplaced("with a trace that is cut", "data_seed"))
	}
	if c.Leases(c.Horizon) == 0 {
		return nil, errors.Join(errs, wrong("horizon", "horizon is 0 with a trace, expected > 0: it is the length "+
			"of the windows"))
	}
	if w, err = s.faster(w); err != nil {
		return nil, errors.Join(errs, err)
	}
	r, err := NewRecorded(w, c.Shares, c.Leases(c.Gap), c.Length())
	if err != nil {
		return nil, errors.Join(errs, wrong("trace", "trace %s: %w; a shorter warm, horizon, gap or lease_s would do",
			s.Scenario.Trace, err))
	}
	if c.Thin > 1 {
		if err := r.Thin(c.Thin, c.DataSeed); err != nil {
			errs = errors.Join(errs, wrong("thin", "trace %s: %w", s.Scenario.Trace, err))
		}
	}
	return r, errs
}

// faster is a trace at the rate that is set.
func (s *Setup) faster(w *sim.Workload) (*sim.Workload, error) {
	if s.Scenario.Cuts.Rate == 1 {
		return w, nil
	}
	w, err := transform.Rescale(w, s.Scenario.Cuts.Rate)
	if err != nil {
		return nil, wrong("rate", "rate: %w", err)
	}
	return w, nil
}

// dealt is the source of a trace whose jobs are dealt out to the parts; together states that all
// come at once.
func (s *Setup) dealt(w *sim.Workload, together bool, errs error) (Source, error) {
	c := &s.Scenario.Cuts
	if c.Thin != 1 {
		errs = errors.Join(errs, wrong("thin", "thin is %d, expected 1: a window has batch_jobs of the jobs of "+
			"trace %s, or a whole part of them", c.Thin, s.Scenario.Trace))
	}
	if together && c.Rate != 1 {
		return nil, errors.Join(errs, wrong("rate", "rate is %g, expected 1: the jobs of trace %s come all at once",
			c.Rate, s.Scenario.Trace))
	}
	w, err := s.faster(w)
	if err != nil {
		return nil, errors.Join(errs, err)
	}
	of, make := Batch{size: c.BatchJobs, count: c.Windows, copies: c.Copies, seed: c.DataSeed}, draws
	if together {
		make = batch
	}
	b, err := make(w, of, c.Shares)
	if err != nil {
		return nil, errors.Join(errs, wrong("trace", "trace %s: %w", s.Scenario.Trace, err))
	}
	return b, errs
}
