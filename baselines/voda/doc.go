// Package voda shares a cluster among elastic jobs by counts: first how many GPUs each job is to
// have, then which. Its policies are vodascheduler (T.-T. Hsieh and C.-R. Lee, "Voda: A GPU
// Scheduling Platform for Elastic Deep Learning in Kubernetes Clusters", IC2E 2023) with eight
// algorithms; AFS-L and AFS-P (C. Hwang et al., "Elastic Resource Sharing for Distributed Deep
// Learning", NSDI 2021); and EDL's scheduler E-Tiresias (Y. Wu et al., "Elastic Deep Learning in
// Multi-Tenant GPU Clusters", IEEE TPDS 33(1), 2022).
//
// A rescheduling:
//
//  1. What each job has left, when it first started, which queue it is in and how fast it is on each number of GPUs is brought up to date (pool.go).
//  2. The algorithm gives each job a number of GPUs (baselines/voda/allocate: the rules, their defects and what "corrected" means).
//  3. plan.Sizer finds the GPUs, with few moves: jobs shrink first, the largest start first, then jobs grow beside what they have.
//
// VODA reschedules when a job arrives or ends, when GPUs fail or come back, and when a job changes
// its queue, at most every 30 s (interval). Queues concern tiresias and elastic-tiresias alone
// (queues.go): a job falls to queue 1 when it has had 3 600 GPU-seconds since it last started, and
// comes back when it has waited 8 times as long as it last ran; that is looked at every 5 s
// (check), by timers that are set where something will change, never in between. AFS reschedules
// when a job arrives or ends. edl is elastic-tiresias with the constants of its paper (2 queues, 3
// 600 GPU-seconds, knob 8, compaction above 10 waiting jobs), at once.
//
// # What is theirs and what is ours
//
// VODA's program starts with speeds of w on w GPUs and replaces them by measured ones; curve=linear
// stays with the first, curve=model has all from the beginning, through plan.Curves. What is left
// is the work left in time of one reference GPU: the work itself, or the run's estimate of it less
// what is done. In the published program some algorithms give a job less than its min, or more than its
// max, and the program ends then; ours keep both. fidelity/vodasim gives as that program does.
//
// Their check looks at the GPU time of the last run while a job waits, too, so that a promoted job
// falls back at the next check and is promoted at the one after; and a job of queue 1 that restarts
// is promoted since its last wait still counts. Ours keeps a promoted job in queue 0 until it has
// had the GPU time of the queue again, and only promotes jobs that wait. Their placement packs jobs
// on virtual nodes and binds these by a matching that keeps workers where they are: place=packed
// (plan.MovePacked, which charges a job on its last node what it takes there, not its whole number
// again). place=near leaves jobs where they are that keep their number; on slow links their mean is
// then up to three times as long. AFS and EDL have no rule of places that we know of. GPUs that
// drain of a preempted job are given out when they are free.
//
// AFS has no minimum and lets GPUs go to jobs that they slow down. Ours gives a job its min at
// once, and no more than the number at which it is fastest. Of AFS-P we know that it shares without
// lengths by what jobs have attained; ours takes attained GPU time for the length in the same
// comparison. The order of jobs matters to the tournament: it is the order of arrival.
//
// In a cluster of several GPU types each type is scheduled by itself, as in VODA. A job that names
// no type joins, when it arrives, the type that has the fewest GPUs asked of it, for its size. Jobs
// that share GPUs, ask for CPU or memory, or that no type alone can hold are not counted: they
// start in order of arrival on what the others leave, and keep what they have.
//
// Reading guide: voda.go has the settings and the decision, pool.go the jobs of a type and their
// counts, queues.go the queues.
package voda

const curves = `curve      model: speeds from the speed model | linear: n GPUs are n times as fast as one`

const left = `work       known: the work that is left | estimate: the run's estimate of it`

const queued = `queue      GPU-seconds since its last start at which a job falls to queue 1
promote    a job of queue 1 comes back when it has waited so many times as long as it last ran; inf = never
compact    elastic-tiresias: jobs that may wait before jobs of queue 1 shrink to their minimum`

// Params describes the settings of voda for the catalogue.
const Params = `algorithm  elastic-fifo | fifo | srjf | elastic-srjf | tiresias | elastic-tiresias | ffdl-optimizer | afs-l
interval   least time between two reschedulings, s
check      queues change at multiples of this time, s; 0 = at once
` + place + curves + "\n" + left + "\n" + queued

const place = `place      near: GPUs near a job's own | packed: all jobs are packed anew and nodes matched, as in VODA's program
`

const afs = `share      own: lengths are compared at each job's own GPUs | common: at the first job's, as VODA does
every      time after which GPUs are shared anew though nothing happened, s; 0 = never
interval   least time between two reschedulings, s
` + place

// AFSLParams describes the settings of afs-l for the catalogue.
const AFSLParams = afs + curves + "\n" + left

// AFSPParams describes the settings of afs-p for the catalogue.
const AFSPParams = afs + curves

// EDLParams describes the settings of edl for the catalogue.
const EDLParams = `interval   least time between two reschedulings, s
check      queues change at multiples of this time, s; 0 = at once
` + place + curves + "\n" + queued
