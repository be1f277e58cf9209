// Package allox is AlloX: T. Le, X. Sun, M. Chowdhury, Z. Liu, "AlloX: Compute Allocation in Hybrid
// Clusters", EuroSys 2020. Jobs may run on several types of GPU at different speeds; the mean
// completion time is to be least, and no user is to be left out for long.
//
// At every arrival, end, failure and repair, while GPUs are idle and jobs wait:
//
//  1. Users with waiting jobs are ranked by what they have received so far, least first, and the first alpha of them are admitted,
//     rounded up. Only their jobs take part. A small alpha is fair, alpha = 1 minimises completion times alone.
//  2. Of more than cap jobs, the shortest on each type take part, chosen in turn.
//  3. Jobs are matched to GPUs and places in their order. A job at the k-th place from the end of GPU i delays itself and the
//     k - 1 behind it: it costs avail(i) - arrival(j) + k p(i, j), with avail(i) when GPU i is free and p(i, j) the run time of j there. A
//     matching of least cost is an order of least total completion time (assign.Batch; the arrival is the same for every place of a job and
//     does not count).
//  4. The job that comes first on an idle GPU starts. The rest of the matching is forgotten.
//  5. While GPUs are idle and users are left out: if something started, this is repeated with the users who still have waiting jobs; if
//     nothing did, alpha is doubled, up to 1.
//
// Jobs are never preempted. A GPU may stay idle: its jobs are better off behind the jobs of a
// faster type.
//
// Reading guide: allox.go is the policy and its queue, users.go steps 1 and 5, match.go steps 2 to 4.
//
// # What is theirs and what is ours
//
// The paper's jobs need one GPU or CPU. Ours: a gang takes part with the GPU-time that it needs on
// a type, as if it ran on one GPU of it, so that the load stays what it is; where it comes first it
// starts if the type has as many idle GPUs. If not, gangs=skip gives the type's idle GPUs to the
// others, and gangs=hold leaves them to the first such gang in order of arrival; that makes the
// mean completion time 1.6 to 1.8 times as long. A gang larger than any type runs on several types,
// once GPUs are left over. If nothing runs and nothing starts, the first job that fits starts.
//
// What a user has received is the time of its jobs times the part of their type's GPUs that they
// hold (theirs: a cumulative allocation that is normalised; by what is not published). Processing
// times are the work that is left over the speed that the speed model predicts with the GPUs of a
// type placed as well as an empty cluster can (theirs: profiled by a run of a sample). The work is
// known (work=known), or the run's estimate (work=estimate), of which at least a second is left.
// The defaults of alpha and cap are from the authors' simulator, where the cap is always on. The
// last value of alpha is 1, where theirs stops at the largest power of two below; theirs repeats
// step 5 at the next second in place of the same instant.
//
// Gavel's simulator has an AlloX of its own: gavel:policy=allox.
package allox

// Params describes the settings for the catalogue.
const Params = `alpha      part of the users with waiting jobs that are admitted, the users who received least, above 0, to 1
cap        jobs in a matching at most, the shortest on each type in turn; 0 = all
work       known: the work that is left | estimate: the run's estimate of it
gangs      where a gang comes first and its type has too few idle GPUs: skip: others may take them | hold: it keeps them until it fits`
