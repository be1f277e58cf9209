// Package fairness checks what fair schedulers promise, on the allocation itself: pure functions of
// throughputs, capacities and an allocation matrix, for tests of any scheduler that has one.
//
// A Sharing states who shares what: x[j][r] is the part of the time that job (or user) j spends
// with its gang on GPUs of type r, and
//
//	sum over r of x[j][r] <= 1                    a job is on one type at a time
//	sum over j of Gang[j] x[j][r] <= GPUs[r]      no more GPUs than there are
//	utility of j = sum over r of Throughput[j][r] x[j][r]
//
// The laws, each of which reports the first breach as an error that names the job and the numbers:
//
//   - SharingIncentive: no job is worse off than on a partition of its own, its weight's part of
//     every type.
//   - EnvyFree: no job would rather have the GPUs of another, scaled to its own weight.
//   - Pareto: no allocation makes a job better off and none worse off. It is decided by a linear
//     programme.
//   - StrategyProof: no job gains by a false report of its throughputs, for the lies that the
//     caller draws.
//   - Within: what each has got is within a quantum of what it is entitled to.
//
// A law is tested only where the scheduler promises it: max-min fairness over one type promises the
// first three, Gavel's over several types sharing incentive and, with water filling, Pareto
// efficiency; envy-freeness only of equal gangs.
//
// Reading guide: sharing.go is the problem and its partitions, laws.go the laws, simplex.go a small
// solver that nothing outside tests uses, written so that it shares nothing with the solvers that
// it checks.
package fairness
