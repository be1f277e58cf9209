// Package gavelsim is Gavel (baselines/gavel) with the habits of Gavel's own simulator, so that
// runs agree with its results job by job: gavelref compares them. docs/schedulers/gavel.md states what agrees.
//
// The habits, each with a setting: a round ends with its last job; a job runs whole steps, and the
// rest of its round is lost; a gang with fewer steps left than GPUs fails, and five failures remove
// it; a job that came after the computation of the fractions takes GPUs and does not run. GPUs that
// a job leaves inside a round are idle until the round ends, and changes cost nothing. The shuffled
// order of types is read from a file (order.go). An agnostic objective gives a job time
// on types on which it cannot run.
//
// That simulator's clock is float64 seconds, the kernel's microseconds: every instant is aimed at
// the exact one, and jobs run 20 us ahead where that changes nothing, so that completion times
// agree within half a microsecond.
//
// policy.go has the loop over rounds, round.go one round, habits.go the settings.
package gavelsim
