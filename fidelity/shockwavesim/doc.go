// Package shockwavesim is Shockwave (baselines/shockwave) with the habits of its authors' simulator, a
// descendant of Gavel's, so that runs agree with its results: shockwaveref compares them.
// docs/schedulers/shockwave.md states what agrees.
//
// The habits: jobs run whole steps in rounds that end with the last job (account.go); batch sizes
// change at the ends of rounds by rules of its own (adapt.go), which differ from the profile that
// prediction reads; a start loses restart_s of a full round; and an epoch that has begun counts as
// done when the batch changes. The kernel counts no such epochs: the job's clock makes the rest as
// much faster.
package shockwavesim
