// Package gandivafair is Gandiva_fair: "Balancing Efficiency and Fairness in Heterogeneous GPU
// Clusters for Deep Learning", S. Chaudhary, R. Ramjee, M. Sivathanu, N. Kwatra, S. Viswanatha,
// EuroSys 2020. Users, not jobs, get fair shares of the time of GPUs; nothing is left idle; users
// trade generations of GPUs.
//
//   - Tickets. A user has tickets, however many jobs it has; its jobs share them equally.
//   - Gang-aware stride. At each quantum a server goes through its jobs in the order of their pass
//     and starts every job whose gang fits what is left. What starts is charged, GPUs x time /
//     tickets; a gang that is skipped keeps its low pass and is soon first. Who is new starts at
//     the present minimum.
//   - Split stride. Jobs that fit a server are homed on one and scheduled there. Wider jobs are
//     scheduled centrally, before the servers: one runs in the next quantum if its pass is not
//     above the pass of any user with smaller jobs.
//   - Balance. A new job goes to the server with the least load, tickets of its jobs / GPUs. From
//     time to time jobs that wait move from the most to the least loaded server. GPUs that no job
//     of their server can use take jobs of others.
//   - Trading. A user's share of a generation is its part of the GPUs by tickets, at most what its
//     jobs can use. Users with different speed-ups exchange shares (trade.go); tickets of each
//     generation follow.
//
// The text of the paper was not at hand: goals, tickets, demand-capped shares, the split and
// trading are from its abstract and public notes, the rest from general knowledge. The constants
// are ours but for the quantum of a minute; so is what follows.
//
// We differ: the pass is kept for each user and generation and is known to all servers, and a
// second one orders the jobs of a user. In the mean that is tickets / jobs for each job; and shares
// hold in the whole cluster even where servers are loaded unequally, and a user is off its share by
// gangs, not by one for each of its jobs. A pass counts only while jobs wait for a generation; a
// user that has all it wants is kept at the minimum, so no user saves up for later. A gang with no
// progress yet is not stopped. A job moves to another generation where its user has a share that it
// does not use, if it is faster there or the present share is used up. Users with jobs that insist
// on a type, or that a type cannot hold, do not trade it. Speeds are asked of the speed model,
// where the authors profile jobs while they run. A fractional job is given a GPU of its own.
//
// In other papers "Gandiva_fair" is often a proportional share, each job 1/M of each type: that is
// Gavel's isolated.
//
// Reading guide: policy.go follows events, users.go keeps passes, servers.go the servers and their
// queues, turn.go is a quantum, wide.go the central stride, home.go chooses servers and balances,
// market.go gives shares and trade.go trades them.
package gandivafair

// Params describes the settings for the catalogue.
const Params = `quantum   time between turns, s
by        user | vc | group: whose the tickets are
tickets   NAME:TICKETS+NAME:TICKETS..., others have their weight of --quotas, else 1
trade     users trade generations of GPUs; without it no speed is asked
balance   time between two balancings of load, s, inf = never
spread    loads of two servers may differ by this part of the mean
move_s    pause of a job that resumes on another server, beside other costs, s`
