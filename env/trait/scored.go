package trait

// Scored is an environment outside the simulator whose agents and rules are compared by what an
// episode cost.
type Scored interface {
	Windowed
	Demonstrator
	// Rules lists the names that Follow takes.
	Rules() []string
	// CostName names the cost of an episode, with its unit last; lower is better.
	CostName() string
	// Cost is what the episode that has just ended cost, > 0; an error before its end.
	Cost() (float64, error)
}
