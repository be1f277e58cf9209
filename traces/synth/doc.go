// Package synth generates workloads.
//
// A workload is a preset and its settings: an arrival process (arrivals.go), a law of
// demands and run times (laws.go), and names of models and users. Every kind of draw has
// a stream of its own (arrivals, demands, durations, models, users), so that changing one
// leaves the others' numbers alone. A setting of the same seed gives the same jobs.
//
// # Load
//
// The rate of arrivals follows from the load that is asked for:
//
//	rate = load x GPUs of the cluster / E[GPU-seconds of a job]
//
// The cluster is the one that the jobs run on (For). gpus= states another and keeps the jobs the same on every
// cluster; every output then says so. Where there is no cluster, as in trace generate, the preset's size counts.
//
// In the formula the expectation is computed from the law, truncation included; it is not
// estimated from the draws. The load is what the jobs need without communication: a
// cluster whose network slows them is busier than that. Demands larger than the cluster
// are left out of the law and the others' shares scaled up.
//
// # Run times
//
// A run time is drawn for the job's demand and rounded to a millisecond; the work is
// run time x GPUs. The laws named philly and helios are fitted to those traces; philly.go
// and helios.go state the numbers and what they come from. Heavy tails are cut at a
// stated longest run: a draw beyond it is drawn again.
package synth
