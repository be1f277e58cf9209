// Package crossover is after CrossoverScheduler: "CrossoverScheduler: Overlapping Multiple
// Distributed Training Applications in a Crossover Manner", C. Luo, L. Qu, Y. Miao, P. Cheng, Y.
// Xiong, arXiv 2103.07974, 2021. Two distributed jobs hold the same GPUs; while one exchanges
// gradients the other computes.
//
// # The algorithm
//
// With c the seconds that a job computes in an iteration and m the seconds in which it exchanges
// gradients, an iteration of a pair takes
//
//	P = max(c1+c2, c1+m1, c2+m2)
//
// in place of (c1+m1) + (c2+m2), one after the other; what is saved is 1 - P / (c1+m1+c2+m2). Jobs
// start in order of arrival, passing over misfits. Then distributed jobs that wait join running
// ones that have their GPUs alone and are as wide: a matching of the largest total saving, or the
// best pair first.
//
// # Ours
//
// Of the paper the abstract is known to us: the law is inferred, and everything of queues is ours,
// hence the name crossover-like. A pair is made where it saves min_saved of the time. Of waiting
// jobs the first window are looked at. A rule of places (place) is for jobs that get GPUs of their
// own. Pairs last until one of the two ends, and a job has company from the next event after its
// start on. Times are from the telemetry where the speed model has it, else of iterations of 1 s
// with its compute fraction, on the GPUs in question. The speeds of a pair are up to the run:
// --interference crossover has the same law, and without it a share is a part of the time.
//
// # Reading guide
//
// policy.go has the events and the order, pairs.go who joins whom.
package crossover
