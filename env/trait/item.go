package trait

// Itemised is an environment whose observations list items that last, such as jobs: an agent can
// treat one in the same way as long as it is there.
type Itemised interface {
	// Items appends a number for each place of the list that the last observation shows: the number
	// of its item, >= 0 and its own throughout the episode, or -1 where there is none.
	Items(dst []int) []int
}
