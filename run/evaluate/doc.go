// Package evaluate measures frozen agents beside baselines, on windows of jobs that training has
// not seen.
//
// Reading guide. Build (build.go) turns a Request into trials: an agent, or an Actor from elsewhere
// (actor.go), becomes a sim.Policy (frozen.go) and is run by the code that runs every baseline.
// Summarise (summary.go) compares in pairs: the same window, another policy; Cells names the
// columns, Print writes them, Keep stores them.
//
// What training saw is known by the hashes that its run left: a window with one of them is refused,
// whatever it is called.
package evaluate
