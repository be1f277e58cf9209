// Package lyraref compares two parts of Lyra with exact answers (extra.go, reclaim.go). The extra workers
// that tarry/baselines/lyra/extra chooses: most seconds saved, fewest GPUs of those, also found here from
// all choices, and the rule that gives workers one by one. The machines that
// tarry/baselines/operate/reclaim takes back: each step of the rules of costs and of counts, and the set
// with the fewest preempted jobs, which is also found here from all sets.
package lyraref

import "tarry/fidelity/reference"

// Reader compares folders of instances, of extra workers and of machines that are taken back.
func Reader() reference.Reader {
	return reference.Cases("lyra", []reference.CaseKind{
		{Name: "extra workers", Fields: "free_gpus jobs optimum greedy", Compare: compareExtra},
		{Name: "reclaims", Fields: "servers give_back jobs optimum cost_rule count_rule", Compare: compareReclaim},
	})
}
