package place

// rule is a fixed way to answer.
type rule struct {
	name, doc string
	choose    func(s *scheduler) int
}

// rules are the rules, the default first. Each starts jobs until none fits.
func rules() []rule {
	return []rule{
		{"first", "the first candidate, packed: the first valid action", func(*scheduler) int { return 1 }},
		{"spread", "the first candidate, on the emptiest machines", of(emptiest)},
		{"pack", "the first candidate, on leftovers", of(fragments)},
		{"quiet", "the first candidate, on machines with the fewest jobs over several machines", of(quiet)},
		{"small", "the candidate with the fewest GPUs, packed", func(s *scheduler) int {
			best := 0
			for i := range s.jobs {
				if len(s.gpus[i][packed]) < len(s.gpus[best][packed]) {
					best = i
				}
			}
			return 1 + best*sets
		}},
	}
}

// of is the first candidate on a set, packed where it has no such set.
func of(set int) func(s *scheduler) int {
	return func(s *scheduler) int {
		if s.gpus[0][set] == nil {
			return 1
		}
		return 1 + set
	}
}

func ruleNames() (out []string) {
	for _, r := range rules() {
		out = append(out, r.name)
	}
	return out
}

func ruleNamed(name string) (rule, bool) {
	for _, r := range rules() {
		if r.name == name {
			return r, true
		}
	}
	return rule{}, false
}
