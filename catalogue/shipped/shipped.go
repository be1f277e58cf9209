// Package shipped lists what tarry ships for a run: policies, trace formats, speed models, environments, agents and optimisers.
// The runs themselves take catalogues as a value (catalogue/parts) and do not import this package.
package shipped

import (
	"tarry/agents"
	"tarry/catalogue/parts"
	"tarry/env/envs"
	"tarry/env/scenario/shipped"
)

// All gives what tarry ships.
func All() *parts.Catalogues {
	return &parts.Catalogues{Catalogues: shipped.All(), Envs: envs.All(), Agents: agents.All(), Optimisers: agents.AllOptimisers()}
}
