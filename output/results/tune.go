package results

// Tune is one row of the table tune: one point that an optimiser had measured, or one candidate on
// validation. Keys.Policy is the policy with the point's values.
type Tune struct {
	Keys
	Optimiser  string  `col:"optimiser" unit:"text" doc:"name of the optimiser"`
	Stage      string  `col:"stage" unit:"text" doc:"reference (the policy as it stands), search or validation"`
	Step       int64   `col:"step,delta" unit:"count" doc:"number of the row, from 0"`
	Batch      int64   `col:"batch" unit:"count" doc:"points with the same number were asked for together" none:"-1: outside the search"`
	Params     string  `col:"params" unit:"text" doc:"values of the point, name=value,..." none:"empty: the policy as it stands"`
	Metric     string  `col:"metric" unit:"text" doc:"what is made small"`
	WindowFrom int64   `col:"window_from" unit:"count" doc:"first window of the part"`
	Windows    int64   `col:"windows" unit:"count" doc:"windows that were simulated"`
	Mean       float64 `col:"value_mean" unit:"of metric" doc:"mean of the metric over the windows" none:"NaN: a window has no number"`
	Cost       float64 `col:"cost_mean,later" unit:"of cost" doc:"what is made small: the mean over windows of the metric over another policy's there (cost ratio), of its logarithm, or of the metric itself" none:"NaN: a window has no number, or written by an earlier version"`
	Diff       float64 `col:"diff_frac" unit:"ratio" doc:"cost minus the reference's on the same windows, by the setting cost; of cost mean value_mean minus the reference's over the reference's; infinite when a window has no number"`
	DiffSE     float64 `col:"diff_se_frac" unit:"ratio" doc:"standard error of diff_frac over the windows" none:"NaN: one window, or a window has no number"`
	Best       float64 `col:"best_frac" unit:"ratio" doc:"least diff_frac so far of points on all windows" none:"NaN: none so far"`
	Jobs       int64   `col:"jobs_simulated,delta" unit:"jobs" doc:"jobs simulated up to and with this row; what was known already is not run again"`
	Sims       int64   `col:"simulations_run,delta" unit:"count" doc:"simulations up to and with this row"`
}

// Table names the table.
func (Tune) Table() string { return "tune" }
