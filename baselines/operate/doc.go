// Package operate has the operators that tarry ships: they start and stop the replicas of services,
// lend the machines of the services to training, and take them back.
//
// # fixed, least and none
//
//  1. How many replicas each service should have: as many at all times (fixed), none (none), or the least whose capacity, divided by headroom, carries the
//     load and serves the backlog within drain_s; with the latency of M/M/c the least for the target (least). With ahead_s it is the highest load from
//     now until then.
//  2. Replicas beyond that are stopped: by least when they were not needed for down_s.
//  3. Others start where there is room: on machines of the services that are not lent, or, where no machine is the services', anywhere.
//  4. For those without a place machines are taken back: announced ones that are due, then empty ones, then ones whose elastic jobs can do with
//     fewer GPUs, then by the rule of tarry/baselines/operate/reclaim. Where no machine is the services', jobs leave one machine one by one.
//  5. With lend=all, machines of the services without a replica are lent.
//  6. With notice_s the machines that replicas will need within it are announced.
//
// # lifecycle
//
// After DeepBoot's life cycle of pods (Chen et al., IEEE TPDS 34(9), 2023), from their simulator; its pods serve
// single tasks, ours rates of requests.
//
//  1. As least, but a replica that is not needed keeps its GPUs, protected for protect_s + reuse_s for each time in a row that it was needed again before that
//     ended, at most most_s.
//  2. Then it sleeps: it is used again without a start, unless jobs that wait lack GPUs, or a replica of another service finds no place. Then it is stopped.
//
// # deepboot
//
// The life cycle with ATS-I, on all machines; the policy deepboot is its training side.
//
//  1. A replica starts on free GPUs of the machine on which training has least, else on the GPUs of the replica that sleeps for longest.
//  2. Else a job loses one GPU (one worker), by a Resize: of all jobs and machines the GPU whose loss leaves the largest sum of speed-ups, each over
//     the speed on the job's fair share. A job that cannot do with fewer is stopped. So on until the replica has its GPUs.
//  3. A replica that slept for sleep_s gives its GPUs to training.
//
// # learned
//
//  1. At every epoch, every_s, an agent or a rule in its place chooses for each service one replica more, the same or one fewer, within 1 and the most.
//  2. A microsecond later replicas stop and start as with least, on the same machines.
//
// # loans
//
//  1. At each time of the list machines are lent, the first that is not, or taken back: empty ones, the last first, then by the rule.
//  2. With notice_s, the machine at a place of those lent, in the order in which they were, is announced for the first time at which fewer are lent.
//
// Jobs are stopped at once. Reading guide: operator.go the instant, scale.go numbers of replicas, ground.go
// places, take.go machines taken back, announce.go, lifecycle.go, seize.go, loans.go, agent.go
// an agent in place of the numbers, reading.go what it sees, and rules in its place.
package operate
