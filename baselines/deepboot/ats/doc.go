// Package ats has the choices of DeepBoot's adaptive task scheduling (Z. Chen, X. Zhao, C. Zhi and J. Yin,
// "DeepBoot: Dynamic Scheduling System for Training and Inference Deep Learning Tasks in GPU Cluster", IEEE
// Trans. Parallel and Distributed Systems 34(9), 2023) as functions without a clock or a cluster: how many GPUs
// each training job gets (knapsack.go), on which machine, and which GPU a job loses to a service (nodes.go).
package ats
