package speed

import (
	"errors"
	"fmt"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
	"tarry/sim/network"
)

// Collective computes a job's compute fraction from the layers of its model and the
// links that its allocation uses: network.Schedule.Iterate over network.Fabric.Phases.
// Results are kept by model and layout.
type Collective struct {
	clocks  clocks
	topo    *cluster.Topology
	fabric  network.Fabric
	set     *models.Set
	other   string
	ids     map[string]int32 // job's model name -> index in layers
	byName  map[string]int32 // profile's name -> index in layers
	layers  [][]network.Layer
	batches []int     // samples per GPU and iteration of each of layers; 0 = unknown
	over    []float64 // fixed overhead of each of layers, over compute; 0 unless calibrated
	cache   map[costKey]network.Iteration
	dims    []network.Dim // scratch
	phases  []network.Phase
}

// costKey is what an iteration depends on: the model, the allocation's layout, and the part
// of the uplinks that is left to the job, in sixty-fourths.
type costKey struct {
	model  int32
	share  int32
	layout network.Layout
}

// whole is the share of a job that has its links to itself.
const whole = 64

// NewCollective gives the model. other names the profile of jobs whose model is empty or
// not in the set; "" makes such a job an error. All faults are reported at once.
func NewCollective(t *cluster.Topology, f network.Fabric, set *models.Set, other string, ts Types) (*Collective,
	error) {
	errs := []error{f.Validate(), ts.Validate()}
	if other != "" {
		if _, err := set.Lookup(other); err != nil {
			errs = append(errs, fmt.Errorf("default model: %w", err))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return &Collective{clocks: newClocks(t, ts), topo: t, fabric: f, set: set, other: other,
		ids: map[string]int32{}, byName: map[string]int32{}, cache: map[costKey]network.Iteration{}}, nil
}

// Speed prices one iteration.
func (c *Collective) Speed(q *sim.Query) (sim.Speed, error) {
	if len(q.GPUs) <= 1 {
		return rate(q, 1, c.clocks.slowest(q.GPUs)), nil
	}
	id, err := c.model(q.Job)
	if err != nil {
		return sim.Speed{}, err
	}
	it := c.iteration(costKey{id, whole, layoutOf(c.topo, q.GPUs)})
	frac := it.ComputeFrac()
	if over := c.over[id]; over > 0 {
		frac = 1 / (1/frac + over)
	}
	return rate(q, frac, c.clocks.slowest(q.GPUs)), nil
}

// Lacks is the error of a job that may run on several GPUs and whose model has no profile.
func (c *Collective) Lacks(j *sim.Job) error {
	if max(j.GPUs, j.MaxGPUs) <= 1 {
		return nil
	}
	_, err := c.model(j)
	return err
}

// model finds the index of the job's profile.
func (c *Collective) model(j *sim.Job) (int32, error) {
	if id, ok := c.ids[j.Model]; ok {
		return id, nil
	}
	p, err := c.set.Lookup(j.Model)
	switch {
	case err != nil && c.other != "":
		p, err = c.set.Lookup(c.other)
	case j.Model == "":
		err = errors.New("it names no model, expected one or a default (option model=NAME)")
	}
	if err != nil {
		return 0, fmt.Errorf("job %q: %w", j.ID, err)
	}
	id, ok := c.byName[p.Name]
	if !ok {
		ls := make([]network.Layer, len(p.Layers))
		for i, l := range p.Layers {
			ls[i] = network.Layer{ForwardNS: l.ForwardNS, InputGradNS: l.InputGradNS, WeightGradNS: l.WeightGradNS,
				UpdateNS: l.UpdateNS, Bytes: float64(l.Bytes)}
		}
		id = int32(len(c.layers))
		c.layers = append(c.layers, ls)
		c.over, c.batches = append(c.over, 0), append(c.batches, p.Batch)
		c.byName[p.Name] = id
	}
	c.ids[j.Model] = id
	return id, nil
}

// iteration prices one iteration when uplinks run at share/64 of their bandwidth.
func (c *Collective) iteration(k costKey) network.Iteration {
	if it, ok := c.cache[k]; ok {
		return it
	}
	f := c.fabric
	left := float64(k.share) / whole
	f.Links[network.InRack].GBps *= left
	f.Links[network.AcrossRack].GBps *= left
	c.dims = f.Dims(c.dims[:0], k.layout)
	c.phases = f.Phases(c.phases[:0], c.dims)
	it := f.Schedule.Iterate(c.layers[k.model], c.phases)
	c.cache[k] = it
	return it
}
