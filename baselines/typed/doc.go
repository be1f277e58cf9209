// Package typed is an order of jobs and GPU types in one score: each pair of a job and a type of GPU
// has a score, the same function of its terms for all pairs, and pairs take GPUs in its order, the
// least first. A gang runs on one type.
//
//	score = w . x(job) + best * -ln(speed on its best type) + slower * ln(speed on the best / on this)
//	      - edge * ln(speed on this / on the best of the others) + price * scarcity(type) + elsewhere
//
// x(job) are the terms of baselines/score: with the Gittins rank and ln(GPUs), the default, and
// best = slower = 1 the score is ln(GPU-time that the job is expected to cost on this type), so it is
// shortest remaining time first on unrelated machines, without the future: exact=true gives jobs
// their true run times and is the clairvoyant form. The law of run times is log-normal or by the
// run's predictor, as in ranked.
//
// Taking the least pair first is greedy: of two jobs that both run best on one type, the first gets
// it even where the second loses much more by another. Terms of the type mend this. The scarcity of
// a type is the mean over the jobs in the system of ln(speed on it / on their best), by GPUs: 0 where
// all of them run best, less elsewhere; with price > 0 a type that most jobs want costs as if it were
// slower. The edge is what a job loses where it does not get this type.
//
// All is planned anew in rounds and, unless eager is false, whenever jobs or GPUs come or go: from an
// empty cluster, running and waiting jobs alike. A running job whose type stays the same keeps its
// GPUs; one that has another type moves, one that has none is preempted. Weights of running
// below 0 and of elsewhere above 0 have it do so less often. In rounds a gang that is slower than it
// would be on GPUs close together is placed anew in its turn, and moves if it gets closer. A gang for which no type has enough GPUs may
// have GPUs of several. Speeds are asked of the speed model once per job and type, on GPUs close
// together (know.Speed).
//
// All of it is ours.
//
// Reading guide: typed.go follows events, pair.go is the score and the heap of pairs, plan.go takes
// pairs by counts, assign.go turns counts into GPUs. The settings are in policy.go.
package typed
