// Package synth generates workloads.
//
// A workload is a preset and its settings: an arrival process (arrivals.go), a law of demands and
// run times (laws.go), and names of models and users. Every kind of draw has a stream of its own
// (arrivals, demands, durations, models, users), so that changing one leaves the others' numbers
// alone. A setting of the same seed gives the same jobs.
//
// # Load
//
// The rate of arrivals follows from the load that is asked for:
//
//	rate = load x GPUs of the cluster / E[GPU-seconds of a job]
//
// The cluster is the cluster that the jobs run on (For). gpus= states another and keeps the jobs
// the same on every cluster; every output then notes it. Where there is no cluster, as in trace
// generate, the preset's size counts.
//
// In the formula the expectation is computed from the law, truncation included; it is not estimated
// from the draws. The load is what the jobs need without communication: a cluster whose network
// slows them is busier than that. Demands larger than the cluster are left out of the law and the
// others' shares scaled up.
//
// # Run times
//
// A run time is drawn for the job's demand and rounded to a millisecond; the work is run time x
// GPUs. The laws named philly and helios are fitted to those traces; philly.go and helios.go state
// the numbers and what they come from. Heavy tails are cut at a stated longest run: a draw beyond
// it is drawn again.
//
// # Jobs that recur
//
// With templates= (presets recur and recur-drift) users run the same things again (recur.go,
// site.go). A user owns templates: a model, a demand and a median run time. Users are
// Zipf-distributed and so are the templates of each; jobs of one template come in sessions;
// templates are replaced (renew), users leave and new ones come (stay), medians drift (drift). The
// run time's normal score is sqrt(signal) x the template's + sqrt(1 - signal) x the job's own, so
// that run times have the law of the demand and the share signal of their variance in log time is
// between templates; for the law multi the spread inside a template is lognormal (before the cut at
// a day). A scheduler can learn a template only by its user, model and demand: two templates that
// agree in the three look alike, and a new one is unknown. docs/reference/predictors.md states what
// predictors reach.
//
// Users and templates come from the setting site alone, so that workloads, replicates and windows
// of one site differ in their draws and not in what recurs; site=0 makes them part of the run's
// seed. Time zero is the site's first day in each of them: to see drift between training and test,
// cut one long workload (trace=synth:recur-drift) instead of drawing windows.
//
// request=F gives jobs the time that their user asks for: F x the template's median run x
// exp(request_error x N(0, 1)), the same for all runs of a template, rounded up to a round time,
// and raised where the run is longer.
package synth
