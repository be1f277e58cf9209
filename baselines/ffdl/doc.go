// Package ffdl is the scheduling of FfDL: K. R. Jayaram et al., "FfDL: A Flexible Multi-tenant Deep
// Learning Platform", Middleware 2019 (arXiv 1909.06526). Jobs wait in a queue per GPU type until
// the type's limit has room for them; then all their learners are placed at once, spread or packed.
// But for the free tier nothing is preempted; no duration is known.
//
//  1. A job has learners, pods of equal size, each on one machine.
//
//  2. A job that arrives while its queue is empty is admitted at once if used + learners x GPUs <= limit, where used counts the GPUs of the
//     admitted jobs of its type; else it joins the queue.
//
//  3. Every poll_s each queue looks at its head alone: it is admitted if the limit has room for it, else it stays, and all behind it wait.
//     While no job at all is admitted the limit does not hold, so that a job larger than it runs.
//
//  4. The pods of an admitted job are placed as one gang, or none of them (gang=false: one by one, as stock Kubernetes does).
//
//  5. A pod goes to the machine with the highest score among machines with room for its GPUs, CPU and memory. place=spread is the
//     LeastAllocated of kube-scheduler, the mean over resources of (capacity - requested) x 100 / capacity in whole numbers, pod included;
//     place=pack is MostAllocated, requested x 100 / capacity; place=ratio is RequestedToCapacityRatio, the broken line shape over requested x 100 / capacity,
//     of which resources with score 0 are left out and the mean is rounded. weights are the resources' weights. With balance the score is fit times this one plus balance times NodeResourcesBalancedAllocation's, (1 - d) x 100 rounded down, where d is the standard deviation over the resources of
//     requested / capacity.
//
//  6. place=bsa is the biased sampling algorithm: several placements of the gang are drawn, pod by pod, machines with probabilities that are
//     biased to the objective, and the best of them is taken.
//
//  7. quota=free: a job whose admission takes its virtual cluster above its quota (sim.View.Tenants), or whose priority is negative, is of the free
//     tier for as long as it is admitted. Those within quotas go before it, at admission and placement, and do not count it in the limit of their type; it is evicted
//     where that limit, or a gang that else finds no room, needs its GPUs. It returns to its queue.
//
// # What is theirs and what is ours
//
// Steps 2 and 3, the poll of 60 s and the packing default are from the source of the trainer
// (IBM/FfDL, trainer_impl.go); it counts at most the 200 latest records, we count all. Step 5 is
// the source of kube-scheduler, which draws among equal scores; here the first machine counts. CPU
// and memory have a part in the score where the machine states them; by default Kubernetes scores
// CPU and memory alone, with weight 1 each, and gives a pod that asks for neither a little of both.
// Later versions of NodeResourcesBalancedAllocation score, by its documentation, the change that a
// pod makes; here it is the balance with the pod. The gang scheduler is not in that repository:
// that FfDL has steps 4 and 6, and that 6 goes back to A. N. Tantawi, "Solution Biasing for
// Optimized Cloud Workload Placement", ICAC 2016, is from general knowledge of the paper. Ours in 6
// are the probabilities, (score + 1)^bias, the value of a placement, the sum over pods of the final
// scores of their machines, and the number of samples. Ours too: admitted gangs that do not fit let
// later ones pass, as pods do in Kubernetes; limit=cluster; a job without a learner size in the
// trace is as few learners as fit the machines; a job that shares a GPU is packed beside others,
// which Kubernetes does not do.
//
// That FfDL has quotas and evicts free users' jobs for others is general knowledge too. Ours in 7:
// a tenant is a virtual cluster, one without a stated quota has no limit; each has a line of its
// own in a queue, another for negative priorities; the last admitted is evicted first, and only if
// the gang gets some of its GPUs; while it writes its checkpoint no other is evicted and none of
// the free tier starts.
//
// With gang=false the pods of admitted jobs are placed in random order, as the back-off of their
// retries makes it, and one that is placed keeps its GPUs. The job starts with its last pod. Until
// then its GPUs are idle, and jobs may wait for one another for ever: they end as unfinished. The
// kernel gives a job all its GPUs at once, so the policy keeps the GPUs of incomplete jobs away
// from others, and the kernel counts them as free: as idle as they are. Measures (table measures)
// states how much that is.
//
// Reading guide: ffdl.go follows events, admit.go has limits and polls, tier.go quotas and
// evictions, pods.go the sizes of learners, score.go the greedy placements, kube.go the scores,
// sample.go biased sampling, bind.go pods one by one.
package ffdl

// Params describes the settings for the catalogue.
const Params = `limit    none | cluster: as many GPUs as there are | TYPE:N+TYPE:N..., any:N for jobs of no type, others have none: GPUs of admitted jobs
poll_s   how often a queue looks at its head, s, 0 = always, at all that may go
place    pack: MostAllocated | spread: LeastAllocated | ratio: RequestedToCapacityRatio | bsa: the best of several biased samples
goal     pack | spread | ratio: what bsa is biased to
shape    UTILISATION:SCORE+... of ratio, in per cent and 0..10
weights  gpu:N+cpu:N+mem:N: of the resources in the score, 0..100; one that is not named has 1
fit      weight of that score
balance  weight of NodeResourcesBalancedAllocation
samples  placements that bsa draws for a gang
bias     power of the scores in the probabilities of bsa; 0 = none
seed     of the draws
quota    free: jobs above the quota of their virtual cluster, or of negative priority, give way to others | off: quotas are not looked at; off with gang=false
gang     false: pods are placed one by one and hold their GPUs`
