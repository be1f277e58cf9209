// Package trial runs trials: values that hold everything one simulation depends on.
//
// Reading guide: Trial and Result (trial.go) are the nouns; Run (pool.go) is the verb; watch.go
// observes a run in bounded memory, lives.go collects the lives of jobs as they end; summary.go
// turns the lives of jobs into the metrics of the trials table; store.go writes a trial's rows and
// finds the rows of an earlier run. The pipeline of one trial:
//
//	Trial -> engine <-> policy
//	           | observer: intervals (streamed), cluster samples (bounded)
//	           v
//	         lives of jobs -> summary -> jobs, intervals, cluster, and last trials
//
// One goroutine runs one trial and shares nothing with the others, and a row depends on its trial
// alone: the number of workers never changes it. The trials table is written last, so that its file
// marks the trial as complete; a trial whose file holds the same configuration, workload and
// version is not run again.
package trial
