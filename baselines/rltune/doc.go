// Package rltune is RLTune-like ("Hybrid learning and optimization-based dynamic scheduling for DL
// workloads on heterogeneous GPU clusters", arXiv 2512.10271): a score for each waiting job from what
// is known without profiles, and an integer program that maps the jobs at the front of the queue to
// machines of several GPU types. Only the abstract was at hand: scores per job by PPO, a program that
// maps jobs to nodes. All else is our choice:
//
//   - The score s of a job stands for the value exp(least s of all - s), not below a millionth: the
//     program takes values, and a number added to all scores changes nothing. With weigh=rank the
//     value is decay to the power of the job's place in the order.
//   - A value is multiplied by GPUs^size: with 0 the program prefers narrow jobs, with 1 it is
//     indifferent.
//   - A place on the i-th fastest of T types counts 1 - prefer i / T of it: no speed of a job is read.
//     With profiled=true it counts the job's speed there over its speed on its best type.
//   - A gang that fits on a machine runs on one; a wider one has whole machines of one type and one
//     machine for the rest. A job that has no such place on an empty cluster, or asks for part of a
//     GPU, has the places of plan.Placer.
//   - Jobs behind the front have what is left, in order. No job is preempted, none has a reservation.
//
// Reading guide: policy.go has the settings, rltune.go follows events and maps, rules.go has orders
// without weights. package program is the integer program. An agent scores in tarry/Order-v0 with
// places=program (env/order), whose file of weights is the policy's setting weights.
package rltune
