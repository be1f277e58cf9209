// Package nn is the neural-network mathematics that learners share.
//
// Weights are plain float64 slices (Param). Two paths read the same slices: Forward, a hand-written
// pass that allocates nothing, for acting; and a Tape, a Gorgonia graph that is built once for one
// batch size, whose Machine computes a loss and its gradients for training. A test holds both paths
// equal to 1e-9 for every network.
//
// Gorgonia describes and derives the graph; it does not run it. Compile turns it into a plan, a
// flat list of functions over memory of their own (plan.go, planops.go). Tests hold plans to
// Gorgonia's own machine (reference.go) bit by bit.
//
// Reading guide: param.go (weights), net.go, mlp.go and setnet.go (networks), tape.go and
// machine.go (graphs; ops.go, rowops.go and layer.go are their vocabulary, matrixop.go and
// kernel.go what layers are made of), categorical.go, gaussian.go and ranking.go (distributions),
// adam.go (optimiser), orthogonal.go (initial weights), state.go (saving to bytes). For off-policy
// learners: duel.go (action values), squashed.go (bounded Gaussians), huber.go (loss), frozen.go
// (weights as constants), blend.go (target networks).
//
// The vocabulary of Tape is closed on purpose. Gorgonia 0.9.18 has operations that give wrong
// gradients without an error (gathering by index from a reshaped node, the inverse square root,
// soft-max beside log-soft-max of one node), so a loss is written only with operations that the
// tests hold against finite differences.
//
// Randomness is handed in as a stream; nothing here reads a clock or a global generator. Results
// are the same for every GOMAXPROCS: a sum is never split between goroutines.
package nn
