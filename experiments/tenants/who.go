package tenants

import "slices"

// dally is the scheduler against which all are measured.
const dally = "dally"

// isDally reports whether a scheduler is Dally or a variant of it.
func isDally(name string) bool {
	return slices.Contains([]string{dally, "dally-vc", "dally-fair", "dally-nowait", "nowait-fair", "low", "low-vc",
		"low-fair", "low-vc-fair"}, name)
}
