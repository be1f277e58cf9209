// Package dally is the delay scheduling of Dally: "GPU Cluster Scheduling for Network-Sensitive
// Deep Learning", A. Sharma, V. M. Bhasi, S. Singh, G. Kesidis, M. T. Kandemir, C. R. Das, arXiv
// 2401.16492.
//
// Whenever GPUs come free, a job arrives or a timer opens, all jobs without GPUs contest for them
// in the order of network sensitivity. Each takes the finest place that its delay timers allow and
// declines anything worse:
//
//   - one slot or one machine: always;
//   - one rack: once it has waited T_rack leases, or if it is larger than a machine;
//   - any GPUs: once it has waited T_net leases, or if it is larger than a rack.
//
// Both timers count from the moment the job lost its last GPU (or arrived). A grant is a lease; at
// its end the GPUs are contested again by everyone, their holder included.
//
// Reading guide: order.go is the order of network sensitivity, tuner.go the auto-tuner of the
// timers, config.go has the settings and the variants. The contest itself is in
// baselines/contest/round.go, the end of a lease in baselines/contest/lease.go, and timers are
// events in baselines/contest/wake.go. Rules that the paper has not are in baselines/variants.
//
// What it reads: the order of network sensitivity reads the progress of jobs so far (know.Done),
// srpt and srsf the work that is left (know.Work), psrpt, psrsf and gittins what is predicted of
// it (know.Estimate), fifo and las neither. The authors' program computes N from the total and
// the remaining iterations; the total cancels out of N, so that progress is enough here.
//
// We differ: timers are events (the authors' simulator looks at them only when GPUs come free;
// `wake=events` does the same). A holder that would win its own GPUs again renews the lease in
// place at no cost; `renew=return` gives them back first, at the cost of a checkpoint.
package dally
