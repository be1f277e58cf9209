// Package grow is the environment tarry/Grow-v0: an agent shares a cluster among elastic jobs by
// giving one more worker to a job at a time, as DL2 (Peng et al., TPDS 2021) does.
//
// # What is decided
//
// At an epoch all GPUs are shared anew: counts begin at 0, and each answer gives one worker more to a
// job, or the least number of GPUs that it can run on to a job without any. The epoch ends with the
// answer 0, or when no job may have more. plan.Sizer finds the GPUs for the counts with few moves; jobs
// that keep their count keep their GPUs. A job for which no GPU type has room has its least count, of
// several types.
//
// # Decision epoch
//
// When jobs arrive or end and GPUs fail or come back, and with every=S each S seconds besides. Answers
// of one epoch are given at one instant.
//
// # Action
//
// Discrete(1 + jobs), masked: 0 stops, i gives to the job in place i of the list of `jobs` places. 0 is
// legal once a job has GPUs. The list has the jobs in the system by arrival, and of more than places
// the jobs with the least time left; the others get their least counts of what is left, by arrival.
//
// # Rules
//
// time, gain, time2, time4, time8, fair and saved (rules.go) in the agent's own actions; afs-l and
// afs-p by their counts. time, the best on validation windows, is the base policy.
//
// What is known. Speeds on every count (know.Speed), and the run's estimate of the work less what is
// done: without a predictor the truth, and agents and rules are then clairvoyant alike.
//
// # Published protocol
//
// protocol=dl2 is DL2's own cluster (env/grow/dl2): workers and parameter servers in slots of 1 200 s,
// three actions a column, a first pair for each job, and a slot that ends with the first task that does
// not fit. Jobs are drawn like the jobs of the shared reference set. Its rules are dl2.Choosers: in the
// agent's own actions.
//
// We differ from DL2: gamma is the learner's, the observation has one column after another and the
// action that ends a slot comes first.
//
// # Version history
//
// v0: first version.
package grow
