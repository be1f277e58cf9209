// Package limit is the environment tarry/Limit-v0: an agent chooses a job and how many GPUs it may have,
// job by job, as Decima (Mao et al., SIGCOMM 2019) does with stages and executors.
//
// # What is decided
//
// At an epoch all GPUs are shared anew. Each answer chooses a job that has no limit yet, and its limit:
// the job has the most GPUs that it can use, up to the limit and to what is left. The epoch ends when no
// job may have GPUs. plan.Sizer finds the GPUs for the counts with few moves; jobs that keep their count
// keep their GPUs. A job for which no GPU type has room has its least count, of several types.
//
// # Decision epoch
//
// When jobs arrive or end and GPUs fail or come back. Answers of one epoch are given at one instant.
//
// # Action
//
// Discrete(jobs x limits), masked. Limits are 1, 2, 3, 4, 6, 8, 12, ... and all GPUs of the cluster; one
// that gives a job no more than the limit before it is illegal. The list has the jobs in the system by
// arrival, and of more than places the jobs with the least time left; the others get their least counts
// of what is left, by arrival.
//
// # Rules
//
// srtf, gain, fair, fifo, and fair shares in proportion to a power of the work left, in the agent's own
// actions (rules.go): a rule shares the GPUs worker by worker among the jobs without a limit, and the
// job that gets most is next, with the largest limit up to its part. srtf is the base policy.
//
// What is known. Speeds on every count (know.Speed), and the run's estimate of the work less what is
// done: without a predictor the truth, and agents and rules are then clairvoyant alike.
//
// # Published protocol
//
// protocol=decima is Decima's simulator of executors (env/limit/spark) with jobs of one stage or of four,
// drawn like the shared reference set. The list has the stages with tasks that have not begun, each with
// Decima's five features and, in place of its graph network, the work after the stage and of its job; all
// limits are 1 to the executors. A limit is legal where the stage may be chosen and it is above what its
// job holds, less the free executors if they are its own. Where none is legal the free executors stand
// idle without a question, and the reward of that time goes to the last action. The reward is minus jobs
// x time / 100 s.
//
// We differ from Decima in what decides: one softmax over stages and limits, where Decima draws a stage
// first and then a limit from weights that all limits share. Episodes have a fixed number of jobs, which
// Decima's begin with a random end.
//
// # Version history
//
// v0: first version.
package limit
