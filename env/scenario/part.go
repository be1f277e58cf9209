package scenario

import (
	"errors"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/power"
)

// PartOf is the cluster that a tenant with so many GPUs would have alone: the first GPUs of the
// scenario's, as cluster.Spec.Prefix has them, with what it draws and what makes its speed models. Scenarios with
// variability have none: its factors are of single GPUs.
func (s *Setup) PartOf(gpus int) (*cluster.Topology, *power.Model, func() (sim.SpeedModel, error), error) {
	if s.Scenario.Variability != "" {
		return nil, nil, nil, errors.New("variability: a part of the cluster is not defined, expected none")
	}
	part := *s
	part.Cluster.Spec = s.Cluster.Spec.Prefix(gpus)
	part.once = &once[any]{}
	var err error
	if part.Topology, err = cluster.New(part.Cluster.Spec); err != nil {
		return nil, nil, nil, err
	}
	_, err = part.buildPower()
	return part.Topology, part.power, part.Speed, err
}
