// Package interference makes jobs that share a GPU slow one another down, over any speed model.
// Without it (none, the default of a run) a share of a GPU is a part of its time: the common rule
// of package speed. With it a share is a ticket, and a law states what a job keeps of its speed
// beside others.
//
// Reading guide: Parse reads a Rule from the setting interference (rule.go), which names one of
// Laws; NewLayer makes its layer (layer.go), which package stack puts over a speed model and which
// asks the law; sharers.go finds who is on a GPU. Each law has a file: slices.go, mps.go, mig.go,
// nway.go, horus.go, priority.go, crossover.go, stages.go and pairs.go, whose tables pairsread.go
// and gavelpairs.go read. To add one: a file, and a line in Laws.
//
// # The rule
//
//	rate = rate of the model within, on whole GPUs without peers, x keep        keep in (0, 1]
//
// The compute fraction is the inner model's. A job that has its GPUs to itself keeps 1, whatever
// its ticket (but see mps:limit=always, and mig). A gang runs at the pace of its slowest GPU: keep
// is the least of the laws' answers for each of its GPUs with who is on it. So a job beside another
// on one of its GPUs is slowed as much as one beside it on all of them, and one whose peers leave
// all GPUs but one gains nothing.
//
// A busy part u of a GPU is what the job uses of it when alone (Job.GPUUtilFrac); a law has a
// number for jobs that do not state it, 0.5 by default: the mean over the GPUs in use of
// Microsoft's cluster was 52 % (Jeon et al., "Analysis of large-scale multi-tenant GPU clusters for
// DNN training workloads", ATC 2019).
//
// # Memory
//
// A job whose limit (Knobs.GPUMiB) is below what it needs (Job.GPUMiB) has the rest in host memory.
// With a part m of the need on the GPU it keeps 1 / (1 + spill (1 - m)) of the above, alone too.
// That is a form of ours; the option spill of every law is how much longer a job takes with nothing
// on the GPU (1).
//
// # Instances
//
// A job in an instance of a GPU (Knobs.Instance) with a part p of its compute slices is slowed by
// jobs in the same instance only. Alone in it, it keeps min(1, p/u) of its speed on the whole GPU,
// or p where its busy part u is not known, as without interference. To the law its ticket and its
// busy part are parts of the instance: share/p, and min(1, u/p). The bandwidth that instances have
// is not looked at. All of this is ours. The law mig has its own rule for instances, which is much
// the same.
//
// # What holds
//
// Names and order of peers change nothing, to the last bit. One more peer never speeds a job up,
// but for what another ticket does, and a fourth job under the law stages. What the sharers of a
// GPU get together is bounded as each law states. Nothing is allocated once warm.
//
// # What is not modelled
//
// A job that is slowed down asks as much of shared links (a coupled model within) as one that is
// not. A law over compute fractions (crossover) sees the fractions of peers as they were when a job
// was last asked: a peer's mark or link that changes does not ask its neighbours again. What
// depends on progress within is taken of a peer at its start.
package interference
