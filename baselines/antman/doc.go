// Package antman is AntMan: W. Xiao, S. Ren, Y. Li, Y. Zhang, P. Hou, Z. Li, Y. Feng, W. Lin and Y.
// Jia, "AntMan: Dynamic Scaling on GPU Clusters for Deep Learning", OSDI 2020. Jobs with guaranteed
// resources run as if alone; opportunistic jobs use what these leave idle of their GPUs, and are
// never stopped.
//
//  1. A guaranteed job needs GPUs without another guaranteed job, all at once, within its tenant's quota. Opportunistic jobs there do not keep it from them: they are cut.
//  2. An opportunistic job goes to the least utilised GPUs below 80 % that have memory for it, all at once, else it waits. Utilisation is what is measured, throttled jobs as throttled.
//  3. A job that is neither is guaranteed within the quota, and starts opportunistically when it has waited too long.
//  4. Compute. Beside a guaranteed job an opportunistic one begins with the least share. Every period the speed of the guaranteed job is compared with that alone: while it is not
//     slowed down the share grows by a step, else it is multiplied by cut. Where no guaranteed job is, opportunistic jobs have equal parts.
//  5. Memory. A guaranteed job has what it needs. Where that leaves opportunistic jobs too little, their limits (Knobs.GPUMiB) shrink in proportion and the rest is in host memory,
//     which the laws of sim/interference slow them down for; they grow again when there is room. No job runs out of memory.
//  6. Where a run has services (online), a replica is a job with guaranteed resources. An opportunistic job of one GPU that found no other goes beside
//     one. Jobs beside a service have the largest tenth of the GPU at which the interference law keeps its target, at each event; where none does, the last
//     one that came is stopped, its work saved.
//
// # What is known
//
// The scheduler's global part and the throttle are in the authors' released re-implementation; the
// local coordinator is not, so that constants of the feedback are not known. There the exclusive
// GPUs of a guaranteed job are drawn at random, an opportunistic job has one GPU, and the bound on
// memory is 16 GB: its device's.
//
// # What is ours
//
//   - Who is guaranteed. guaranteed=quota: a job with a priority above 0; every other one within
//     its tenant's quota, for the rest see 3. A tenant is a virtual cluster, else a user; its quota
//     an equal part of the cluster among the tenants seen so far (quota). A tenant that holds
//     nothing may have one job beyond it. A job started opportunistically stays so.
//   - Orders. Guaranteed jobs come first, then opportunistic ones, both in order of arrival; a job
//     that does not fit blocks no other. Idle GPUs come before others, unless others are nearer
//     together. Gangs of opportunistic jobs are on one machine if one has GPUs enough.
//   - Suspension. The kernel has no share of 0, and a pause (Delay) cannot be ended early: the
//     least share is one thousandth (least). So a suspended job holds a thousandth.
//   - The guaranteed job keeps more than half of the GPU (keep), which is how --interference
//     priority:class=ticket has it. That law puts it first whatever the shares, so the feedback
//     decides where the law does not: a part of the time for each (none, the default), mps, and
//     others.
//   - A share that slowed a guaranteed job down is not tried again until a job comes or goes:
//     speeds are constant in between, but for links that are shared and for models whose speeds
//     depend on progress, whose changes are then not seen. So there are no looks while nothing can
//     change.
//   - A guaranteed job is slowed down when it is below 0.95 of its speed on an empty cluster
//     (slow), period 10 s, step 50 thousandths, cut 0.5. At most two opportunistic jobs are on a
//     GPU (most).
//   - Utilisation is as at the instant, from the jobs' own (GPUUtilFrac) and the part of their
//     speed that they have, where the program takes the mean of 30 samples; memory is what jobs
//     hold, where it takes the peak. A job that states no utilisation counts as busy all the time
//     (unknown), so that no job joins it.
//   - CPU and memory of hosts are not given twice, so that opportunistic jobs can keep a guaranteed
//     one from them.
//   - Services. Theirs is that a share follows what the online job needs, by feedback; ours the tenths,
//     predicted: capacity at least the load, and the deadline for the target's part of the requests.
//     All jobs beside a service have the same share, one per GPU. Laws that depend on how busy a
//     replica is answer for what it was before: a microsecond later a share that proves too large
//     loses a tenth, until the load or the pairs change. A job that is evicted has a thousandth
//     while its work is saved, and none joins its service again at that load.
//
// Reading guide: policy.go events and order; config.go classes; place.go who gets which GPUs;
// share.go how GPUs are divided; control.go the feedback;
// online.go jobs beside replicas.
package antman
