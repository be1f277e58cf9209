package schedtest

import (
	"tarry/env"
	"tarry/env/scenario"
	"tarry/env/scenario/shipped"
)

// Shipped gives a function that makes an environment over the policies, traces and speed models
// that tarry ships.
func Shipped(build func(from scenario.Catalogues, options string) (env.Env, error)) func(options string) (env.Env,
	error) {
	return func(options string) (env.Env, error) { return build(shipped.All(), options) }
}
