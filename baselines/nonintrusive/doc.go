// Package nonintrusive is nonintrusive-like, after S. Wang, O. J. Gonzalez, X. Zhou, T. Williams,
// B. D. Friedman, M. Havemann and T. Woo, "An Efficient and Non-Intrusive GPU Scheduling Framework
// for Deep Learning Training Systems", SC 2020. Numbers of GPUs follow the progress of jobs: at
// each arrival and end the work that is left decides how many each job has, running ones included.
//
//  1. Progress. The work left of a job is its estimated work less what it has done.
//  2. Running jobs keep at least their least count; jobs that wait are admitted at theirs, the shortest time left first, as long as there are GPUs.
//  3. GPUs left over go one step after the other to the job whose time left falls most for each GPU: (left / T(n) - left / T(n')) / (n' - n).
//  4. A running job is changed only where it gains: it grows if that saves more than restart_s, and shrinks only for GPUs that another job gets.
//
// # What is theirs and what is ours
//
// Of the paper only the abstract was at hand. It states: an adaptive GPU scheduler, with "a
// scheduling algorithm that uses training job progress information to determine the most efficient
// allocation and reallocation of GPUs for incoming and running jobs at any given time", and an
// elastic allocation mechanism that stops the training processes of a job for a moment and restarts
// them with another number of GPUs, by a process beside them, without changes to the framework;
// against the default scheduler of Kubernetes the time for all jobs falls by up to 45 % and the
// mean completion time by up to 63 %, on 16 GPUs. Every formula above is ours, and so are these:
// progress counts work in seconds of a reference GPU; the speed T on each count is asked of the
// speed model, where a cluster would measure it; nothing is preempted; since a job that changes is
// stopped and started again, and so can be anywhere, all jobs are packed anew whenever numbers
// change (place=near leaves the others where they are: 1.1 to 2.5 times the mean completion time);
// a running job keeps its GPU type, and a job of no type has the type with most GPUs left. The cost
// of a restart is the run's (--cost rescale_...); restart_s is what the policy reckons with.
//
// Reading guide: policy.go follows events, allocate.go has steps 2 to 4, plan.Sizer chooses the
// GPUs.
package nonintrusive

// Params describes the settings for the catalogue.
const Params = `by         estimate: the estimated work, doubled when outlived | work: the true work (clairvoyant)
restart_s  time that a change of a running job must save, s
place      packed: all jobs are packed anew when numbers change, such that most GPUs stay | near: jobs that keep their number stay where they are`
