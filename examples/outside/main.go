// Command outside is tarry with eight parts of its own, one of each kind. It has every sub-command
// of tarry; go build, then ./outside list policies, ./outside compare --policy aged --speed amdahl
// --trace plain:jobs.txt --cluster 2x2x4.
//
// Reading guide. A file for each part: policy.go, trace.go, speed.go, layer.go, env.go (with its
// scheduler in turn.go), learner.go (with searcher.go and linear.go), optimiser.go, question.go.
// All of them import public packages of tarry only. outside_test.go holds them against the suites
// that parts of tarry pass, tools/outside.sh runs every sub-command that uses them.
package main

import (
	"tarry/app"
	"tarry/catalogue"
)

func main() {
	c := catalogue.All() // what tarry ships
	c.Policies = append(c.Policies, agedEntry())
	c.Traces = append(c.Traces, plainFormat())
	c.Speeds = append(c.Speeds, amdahlKind())
	c.Layers = append(c.Layers, nightLayer())
	c.Envs = append(c.Envs, turnEntry())
	c.Agents = append(c.Agents, arsEntry())
	c.Optimisers = append(c.Optimisers, climbEntry())
	c.Questions = append(c.Questions, patienceQuestion())
	app.Main(c)
}
