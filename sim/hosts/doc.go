// Package hosts makes the speed of a job follow the CPU and the host memory that it has beside its
// GPUs, over any speed model. Without it (none, the default of a run) both are room alone: a
// machine has so much of them, and speeds do not depend on it.
//
// Reading guide: Parse reads a Rule from the setting hosts (rule.go), which names one of Laws;
// NewLayer makes its layer (layer.go), which package stack puts over a speed model and which finds
// what a job has on each of its machines and asks the law. catalogue.go has the law of classes of
// models, profile.go the law of a measured table, which table.go reads.
//
// # The law
//
// An iteration overlaps three things: the GPUs compute and exchange, CPU cores pre-process samples,
// and what is not in the cache is read from storage. The slowest counts:
//
//	iteration = max(compute + exchange, pre-processing, fetch)
//
// as the optimistic profiling of Synergy has it (Mohan et al., "Looking Beyond GPUs for DNN
// Scheduling on Multi-Tenant Clusters", OSDI 2022), with the cache of CoorDL (Mohan et al.,
// "Analyzing and Mitigating Data Stalls in DNN Training", VLDB 2021), which hits a fixed part of
// each epoch. In the units of package speed the two last bound the rate: a law states which work
// per second, in seconds of a reference GPU, a host delivers for each GPU of a job (feed), and
//
//	rate = min(rate within, GPUs x feed)
//
// This keeps the common rule: share, clock, batch and exchange are in the rate within, and a host
// delivers samples whatever the GPU does with them. A job on several machines runs at the pace of
// the machine that delivers least for its GPUs. Time spent waiting for data is not communication:
// with keep = rate / rate within the compute fraction is 1 - (1 - f) keep.
//
// # What a job has
//
// CPU and memory are the allocation's (Knobs.CPUMilli, Knobs.MemMiB, per GPU): what a policy set,
// else what the job asks for. Where both are 0 it has, on each machine, its part by GPUs: the
// machine's over its number of GPUs, times its share of the GPU. Nothing is charged for that part.
// A machine that states none has plenty; the options cpus and mem_gib state it for machines that do
// not.
//
// # Sockets
//
// A machine's slots are its sockets, and each has an equal part of the cores. With socket=0.9 a job
// whose GPUs on a machine span sockets has 0.9 of the speed, and cores beyond its sockets' count
// 0.9: pre-processing has the better of its own sockets' part of the cores and 0.9 of all that it
// holds. Memory has no sockets.
//
// # What holds
//
// More CPU or memory never slows a job down. With plenty of both the speed equals the inner model's
// to the last bit (but for socket). Nothing is allocated once warm.
//
// # What is not modelled
//
// Jobs do not contend for storage: each GPU has its own bandwidth. All memory is cache, and
// machines do not read from one another's. Where a model within counts the progress of samples
// (package efficiency, pollux and others) the bound is on worth, so that large batches load less
// than they would. A job that waits for data asks as much of shared links as one that does not.
package hosts
