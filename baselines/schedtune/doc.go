// Package schedtune is SchedTune: H. Albahar, S. Dongare, Y. Du, N. Zhao, A. K. Paul and A. R.
// Butt, "SchedTune: A Heterogeneity-Aware GPU Scheduler for Deep Learning", CCGrid 2022. It puts
// jobs on the same GPU where their predicted memory fits, and chooses the GPUs on which a job is
// predicted to end first.
//
//  1. The memory that a job needs of each GPU is predicted (memory.go).
//  2. GPUs are left out whose used memory + prediction x (1 + margin) exceeds what they have.
//  3. Of the others GPUs with the least predicted time x interference with the jobs there are taken; of equals GPUs whose memory is then used most.
//  4. If none is left, the job waits. Jobs are looked at in order of arrival, and one that waits does not hold up the others.
//
// # What is known
//
// Abstract only: that memory and time are predicted, that jobs share GPUs, that running out of
// memory is avoided. The four steps are a reconstruction, the order is Kubernetes', on which it
// runs.
//
// # What is ours
//
//   - Predictions. Memory is the job's own with a log-normal error (error, bias); speeds beside
//     others are the speed model's answer, which has GPU types and interference. Once a job has
//     run out of memory its need was measured.
//   - On an idle GPU the margin is left out, and a prediction beyond what the job's GPUs can have
//     is cut to that: else a job might never run.
//   - A job of unknown memory gets GPUs of its own (unknown=alone). At most so many jobs (most) are
//     on a GPU.
//   - A gang is put on one machine if one has GPUs enough, else in one rack, else anywhere, each
//     GPU by what the interference on it costs. All its GPUs are of one type if there are enough of
//     it.
//   - A job that ran out of memory waits for 10 s, then twice as long each time, up to 300 s, as
//     Kubernetes restarts containers (backoff).
//   - avoid=false is what it is compared with: jobs share GPUs without a look at memory, run out of
//     it and are started again.
//   - Shares are tickets of 1000/n (package colocate). Without an interference model they are parts
//     of time, so that sharing halves speeds: nothing is then gained but order.
//
// Reading guide: policy.go events and order; memory.go predictions; place.go the choice.
package schedtune
