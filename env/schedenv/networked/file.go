package networked

import "tarry/sim/param"

// File reads two settings of a policy that a rule or a network answers for: weights, the network's file
// (none = a rule answers), and lease_s, the unit of the times that the network reads, s, with the
// default leaseS, which is given beside a file alone. The settings named by instead are a rule's, and
// faults beside a file, which load reads. The network is nil where a rule answers or the set has a
// fault.
func File[N any](s *param.Set, leaseS float64, load func(path string) (*N, error), instead ...string) (*N, float64) {
	const none = "none"
	path := s.Text("weights", none)
	leaseS = s.Float("lease_s", leaseS, 1, 1e8)
	if path == none {
		if s.Has("lease_s") {
			s.FaultAt("lease_s", "lease_s is given without weights, expected it beside a network")
		}
		return nil, leaseS
	}
	for _, key := range instead {
		if s.Has(key) {
			s.FaultAt(key, "%s and weights are both given, expected one of them", key)
		}
	}
	net, err := load(path)
	if err != nil {
		s.FaultAt("weights", "%w", err)
	}
	if s.Err() != nil {
		return nil, leaseS
	}
	return net, leaseS
}
