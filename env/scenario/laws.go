package scenario

import (
	"tarry/sim/entry"
	"tarry/sim/setting"
	"tarry/sim/stack"
)

// scenarioLaw is one of the laws of a scenario, such as hosts: its setting, and how its value is
// read once the cluster and the models are there.
type scenarioLaw struct {
	row func(c *Scenario) setting.Row
	// build gives what the law puts over the speed model, nil = nothing. Its error is a Fault.
	build func(s *Setup) (layerOf, error)
}

// layerOf makes the layer of a law.
type layerOf func(e *entry.SpeedEnv) stack.Layer

// laws lists the laws in the order of the resolved configuration, in which they are built and their
// layers lie, from the bottom up. A new law is a file like hosts.go and a line here. The order of
// layers: factors of single GPUs are the hardware's; a batch is divided among GPUs as fast as they
// are; jobs on one GPU disturb one another with the batches that they have; and a host delivers
// samples at its pace whatever slows the GPUs.
func laws() []scenarioLaw {
	out := []scenarioLaw{variabilityLaw(), efficiencyLaw(), interferenceLaw(), hostsLaw(), ownLayersLaw(),
		gpuProfileLaw(), elasticLaw(),
		{(*Scenario).quotaRow, (*Setup).buildQuotas}, {(*Scenario).priorityRow, (*Setup).buildPriorities},
		{(*Scenario).deadlineRow, (*Setup).buildDeadlines}, powerLaw()}
	return append(append(out, tariffLaws()...), serviceLaws()...)
}

// buildLaws reads the values of all laws.
func (s *Setup) buildLaws() (errs []error) {
	for _, l := range laws() {
		layer, err := l.build(s)
		errs = append(errs, err)
		if layer != nil {
			s.layers = append(s.layers, layer)
		}
	}
	return errs
}
