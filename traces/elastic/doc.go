// Package elastic gives jobs the ranges of GPU counts on which they can run, by a stated rule: real
// traces hold none.
//
// Reading guide: Parse (rule.go) reads a Rule from the setting elastic, limits.go the limits of
// models; Rule.Apply and Rule.Stream (apply.go) give ranges to the jobs of a workload, at once or
// one by one.
//
// # The rule
//
// Of each job that asks for g GPUs:
//
//  1. It stays as it is if the trace gives it a range (unless replace=true), if it asks for a part of a GPU, if only= does not name its model, or
//     if a number in 0..1 drawn from the stream "elastic" of the run's seed is not below fraction. Each job takes one number, whatever the
//     rule states of it, so the set of elastic jobs depends on nothing else.
//  2. The least count is from the last entry of min whose size g reaches: N, or F x g rounded up. The most is from max, F x g rounded down.
//     A job below the first size keeps its demand. most bounds the most of all jobs.
//  3. The limits of its model narrow both.
//  4. The demand stays in the range: 1 <= least <= g <= most.
//  5. With powers=true both ends are rounded inwards to powers of two, or to g where there is none between the end and g.
//  6. A worker (pod) has as many GPUs as worker, or the file of limits, states, or its largest divisor that divides g. Both ends are
//     rounded inwards to whole workers.
//
// A job whose range has one count alone stays rigid: with min=1x and max=1x all jobs are as they
// were, to the bit. The others' fields are marked as drawn (origin.Range).
package elastic
