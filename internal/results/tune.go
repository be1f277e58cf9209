package results

// Tune is one row of the table tune: one point that an optimiser had measured, or one candidate on validation. Keys.Policy is
// the policy with the point's values.
type Tune struct {
	Keys
	Optimiser  string  `col:"optimiser"`
	Stage      string  `col:"stage"` // reference (the policy as it stands), search, validation
	Step       int64   `col:"step,delta"`
	Batch      int64   `col:"batch"` // points that were asked for together; -1 outside the search
	Params     string  `col:"params"`
	Metric     string  `col:"metric"`
	WindowFrom int64   `col:"window_from"` // first window of the part
	Windows    int64   `col:"windows"`     // how many
	Mean       float64 `col:"value_mean"`  // of the metric over them
	Diff       float64 `col:"diff_frac"`   // that minus the reference's on the same windows, over the reference's mean
	DiffSE     float64 `col:"diff_se_frac"`
	Best       float64 `col:"best_frac"`             // least diff_frac so far of points on all windows; NaN = none
	Jobs       int64   `col:"jobs_simulated,delta"`  // up to and with this row
	Sims       int64   `col:"simulations_run,delta"` // the same; what was known already is not run again
}

// Table names the table.
func (Tune) Table() string { return "tune" }
