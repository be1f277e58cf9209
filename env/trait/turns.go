package trait

// Turned is an environment over the simulator whose agent names who decides next.
type Turned interface {
	// Turns gives the policies of the catalogue that an action names, in the order of the actions,
	// and the length of a turn in seconds, > 0.
	Turns() (members []string, everyS float64)
}
