// Package shipped lists what tarry ships for a run: policies, trace formats, speed models,
// environments, agents and optimisers. The runs themselves take catalogues as a value (run/parts)
// and do not import this package.
package shipped

import (
	"tarry/catalogue/agents"
	"tarry/catalogue/envs"
	"tarry/catalogue/optimisers"
	"tarry/catalogue/policies"
	"tarry/catalogue/schedulers"
	"tarry/catalogue/simulation"
	"tarry/run/parts"
	"tarry/sim/entry"
)

// All gives what tarry ships.
func All() *parts.Catalogues {
	all := &parts.Catalogues{Catalogues: simulation.All(), Envs: envs.All(), Agents: agents.All(),
		Optimisers: optimisers.All()}
	all.Policies = append(schedulers.All(), append(policies.Variants(), entry.PythonRow())...)
	return all
}
