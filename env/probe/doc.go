// Package probe has environments so small that the right answer is known in closed form. Each
// isolates one part of a learner; the first that fails states where the fault is. After A. Jones,
// "Debugging reinforcement learning systems" (2021), with further ones for masks, truncation,
// variable time steps, interchangeable slots and continuous actions.
//
// Reading guide. all.go lists the probes with their answers: All; privileged.go has one
// for critics that see more, rare.go one for stores by priority, mixed.go one for mixtures; probe.go is
// the machine that runs them. A learner's test walks All, trains, and compares with Value and Best.
package probe
