package limit

import (
	"tarry/env"
	"tarry/env/model"
	"tarry/env/scenario"
)

// ID is the environment's.
const ID = "tarry/Limit-v0"

// The protocols.
const (
	fair   = "fair"
	decima = "decima"
)

// Make makes tarry/Limit-v0.
func Make(from scenario.Catalogues, options string) (env.Env, error) {
	return model.Make(ID, options, readPublished)
}
