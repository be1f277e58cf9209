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
// single precision, for models up to GPT-2:
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
// # Models after GPT-2
//
// They are trained in bf16 on GPUs with tensor cores, and have the reference GPU of that: an NVIDIA
// A100 of 80 GB with F = 175e12 FLOP/s, 56 % of the data sheet's 312e12, and M = 1.63e12 B/s, 80 % of
// its 2039e9, with 2 bytes an activation and a gradient. F is the median over the 24 rows of models
// with a billion parameters and more that MosaicML measured on A100 (llm-foundry's table of
// throughputs): half the rows are within 7 %, the worst 25 % away. The same table gives 2.3 times as
// much on H100. Work that is done twice to save memory is inside F. So F(A100, bf16) is 25 times F(V100,
// single precision): times of the two kinds of models are of different GPUs.
//
// A block is two layers, attention and perceptron, and keeps one output for the backward pass. The
// whole s x s product of attention is counted, as in measured FLOP/s. Weights (2 bytes), gradients (2)
// and Adam's states (12) are divided between a job's GPUs (ZeRO: Rajbhandari et al., SC 2020), which
// gather the weights of one layer at a time: StatesMiB and NeedMiB.
//
// Training is data-parallel here: all gradients are reduced over all GPUs of a job. In reality the
// largest models divide layers between the GPUs of a machine (tensor parallelism) and between machines
// (pipelines). A hierarchical all-reduce sends between machines what tensor parallelism inside a
// machine would leave, an eighth of the gradients for each of 8 GPUs; the traffic of activations
// inside a machine, bubbles of pipelines and the exchange of tokens between experts are not modelled,
// nor the third pass over the weights of ZeRO's last stage.
//
// # Not modelled
//
// Kernels that run below the roofline (recurrent networks do), sparse gradients,
// model parallelism. DLRM's embedding tables are model-parallel in practice: they count as
// parameters but are not all-reduced, nor is their all-to-all.
package models
