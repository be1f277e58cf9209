// Package predict learns the run times of jobs from jobs that have ended, and gives the law of the
// next one's.
//
// Reading guide. catalogue.go has an entry per predictor; catalogue/predictors lists them. Each is
// an estimator of the logarithm of the run time (means.go, last.go, request.go, ridge.go), or
// several (mix.go, stack.go), inside an online (online.go), which learns in order of ending and
// turns the errors that the estimator made into laws (sim/law), one for each size or, scales.go, for
// jobs whose errors are expected to be alike; fit.go is how it learns the past.
// transform.Guess gives users' requests to jobs without any, with a stated error.
//
// A run time is work / width, in seconds: that on the GPUs which the job asks for, at full speed. A
// predictor never sees the work of a job that has not ended. Fit replays jobs as if each had
// started at once; errors are of predictions made at the submit of each, from what had ended by
// then.
package predict
