// Package bsbf is SJF-BSBF (shortest job first with best sharing benefit first) and its baseline
// SJF-FFS (first fit sharing): "Scheduling Deep Learning Jobs in Multi-Tenant GPU Clusters via Wise
// Resource Sharing", arXiv 2407.13088. docs/schedulers/sjf-bsbf.md has what was compared.
//
//  1. Waiting jobs in the order of the time that is left of them; a job that does not fit is passed over. No job is preempted or moved.
//  2. If enough GPUs are idle, a job takes idle ones alone.
//  3. Else, if idle GPUs and GPUs with one resident are enough, the pair test (package pair) asks for each resident whether the mean of both completion times is
//     less with a start beside it now than after its end. Of those where it is, residents with the smallest mean C go first; all idle GPUs are used
//     too, and the job runs at the speed of its slowest GPU. Two jobs are on a GPU at most, each with half of it.
//  4. A job whose memory does not fit runs with 1/2, 1/4 ... of its batch at a time and accumulates the gradients, at the best of these for the pair test.
//
// Slow-downs are from the speed model, asked once for two kinds of jobs (model, batch, GPUs) and a
// GPU type on GPUs placed as well as an empty cluster can: the paper has a table by model, model
// and number of GPUs, too. Each of the two is asked for its own number. The remaining times are
// those on the GPUs in use, or on such a sample for a job that waits.
//
// Facts about C that the tests hold: a pair that gains nothing now never gains later, since the
// resident has less left; so nothing is asked again at ticks (the paper has one each 10 s), and
// where the first job of a kind cannot start no longer one can. Where both are slowed to half, a
// job shares only if it is less than half as long as what the resident has left. C ranks residents
// that end soon before residents that are slowed less: the paper's rule, as it is for one pair.
//
// Ours: a pass over the queue is repeated at once while it starts a job. place=consolidate (the
// paper's variant BSBFS tries one machine first; its choice is not known to us) takes GPUs of one
// machine if one can carry the job, that where the last resident taken has the smallest C;
// place=jobs is the plain variant, machines with fewest jobs first. The batch: a job's memory is
// GPUMiB x (1 - batch_mem + batch_mem / micro-batches), and it keeps its micro-batches until it is
// alone. A job for a part of a GPU has a whole one alone. by=estimate in place of the true time
// left. Preemptive variants, which the authors' program has, are not here.
//
// No job is brought to speed 0: where a speed model states that a job or one of those it would meet
// has no progress on the chosen GPUs, it waits.
//
// Reading guide: policy.go has the decision, queue.go the waiting jobs by kind, floor.go who is
// where, offers.go asks the pair test, join.go chooses GPUs, slow.go asks the speed model, batch.go
// memory, config.go the settings, clone.go snapshots.
package bsbf
