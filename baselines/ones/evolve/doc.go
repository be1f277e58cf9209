// Package evolve is the search of ONES (Bian, Li, Wang and You, "Online evolutionary batch size
// orchestration for scheduling deep learning workloads in GPU clusters", SC 2021, arXiv 2108.03645)
// as data: a population of schedules, each a list of GPU slots with a job or empty, that lives on
// from decision to decision.
//
// A generation
//
//  1. refreshes each schedule: jobs that have left lose their slots, jobs above their limit what is too much;
//  2. makes children by uniform crossover: two schedules exchange each slot with probability Cross;
//  3. makes mutants: each job that has trained long enough is taken out with probability Mutate;
//  4. repairs all of them, so that no slot is idle that a job may use: first new jobs with their least count, then jobs without slots, the shortest first, up to what they
//     resume with, then all, the shortest first, up to their limits;
//  5. keeps the different schedules with the least score, the GPU time that is left to the jobs that have slots in it; of equal ones schedules that serve most jobs, then schedules whose counts are nearest to the present;
//  6. writes each as blocks, one per job, so that few slots change hands (Reorder).
//
// The present schedule, refreshed and repaired, takes part as well.
//
// Reading guide: job.go the search's description of a job, search.go a generation, repair.go,
// reorder.go.
package evolve
