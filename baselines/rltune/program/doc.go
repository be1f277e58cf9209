// Package program maps jobs to machines of several GPU types such that the sum of the values of the
// jobs that run is as large as it can be: the integer program
//
//	maximise sum_jn value(j, type of n) x_jn  subject to  the free GPUs, CPU and memory of each machine n
//
// in which each job has at most one place. A gang that a machine of the type can hold has a place on
// one machine; a wider one on whole machines and on one more for the rest. Machines of a type are
// alike where nothing runs.
//
// First the types are chosen, as if the GPUs of a type were one machine (internal/choice): no places
// have a larger sum than that. The choice is then put on machines, the widest job first, each where
// the fewest GPUs are left. Where all have room nothing is left to prove. Else a branch and bound
// over places follows, job by job, with the linear bound of the types for the jobs that remain. It
// begins at the greedy places, and keeps the best that it has found when its nodes are used up.
//
// Reading guide: program.go has the problem and Solve, types.go the choice of types, places.go what a
// place is, branch.go the branch and bound.
package program
