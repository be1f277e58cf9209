// Package allocate holds rules that divide the GPUs of a cluster among elastic jobs: the eight
// algorithms of vodascheduler (T.-T. Hsieh and C.-R. Lee, "Voda: A GPU Scheduling Platform for
// Elastic Deep Learning in Kubernetes Clusters", IC2E 2023, github.com/heyfey/vodascheduler,
// pkg/algorithm), each as published and corrected, and the tournament of AFS (C. Hwang et al.,
// "Elastic Resource Sharing for Distributed Deep Learning", NSDI 2021). They are functions of a
// list of jobs: no clock, no cluster, no state.
//
// Reading guide: Job is what a rule sees of a job, Algorithm names a rule, Allocator applies it.
// elastic.go has the orders FIFO and SRJF with their elastic forms, tiresias.go Tiresias and
// E-Tiresias, dynamic.go FfDL's optimiser, afs.go the tournament.
//
//	FIFO, SRJF            by submit or by remaining time, min GPUs to each job that still fits; the others are passed over
//	ElasticFIFO, -SRJF    then one GPU more to each served job below max, in passes of that order
//	Tiresias              queue 0, then 1, inside by first start: num GPUs to each job that still fits
//	ElasticTiresias       then, if more than 10 jobs have nothing, jobs of queue 1 shrink to min; then GPU by GPU to the job with the largest gain of speed
//	FfDLOptimizer         as many GPUs for each of the first K jobs by submit as makes the sum of their speeds largest, by dynamic programming
//	AFSL                  one GPU at a time to the winner of a tournament in order of submit
//
// All sorts keep the order of the list on ties.
//
// # Published and corrected
//
// Published is the program as it is, with its defects; their own check of the result then ends
// their program. Corrected is our reading:
//
//   - ElasticFIFO and ElasticSRJF add GPUs to a job below max OR not satisfied. So ElasticSRJF
//     pushes jobs with min = max above it, and both give single GPUs to jobs whose min did not fit.
//     Corrected: to served jobs below max.
//   - ElasticTiresias takes jobs off the list whose min is more than what is free, also running
//     ones that could grow, and lets a job grow above max that got its min = max last. Corrected:
//     only jobs that have nothing leave for lack of GPUs, and jobs at max leave.
//   - FfDLOptimizer ignores min, and panics without a GPU. Corrected: the longest prefix by submit
//     whose mins fit, each within min and max.
//   - AFSL compares the lengths of both jobs at the share of the first. Corrected: each at its own
//     share.
//
// AFS has no minimum: Mins is ours. It gives a job min GPUs at once, which count as its first; jobs
// whose min is more than what is left take no part. Steps of more than one GPU (Job.Step) are ours
// too; what a step gains counts per GPU.
package allocate
