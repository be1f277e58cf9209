package policies

// Costed lists the names that have a cost.
func Costed() map[string]bool {
	out := map[string]bool{}
	for name := range costs() {
		out[name] = true
	}
	return out
}

// DecidesText is decides.txt.
func DecidesText() string { return decidesText }
