// Package objective holds the allocation problems of Gavel: "Heterogeneity-Aware Cluster Scheduling Policies for Deep Learning
// Workloads", D. Narayanan, K. Santhanam, F. Kazhamiaka, A. Phanishayee, M. Zaharia, OSDI 2020. Each is a pure function from the
// active jobs to the fractions of time that they should spend on each type of GPU; rounds are cut from the fractions elsewhere.
//
// The symbols are those of the paper: M jobs, J types, T_mj the steps/s of job m on type j, s_m its GPUs, w_m its weight, N_j the
// GPUs of type j, and x_mj in [0, 1] the fraction of time that job m runs on type j. Every allocator keeps
//
//	sum_j x_mj <= 1 for every job,  sum_m s_m x_mj <= N_j for every type
//
// where a job's sum also has the rows of the pairs in which it takes part.
//
// Reading guide: input.go has the problem and the matrix of the answer, allocator.go the interface and the list of all allocators;
// then one file for each allocator.
package objective
