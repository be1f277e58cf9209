// Package muxflow puts offline jobs beside the replicas of services: X. Zhao et al., "MuxFlow: Efficient
// and Safe GPU Sharing in Large-Scale Production Deep Learning Clusters" (arXiv 2303.13803).
//
//  1. Jobs are tried in order of arrival on free GPUs; one that does not fit is passed over.
//  2. A job of one GPU that waits may go beside a replica. Its share is what requests leave of the
//     GPU: 1 - activity, in tenths, rounded down; the replica has the rest.
//  3. A pair gives min(1, share / need) x (1 - sensitivity x activity); nothing where the GPU has
//     failed, is cooling down, or the job's memory does not fit beside the replica's. The pairs of
//     jobs that wait and GPUs without a job are matched for the largest sum, package pairs.
//  4. At each change of a load the shares follow it. Where nothing is left the job is evicted, and
//     the GPU cools down.
//
// # What is theirs and what is ours
//
// Theirs, of the abstract: one offline job beside one online GPU under MPS, dynamic shares of
// multiprocessors, a matching by predicted throughput, protection by eviction. Step 3 stands for
// their predictor, which is not public: need is the job's utilisation where it is known (else 1),
// sensitivity a setting. Activity is load / capacity of whole replicas x their utilisation. Pairs
// stay until the job ends or is evicted: matching anew would migrate jobs. Jobs on several GPUs, and
// jobs that ask for CPU or host memory, are outside a matching of pairs and get free ones. Replicas on
// machines that belong to the services have no job beside them: those machines are lent as a whole.
package muxflow
