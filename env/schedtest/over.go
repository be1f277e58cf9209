package schedtest

import (
	"tarry/env"
	"tarry/env/scenario"
)

// Over gives a function that makes an environment over some policies, traces and speed models.
func Over(from scenario.Catalogues, build func(from scenario.Catalogues, options string) (env.Env,
	error)) func(options string) (env.Env, error) {
	return func(options string) (env.Env, error) { return build(from, options) }
}
