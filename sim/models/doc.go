// Package models holds profiles of deep neural networks as data: per layer the compute of the three
// passes and the bytes that data-parallel training all-reduces.
//
// Reading guide: Profile is what a speed model needs. Lookup finds one of the built-in catalogue by
// name or alias; ReadYAML and ReadASTRA read profile files; LoadPaper reads the six workload files
// that the Dally paper's simulator used.
//
// # How the catalogue is derived
//
// Nothing in it is typed in from a profiler. Each architecture is written down layer by layer as
// its paper (or the reference implementation named in Sources) gives it; parameters and
// multiply-adds follow, and tests hold the totals against the published counts. Time is a roofline
// (Williams, Waterman and Patterson, CACM 52(4), 2009) on the reference GPU, an NVIDIA V100 in
// single precision:
//
//	forward = max(2 MACs batch / F, 4 (in + out) batch / M)
//
// with MACs, in and out (activations) per sample, F = 6.9e12 FLOP/s sustained and M = 720e9 B/s. F
// is what 281 images/s of ResNet-50 imply, 24.5 GFLOP of training each (measured at batch 64 on
// V100, 4.39 steps/s in Gavel's throughput table, Narayanan et al., OSDI 2020), 44 % of the data
// sheet's 15.7e12; M is 80 % of its 900e9. Input and weight gradient cost one forward pass each,
// the latter only in layers that have weights. Batch normalisation, activation and pooling are
// counted with their layer's traffic, not as operations.
//
// Gradients are single precision: 4 bytes a parameter. MemMiB is weights, gradients and two
// optimiser states (16 bytes a parameter) plus every layer's output once.
//
// # Not modelled
//
// Mixed precision, kernels that run below the roofline (recurrent networks do), sparse gradients,
// model parallelism. DLRM's embedding tables are model-parallel in practice: they count as
// parameters but are not all-reduced, nor is their all-to-all.
package models
