// Package preempt is the environments tarry/Preempt-v0 to v2: an agent chooses which running job gives its
// GPUs up when a waiting job finds no place in the contest of another policy: Dally's
// (baselines/dally) unless the option base names another.
//
// # What is decided
//
// Jobs choose in an order: `order`, by default Dally's, those first that the network has slowed
// most; fifo, las, srpt and srsf are as in baselines/contest. It is the order of the contest, of
// the warm start and of an agent that answers none, too. After the contest of an instant the first
// in order that found no place is the blocked job. The agent may evict one running job, or none.
// Without a checkpoint to write the GPUs are contested at once by all but the victim, which
// contests last; else when the checkpoint is written. The cost of a preemption is the simulator's,
// never a term of the reward. Leases are off unless leases=true: an agent that never evicts is then
// dally:preempt=false with the same order, record for record; one that follows srtf with
// order=srpt, asked at each instant and shown each job, is
// dally:order=srpt,preempt=false,evict=later.
//
// # Base policy
//
// Any policy that is a plan.Evicting: dally and its variants without evict=later, fifo, fifo-fit
// and sjf. The options order and leases are as for base=dally. Policies that preempt by a rule of
// their own, such as srtf and las, are none: their order leaves no victim to choose.
//
// # Decision epoch
//
// The first instant at which a job is blocked and a job can be evicted, at or after `every` (a
// quarter of a lease unless set otherwise) since the last one. At that instant time stands still:
// after an eviction the contest runs again, and if a job is still blocked the agent is asked again,
// until it answers none, or `victims` (4) have gone.
//
// # Action
//
// Discrete(candidates + 1), masked: 0 is none, i evicts candidate i. Candidates are up to
// `candidates` (16) of the jobs that run, have held their GPUs for `min_run` (a quarter of a lease)
// and whose lease is not up at this instant: the last in the order (by default the jobs that the
// network has slowed least), last first; of equals the one submitted first. Entries beyond them are
// masked out.
//
// # Observation
//
// Dict{cluster, blocked, candidates}: the 12 of env/schedenv.ClusterFeatures; the 8 of
// env/schedenv.JobFeatures for the blocked job and 3 more; per candidate (shape {candidates, 17})
// the 8 and 9 more (groups.go). All lie in 0..1; rows of no candidate are 0. `tarry list envs
// tarry/Preempt-v1` prints them.
//
// The option hide=GROUP+GROUP holds the features of some groups at 0, and changes nothing else;
// hide=work is what hide_work=true is, too. The mask stays as it is.
//
//	cluster  cluster: busy, down, running, draining, machine_part, rack_part
//	places   cluster: machine_free, rack_free, concentrated; blocked: in_machine, in_rack, coming
//	queue    cluster: waiting, demand, oldest
//	demand   blocked and candidates: gpus, part; candidates: present
//	history  blocked and candidates: wait, run, preempted
//	work     blocked and candidates: left, done
//	network  blocked and candidates: sensitive; candidates: place, compute
//	gain     candidates: ratio, opens_machine, opens_rack, opens_any
//	cost     candidates: checkpoint, lease
//
// With hide=work the agent is not shown how long a job will run, unless it learns so from the
// order: srpt and srsf read the work left, which the choice of the blocked job and the order of the
// list then show. fifo and las read submits and GPU-time so far. So does network: its key, which is
// also the feature sensitive, is the progress so far over the progress at full speed in the time
// run, not a part of the whole. psrpt, psrsf and gittins read what the run's predictor states, and
// without one (predict) how long jobs run. With fifo or las and hide=work+network the policy
// declares nothing. The demonstrated policy (Follow) may read more than the agent sees:
// srtf and srsf always read the work left.
//
// # Reward
//
// cluster.Reward: by default minus the jobs in the system integrated over time / (lease x GPUs).
//
// # Episode
//
// See env/schedenv: a warm start from a state that Dally without evictions (the base policy)
// reached on the same window; truncation at the horizon; termination when all jobs have ended.
//
// # Sets of victims: version 2
//
// In tarry/Preempt-v2 preemptions kill: GPUs are free at once and the work since the last checkpoint
// (an hour apart unless costs.checkpoint_every_s states otherwise) is lost. The agent is asked when
// the blocked job lacks GPUs and the candidates have enough. Its action is Discrete(2 candidates +
// 1): 0 leaves it at that, i adds candidate i to the set, which goes as a whole once its GPUs are
// enough (before that none goes), candidates + i waits for the next checkpoint of candidate i, at
// which the agent is asked again; that is no commitment, and only before a set is begun. Candidates
// have two rows each: what killing them now means, and at their checkpoint. There are more features
// (setsobserve.go), and left and done are 0 unless hide_work=false.
//
// Groups that can be hidden beside the ones above:
//
//	risk       candidates: unsaved, at_risk, until, restore
//	set        blocked: lacks; candidates: later, chosen, after
//	predicted  blocked and candidates: mean_left, rank, spread
//
// Demonstrations (imitate) are the rules last, least-lost, least-lost-per-gpu and random of
// dally:evict=later,victims=, which take candidates later in the order than the blocked job, by more
// than the option margin. With wait_checkpoint they wait for the checkpoint of the first that would
// go, if that loses work and the checkpoint is at most so many leases away. Both options are theirs
// alone.
//
// # Search over sets
//
// With order=gittins over Dally, a predictor, GPUs of one type and nothing hidden, version 2 is
// trait.Searchable: a linear score in the agent's place. It reads the observation alone. L is
// the lease.
//
//	may go   later in the order than the blocked job, by more than margin plus the weights gate_* times
//	         unsaved, at_risk, until, left (mean_left), spread, preempted, and demand of the cluster
//	goes     the least sum of weights score_* times lost, unsaved, at_risk, until, gpus, left, later, spread,
//	         machine (opens_machine), preempted: lost is ln(0.001 + GPU-time that goes lost / (L x GPUs used)),
//	         gpus are the ones used / the ones lacking, later is ln(rank / rank of the blocked job)
//	none     what may go has too few GPUs
//	waits    for the checkpoint of the first to go if wait plus the weights wait_* times unsaved, at_risk and
//	         until is above 0
//
// It starts as the rule least-lost-per-gpu with the option margin: score_lost=1, wait=-1, else 0;
// with wait_checkpoint=W wait=W/(1+W) and wait_until=-1, which is the rule where checkpoints are at
// least W leases apart. sim/plan/victim.Weighing has the score, and a vector as text is the policy
// dally:evict=later,order=gittins,weights=FILE. Play
// simulates a window to its last job, of which no job is evicted in the warm-up; the cost is the
// mean completion time over that at the start.
//
// # Version history
//
// v2: kills, sets, waits, predictions; order=gittins, reward=relative, predict=ridge, no leases.
//
// v0: first version. The option order came later: its default, network, is what there was before.
// Its values psrpt, psrsf and gittins came after the others.
package preempt
