package envs

import (
	"testing"

	"tarry/env"
	"tarry/env/envtest"
)

// TestCatalogueConforms checks every environment that Make gives.
func TestCatalogueConforms(t *testing.T) {
	for _, e := range All() {
		t.Run(e.ID, func(t *testing.T) {
			envtest.CheckEnv(t, envtest.Config{New: func() (env.Env, error) { return Make(e.ID) }, Steps: 600})
		})
	}
}
