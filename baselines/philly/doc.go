// Package philly is the scheduler of the Philly clusters: M. Jeon, S. Venkataraman, A. Phanishayee,
// J. Qian, W. Xiao, F. Yang, "Analysis of Large-Scale Multi-Tenant GPU Clusters for DNN Training
// Workloads", USENIX ATC 2019 (arXiv 1901.05758).
//
//  1. Each virtual cluster (VC) has a queue and a quota of GPUs. Jobs within the quota of their VC go before all others. The VC that uses the
//     smallest part of its quota is served first; inside a VC jobs go in the order of arrival.
//  2. A job gets all its GPUs or does not start. Level servers is the fewest servers of one rack (an RDMA domain) that can ever hold it; level
//     rack any servers of one rack; level any all there are. The finest of the levels open to the job is taken.
//  3. Racks are tried in increasing order of allocation, and servers inside likewise. A job that one server can hold goes to the fullest one
//     with room for it, so that servers stay whole.
//  4. A job that cannot have all its GPUs acquires what there is where its level lets it wait for the rest: the servers with most free
//     GPUs, a rack, or anywhere. Within its quota it holds these GPUs, idle, for hold_s; then, or at once where its VC would be above its quota
//     (above), it releases them, and tries again after backoff_s. After tries_per_level such tries the next level is open to it.
//  5. A VC exceeds its quota while GPUs are idle (borrow). When at least the part preempt_frac of the usable GPUs is allocated, a job
//     within its quota that cannot be placed has jobs of VCs above theirs preempted. They wait again as of their last checkpoint.
//  6. A later job may pass a blocked one (out_of_order).
//
// A job waits for fair share while its VC is at its quota, so that with the job it is above, and
// for fragmentation else. Measures has both delays by VC; they add up to the queueing time of each
// job.
//
// # The promise of preemption
//
// After a decision that begins with the part preempt_frac of the usable GPUs allocated, including
// held ones, this holds of every job that waits within its quota, except jobs that back off or wait
// for a checkpoint: it cannot be placed at a level that is open to it, not even if every other VC
// above its quota gave up the jobs that began last to take GPUs, one by one, until it is not above
// any more. Where quotas add up to no more GPUs than there are, jobs begin at level any,
// checkpoints cost no time and backoff_s and preempt_frac are 0, a job within its quota so starts
// at once.
//
// # What is theirs and what is ours
//
// The queues, the gang, racks and servers in order of allocation, packing, hold, release, back off
// and relax, out-of-order starts, preemption at 90 % and the two delays are the paper's, as it is
// known from summaries of it and from general knowledge; its text was not at hand, so that no
// constant is quoted from it. hold_s is 2 to 3 minutes there and backoff_s 2 minutes; the number of
// tries was not found, 10 is ours.
//
// Ours or inferred: that only jobs within the quota hold GPUs, as waiting for local GPUs is the
// delay of jobs whose quota is not used up (above=hold and above=wait are the other readings); what
// the levels mean in servers; that a try begins with the first GPU, so that a job that can have
// none waits without a try; that a job in a try counts in full against its quota; that it looks at
// other places at each decision, and starts where its level has room for all of it; that tries of
// jobs within quotas are served before new ones; and the victims. These are of the VC that is most
// GPUs above its quota, those first that began last to take GPUs, in a try or running; and only
// jobs whose GPUs the job gets. While their checkpoints are written, the job keeps what it is to
// have. Without stated quotas the VCs that have come share what the others leave, by their weights
// (unstated=equal), or have no limit (unstated=none). Users inside a VC are not distinguished.
// Failed attempts of jobs, which the paper retries, are not modelled.
//
// Reading guide: policy.go follows events and decides, kinds.go has the queues, quotas.go the VCs,
// locality.go the levels, try.go holds and releases, reclaim.go preempts, delays.go measures.
package philly

// Params describes the settings for the catalogue.
const Params = `hold_s           for how long GPUs of an incomplete job are held, s; the paper has 2 to 3 minutes
backoff_s        wait until the next try, s; the paper has 2 minutes
above            retry: a job above its VC's quota holds nothing: a try in vain ends at once | hold: it holds GPUs as others do | wait: it makes no tries
tries_per_level  tries until the next level is open; ours
from             servers | rack | any: the level at which jobs begin
borrow           VCs exceed their quotas while GPUs are idle
preempt_frac     part of the usable GPUs from which on jobs above quotas are preempted, above 1 = never; the paper's
out_of_order     later jobs of a VC pass one that is blocked
unstated         equal: VCs without a quota share what the others leave | none: they have no limit`
