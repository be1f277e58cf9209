// Package law is what can be known of a job's run time before it ends: a distribution, and what a
// scheduler reads off it.
//
// Reading guide. A Law (law.go) is a median times a Shape. A Shape (shape.go) is the distribution
// of the logarithm of run time over median, on a grid, with the tables that schedulers read:
// LogNormal and Empirical make one (make.go), tables.go fills it. All jobs with the same residual
// law share one Shape, so that a question costs one interpolation.
//
// Run times are seconds on the GPUs that the job asks for, at full speed: work / width. Rank is the
// Gittins rank.
package law
