package scenario

import (
	"tarry/sim/efficiency"
	"tarry/sim/hosts"
	"tarry/sim/interference"
	"tarry/sim/speed/measured"
	"tarry/sim/variability"
	"tarry/traces/elastic"
	"tarry/traces/gpuprofile"
)

// buildVariability reads how GPUs of one type differ.
func (s *Setup) buildVariability() error {
	if s.Scenario.Variability == "" || s.Topology == nil {
		return nil
	}
	f, err := variability.Parse(s.Scenario.Variability, s.Topology)
	if err != nil {
		return wrong("variability", "%w", err)
	}
	s.factors = f
	return nil
}

// buildEfficiency reads what samples are worth.
func (s *Setup) buildEfficiency() (err error) {
	if s.Scenario.Efficiency == "" {
		return nil
	}
	if s.learns, err = efficiency.Parse(s.Scenario.Efficiency); err != nil {
		return wrong("efficiency", "%w", err)
	}
	if kind, _ := s.from.Speeds.Find(s.Scenario.Speed); kind.Learns {
		return wrong("efficiency", "efficiency %q: speed model %s counts already what samples are worth, expected none", s.Scenario.Efficiency, kind.Name)
	}
	return nil
}

// buildInterference reads what jobs on one GPU keep of their speeds.
func (s *Setup) buildInterference() (err error) {
	if s.beside, err = interference.Parse(s.Scenario.Interference, func(dir string) (interference.Measured, error) { return measured.Open(dir) }); err != nil {
		return wrong("interference", "%w", err)
	}
	if kind, _ := s.from.Speeds.Find(s.Scenario.Speed); kind.Pairs && s.beside != nil {
		return wrong("interference", "interference %q: speed model %s has its own rule for jobs on one GPU, expected none", s.Scenario.Interference, kind.Name)
	}
	return nil
}

// buildHosts reads how speeds follow CPU and memory, and what machines have of them that state none.
func (s *Setup) buildHosts() (err error) {
	if s.hosts, err = hosts.Parse(s.Scenario.Hosts); err != nil {
		return wrong("hosts", "%w", err)
	}
	return nil
}

// buildGPUProfile reads what models need of a GPU.
func (s *Setup) buildGPUProfile() (err error) {
	if s.needs, err = gpuprofile.Parse(s.Scenario.GPUProfile, s.models); err != nil {
		return wrong("gpu_profile", "%w", err)
	}
	return nil
}

// buildElastic reads which jobs are elastic.
func (s *Setup) buildElastic() (err error) {
	if s.Scenario.Elastic == "" {
		return nil
	}
	if s.elastic, err = elastic.Parse(s.Scenario.Elastic); err != nil {
		return wrong("elastic", "%w", err)
	}
	return nil
}
