// Package hived is HiveD: H. Zhao et al., "HiveD: Sharing a GPU Cluster for Deep Learning with
// Guarantees", OSDI 2020. Virtual clusters own cells (machines, parts of machines, racks), not
// numbers of GPUs; a job within its virtual cluster's cells never waits because of other virtual
// clusters, and idle GPUs run opportunistic jobs until they are needed.
//
//  1. Machines of one kind are a chain of cells: GPU, halves and slots of a machine, machine, and rack where all racks hold equally many of them.
//  2. A virtual cluster owns cells: the cells of the setting cells, else as many machines as its quota has, then parts of a machine, the largest first. Without quotas one virtual
//     cluster owns all. What is bought always fits, since each size divides the next; what is more than the cluster has is left out (measure cells_gpus).
//  3. A job is a gang of pods: its workers, or pods as large as a machine and one for the rest, or single GPUs where cells cannot hold such a pod.
//     All are placed at once or none. Jobs of priority >= 0 are guaranteed; a larger priority of the same virtual cluster goes first and stops weaker ones.
//  4. Negative priorities are opportunistic, and so are jobs that their virtual cluster's cells could never hold. A guaranteed job that waits for cells may run
//     opportunistically on idle GPUs meanwhile (over=waiting, the default).
//  5. Each virtual cluster orders its jobs (inside): by priority, then by arrival, or by the queues of 2D-LAS, whose bounds are in GPU-seconds and whose higher queues
//     stop jobs of lower ones. Opportunistic jobs start in order of their arrival, where there is room.
//  6. A guaranteed job that finds opportunistic jobs (or weaker ones of its own) on its GPUs stops them. GPUs that are busy with a checkpoint stay reserved for it. Who
//     was stopped waits in its old place.
//  7. A machine with a GPU that is down gets no new jobs.
//
// # What is theirs and what is ours
//
// Cells, their allocation and preemption are package cells, which agrees with the published program
// step by step (docs/schedulers/hived.md). The paper leaves the order within a virtual cluster to a scheduler
// of its own; fifo and las are the simplest of them. Ours: cells from quotas; how a job without
// workers becomes pods; that a pod with more CPU or memory than its GPUs' part of the machine holds
// more GPUs, which stay idle, so that a machine never has less than its cells promise; that the
// count of an elastic job is the largest that its cells can hold, and fixed; that a job that no
// chain can hold is rejected, though several together could; over=waiting, under which waiting jobs
// run opportunistically, so that no cells stay idle while jobs wait; they may be overtaken when
// they are stopped. In the paper a user chooses the priority; traces state none.
//
// What is guaranteed, and under which conditions, is in private_test.go: with over=large a
// guaranteed job starts when it would start with its virtual cluster alone.
//
// Reading guide: config.go reads settings, cells.go makes the cells of a cluster and who owns them,
// pods.go the pods of a job, line.go has who waits, follow.go what happened, serve.go the
// decisions. The allocation is in package cells.
package hived
