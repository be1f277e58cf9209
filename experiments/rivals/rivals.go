// Package rivals gives the schedulers that questions hold against Dally in more forms than one.
package rivals

// Placed lists orders that say nothing of places, each as it is and with consolidation (sim/plan/places), so that no table against a scheduler
// that consolidates has rivals that do not alone.
func Placed(policies ...string) []string {
	out := make([]string, 0, 2*len(policies))
	for _, p := range policies {
		out = append(out, p, p+":place=consolidate")
	}
	return out
}
