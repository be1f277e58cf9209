// Package network prices collective communication: how long an all-reduce takes over a hierarchy of
// links, and how much of it a training iteration cannot hide. It has neither clusters nor jobs;
// it is arithmetic over counts and bytes.
//
// Reading guide: a Fabric describes the links of each Level; Fabric.Dims turns the Layout of an
// allocation into Dims; Phases prices one all-reduce over them as a fixed part and a part per byte
// (cost.go); Schedule.Iterate plays one training iteration layer by layer against those prices
// (iterate.go); Sharing.Divide divides links between jobs (share.go); Spines describes the paths
// between racks (spines.go), Period one iteration as a user of links (period.go).
//
// # Equations
//
// One message of m bytes takes h*a + e + m/B nanoseconds: h hops of latency a, the endpoint's delay
// e, bandwidth B. An all-reduce of S bytes over n units costs
//
//	ring               2(n-1) (h*a + e + S/(n*B))
//	halving-doubling   2 sum_i (h_i*a + e + c_i*(S/2^i)/B), i = 1..log2 n
//	direct             2 (h*a + e + c*(S/n)/B), c = messages that share the busiest link
//	tree               2 ceil(log2 n) (h*a + e) + 2 S/B (two pipelined trees)
//
// Ring and halving-doubling: Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005; bandwidth
// optimality of the ring: Patarasuk and Yuan, JPDC 69(2), 2009; two trees: Sanders, Speck and
// Träff, Parallel Computing 35(12), 2009. We differ from the last in leaving out the time that
// fills the pipeline beyond one latency per step.
//
// Over several dimensions, Baseline runs a whole all-reduce of S in each, one after another.
// Hierarchical runs reduce-scatters from the inside out, an all-reduce in the outermost, and
// all-gathers back, so that dimension k carries S divided by the units of the dimensions inside it.
//
// # Conventions
//
// PerLink is physical: a bandwidth is what one GPU has into the dimension, one way, 1 GB/s = one
// byte per nanosecond. ASTRA1 repeats ASTRA-sim 1.0's analytical network as the Dally paper's
// simulator drove it: the bandwidth is multiplied by the number of links of the dimension, so that
// more machines have more bandwidth. See Convention.
//
// # Not modelled
//
// Packets, routing, adaptive choice of the algorithm by message size, compute slowed by
// communication kernels, tensor or pipeline parallelism, all-to-all.
package network
