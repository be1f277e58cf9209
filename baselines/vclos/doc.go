// Package vclos is vClos: isolated sub-networks of a leaf-spine (arXiv 2308.05692). A job across leaves
// owns links between leaves and spines until it ends, so that it has the speed that it has alone.
//
// # The algorithm
//
//  1. A multiple of the GPUs of a leaf gets empty leaves.
//  2. Fewer GPUs than a leaf has come from the leaf with fewest free that holds them: equally from 1, 2, 4, ... machines if possible, machines with most free first. No links are needed.
//  3. Else q GPUs on each of n/q leaves, for the largest q for which so many leaves have q free, and q spines have free links to all of them. Of such leaves the ones with
//     fewest GPUs free are taken (an integer programme), of the spines the lowest.
//  4. Else the job waits.
//
// # What is theirs and what is ours
//
// Theirs, from the authors' program (nothepeople/RapidNetSim, static_scheduler), are the steps for
// sizes that are powers of two, on leaves with as many GPUs as there are spines. The program counts
// leaves with more than q GPUs free, where q would do, and so refuses jobs that fit; Strict has the
// slip. Ours are: q runs over all divisors of n; a job with q of the S GPUs of its leaves has q/S of
// the spines, rounded up; machines of a leaf are chosen as in step 2 in all steps; a size that no equal division serves on an empty network gets the leaves with
// most GPUs free among the leaves with all links free, and all these links. The integer programme is solved
// by branch and bound over leaves, exactly but for a bound of 200 000 nodes.
//
// Reading guide: network.go the steps, search.go the integer programme, spread.go machines.
package vclos
