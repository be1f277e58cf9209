package scenario

import (
	"strings"

	"tarry/sim/param"
	"tarry/sim/setting"
)

// Settings is the table of the settings of windows, in the order of the resolved configuration. The
// rows point into c.
func (c *Cuts) Settings() []setting.Row {
	const most = 20
	return append(append(append(make([]setting.Row, 0, most), c.lawRows()...), c.partRows()...), c.timeRows()...)
}

// lawRows are the settings of generated jobs.
func (c *Cuts) lawRows() []setting.Row {
	return []setting.Row{
		{Key: "part", Read: c.readPart, Show: func() string { return string(c.Part) }, Names: parts(""),
			Doc: "the part of the jobs whose windows are run", Forms: "train, validation or test",
			Save: func(put func(string, any)) { put("part", string(c.Part)) }},
		{Key: "workload", To: &c.Workload, Always: true, Doc: "a synthetic law",
			Forms: "demo, philly, helios, poisson, bursty, diurnal, ...", See: "traces"},
		{Key: "load", To: &c.Load, Low: 1e-3, High: 100, Always: true, Doc: "its load; the rate of arrivals follows"},
		{Key: "windows", To: &c.Windows, Low: 1, High: 1 << 30, Always: true, Doc: "windows in each part"},
		{Key: "data_seed", To: &c.DataSeed, High: maxSeed, Always: true, Doc: "root of the windows' seeds"},
	}
}

// partRows are the settings of how a trace is split, and of what a window takes from a part.
func (c *Cuts) partRows() []setting.Row {
	return []setting.Row{
		{Key: "shares", Read: c.readShares, Show: c.sharesText, Forms: "three numbers such as 70:15:15",
			Doc: "train, validation and test, in proportion, of a trace's time, or of the jobs where these are " +
				"dealt out",
			Save: func(put func(string, any)) { put("shares", c.Shares) }},
		{Key: "gap", To: &c.Gap, High: 1e6, Always: true, Unit: "leases",
			Doc: "time after each cut whose jobs are in no part"},
		{Key: "rate", To: &c.Rate, Low: 1e-3, High: 1e6, Always: true,
			Doc: "jobs of a trace come so many times as fast: submits divided by it, before the split"},
		{Key: "thin", To: &c.Thin, Low: 1, High: maxThin, Always: true,
			Doc: "each job goes by data_seed into one of so many classes, and a window has jobs of one alone"},
		{Key: "batch_jobs", To: &c.BatchJobs, High: maxWindowJobs, Always: true,
			Doc: "jobs of a window, drawn from a part: the trace is dealt out, jobs that come one after another " +
				"keep their times; 0 = windows are cut, or the whole part where jobs all come at once"},
		{Key: "copies", To: &c.Copies, Low: 1, High: maxCopies, Always: true,
			Doc: "a job may be drawn so many times; the k-th copy comes k/copies of the trace's time later, " +
				"around its end"},
		{Key: "window_jobs", To: &c.WindowJobs, High: maxWindowJobs,
			Doc: "jobs of a window; of a trace such that come one after another, at its times (needs warm=0); 0 = " +
				"windows are cut from time"},
		{Key: "test_starts", Read: c.readStarts, Show: func() string { return strings.Join(c.startsText(), "+") },
			Forms: "numbers joined by +, or rlscheduler: as in its tables",
			Doc: "first jobs of the windows of part test; train and validation are cut from the jobs in none of " +
				"them; none given: test is cut by shares, too",
			Save: func(put func(string, any)) {
				if len(c.TestStarts) > 0 {
					put("test_starts", c.TestStarts)
				}
			}},
		{Key: "test_jobs", To: &c.TestJobs, High: maxWindowJobs,
			Doc: "jobs of a window of part test; 0 = window_jobs"},
	}
}

// timeRows are the settings of a window's length.
func (c *Cuts) timeRows() []setting.Row {
	return []setting.Row{
		{Key: "lease_s", To: &c.LeaseS, Low: 1, High: 1e8, Always: true, Unit: "s", Doc: "lease: the unit of time"},
		{Key: "warm", To: &c.Warm, High: 1e5, Always: true, Unit: "leases", Doc: "warm-up at the start of a window"},
		{Key: "horizon", To: &c.Horizon, High: 1e5, Always: true, Unit: "leases",
			Doc: "length of a window behind the warm-up; 0 = to the last job"},
	}
}

func (c *Cuts) readPart(s *param.Set) {
	if part := s.Enum("part", parts(c.Part)...); s.Has("part") {
		c.Part = Part(part)
	}
}

func (c *Cuts) readShares(s *param.Set) {
	text := s.Text("shares", c.sharesText())
	if !s.Has("shares") {
		return
	}
	shares, err := parseShares(text)
	if err != nil {
		s.Wrong("shares", wantShares)
		return
	}
	c.Shares = shares
}

func (c *Cuts) readStarts(s *param.Set) {
	texts := s.Texts("test_starts", c.startsText())
	if !s.Has("test_starts") {
		return
	}
	starts, err := parseStarts(texts)
	if err != nil {
		s.FaultAt("test_starts", "%w", err)
	}
	c.TestStarts = starts
}

// saveCuts writes the windows, where there are any.
func (c *Scenario) saveCuts(put func(key string, value any)) {
	if c.Cuts.Part != "" {
		put("windows", setting.Object(c.Cuts.Settings()))
	}
}
