package heterogeneity

// Names of schedulers that figures refer to.
const (
	agnostic = "max-min-agnostic"
	isolated = "isolated"
	dally    = "dally"
	// fixed reads no speeds, and fills the fastest type first, as schedulers with speeds do.
	fixed = "max-min-agnostic-fastest"
)

// pairs are the schedulers of the paper's figures, with and without the speeds.
func pairs() []string {
	return []string{"max-min", agnostic, "ftf", "ftf-agnostic"}
}
