package trait

// Demonstrator is an environment that can compute what a known policy would do in the agent's
// place.
type Demonstrator interface {
	// Follow names the policy, before the first reset. It changes neither observations nor rewards.
	// The error states which policies can be followed.
	Follow(policy string) error
	// Demonstrate writes what the policy would do now; an error where no question is pending.
	Demonstrate(action []float64) error
}

// Based is an environment with a policy that decides where the agent does not, and in its place
// before an episode begins.
type Based interface {
	// Base names that policy, NAME or NAME:key=value,...
	Base() string
}
