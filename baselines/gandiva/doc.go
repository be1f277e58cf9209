// Package gandiva is Gandiva with affinity, time slicing, migration, and on demand packing and
// growth: "Gandiva: Introspective Cluster Scheduling for Deep Learning", W. Xiao, R. Bhardwaj, R.
// Ramjee, M. Sivathanu, N. Kwatra, Z. Han, P. Patel, X. Peng, H. Zhao, Q. Zhang, F. Yang, L. Zhou,
// OSDI 2018.
//
// Papers mean different things by "Gandiva". This variant has the parts that the Dally paper
// compares with (machines with an affinity for a demand, moves to a closer placement, suspending at
// no cost unless the run states one) and the published mechanisms around them; packing and
// grow-shrink are options, off by default.
//
//   - Affinity. A server serves jobs of one demand g. A job that fits a server is homed on (a) the
//     least loaded server of its affinity with room, (b) an unassigned one, which takes that
//     affinity, (c) any with room, (d) the least loaded of its affinity although it is full.
//   - Time slicing. Servers with more jobs than room turn over every quantum: the suspended go
//     first in their order, and jobs that ran longest make room; a gang runs whole or not at all.
//   - Migration. When a job ends, (a) a suspended job of the most crowded server moves to the freed
//     GPUs, (b) a job spread over racks moves to one where it fits, (c) a server left nearly empty
//     moves its jobs to fuller servers. Then (a) again, for the GPUs that (b) and (c) have freed
//     and for empty servers.
//   - Packing (packing=true), only on a server with suspended jobs: at a turn the suspended job
//     with the lowest GPU utilisation starts on the GPUs of the job with the lowest whose memory
//     fits, each with half of them, for one quantum. If the rates of both, as parts of what each
//     did in its last slice alone, sum to more than 1, which is what slices give, the two stay
//     together, and are suspended and resumed as one from then on; else the guest is suspended and
//     the next is tried.
//   - Grow-shrink (grow=true): when GPUs of a server have been idle for idle_s, its elastic jobs
//     get them, up to their ranges; they give back what they grew by as soon as a job waits there
//     or a wide job waits anywhere.
//
// The order of the classes of servers on arrival and the threshold of (c), three quarters free, are
// from general knowledge of the paper, not checked against its text. The quantum of 60 s is the
// paper's.
//
// We differ, where the paper is silent: (d) falls back on the least loaded server of any affinity,
// so that no demand starves for lack of a server of its own. A job wider than a server takes free
// GPUs, whole servers first; if it has waited a quantum it gets a turn on the least loaded servers,
// and after a quantum gives way to the jobs that wait for them. All turns fall on multiples of the
// quantum. A fractional job is given a GPU of its own. Packing: at most two jobs on a GPU, of the
// same number of GPUs, both measured in a slice alone on this server; a trial lasts one quantum,
// one at a time per server; a pair that was tried in vain is not tried again on that server; a
// guest gets GPUs of its own when the server has them and no job is suspended there. Utilisation
// and memory are what the cluster shows of jobs that have run. Growth: idle_s of ten minutes, jobs
// in the order of their grants, all of the growth is given back at once, wide and packed jobs do
// not grow.
//
// Cost: a turn suspends and resumes the jobs of every server that has more than fit, so it costs
// their GPUs, which is what time slicing is; nothing else is looked at. Philly on 512 GPUs has 13
// million suspensions, 160 for each job, where FIFO has one start for each.
//
// Reading guide: gandiva.go follows events, servers.go indexes servers, home.go chooses one,
// slice.go turns over, wide.go serves the wide jobs, migrate.go moves, pack.go packs, grow.go
// grows.
package gandiva

// Params describes the settings for the catalogue.
const Params = `quantum   time between turns, s, inf = no time slicing
affinity  servers serve jobs of one demand while they can
migrate   jobs move when another ends
defrag    part of a server that must be free before its jobs move away, above 1 = never
packing   servers with more jobs than fit try pairs of jobs on the same GPUs for a quantum, and keep pairs that do more than in slices
grow      elastic jobs get the GPUs of their server that are idle for long, until others need them
idle_s    grow: how long that is, s`
