package service

import (
	"errors"
	"fmt"
	"math"

	"tarry/sim/series"
)

// Spec is one service: what a replica takes and serves, the latency that it should keep, and its
// load. It does not change during a run.
type Spec struct {
	// Name is unique in a Model.
	Name string
	// GPUs is what one replica takes; 0 = 1.
	GPUs int32
	// Replicas is the most replicas there may be; >= 1.
	Replicas int32
	// RatePerS is the requests per second that one replica serves at speed 1; > 0.
	RatePerS float64
	// DeadlineS bounds the time from a request's arrival to its answer, in seconds; 0 = none, and all
	// that is served is good.
	DeadlineS float64
	// Target is the part of requests that should be good, in [0, 1); 0 = none is stated.
	Target float64
	// StartS is how long after its start a replica begins to serve, in seconds.
	StartS float64
	// ShareMilli is the part of each GPU that a replica takes, in thousandths; 0 = whole GPUs.
	ShareMilli int32
	// GPUMiB is the memory of each GPU that a replica needs; 0 = not known.
	GPUMiB int32
	// UtilFrac is the part of the time for which a replica alone keeps its GPUs busy when its load is
	// its capacity, in (0, 1]; 0 = 1. Below capacity it is in proportion to the load.
	UtilFrac float64
	// CPUMilli and MemMiB are taken per GPU; 0 = none.
	CPUMilli, MemMiB int32
	// Model names a profile of sim/models, GPUType the only type of GPU for it, Tenant its owner; each
	// may be "".
	Model, GPUType, Tenant string
	// Load is the requests per second over time; nil = none.
	Load *series.Series
}

// Latency states how long a request takes.
type Latency uint8

const (
	// Fluid: requests flow. They wait for the backlog before them at the present capacity, and are
	// served in the time of one request on one replica.
	Fluid Latency = iota
	// MMC: while the load is below the capacity and there is no backlog, requests have the stationary
	// times of the queue M/M/c with the replicas that serve; else as Fluid.
	MMC
)

// String is the model's name in lower case.
func (l Latency) String() string { return [...]string{"fluid", "mmc"}[l] }

// Model is the services of a run. It does not change during a run and may be held by several.
type Model struct {
	Services []Spec
	Latency  Latency
	// Own states of each machine whether it belongs to the services: training gets it only while it is
	// lent. nil = no machine does.
	Own []bool
}

// Validate reports every fault of the services on so many machines.
func (m *Model) Validate(machines int) error {
	var errs []error
	if m.Latency > MMC {
		errs = append(errs, fmt.Errorf("services: latency %d, expected fluid or mmc", m.Latency))
	}
	if m.Own != nil && len(m.Own) != machines {
		errs = append(errs, fmt.Errorf("services: owners of %d machines, expected %d", len(m.Own), machines))
	}
	names := map[string]bool{}
	for i := range m.Services {
		s := &m.Services[i]
		if names[s.Name] {
			errs = append(errs, fmt.Errorf("services: two have the name %q, expected each once", s.Name))
		}
		names[s.Name] = true
		errs = append(errs, s.Validate())
	}
	return errors.Join(errs...)
}

// Validate reports every fault of a service.
func (s *Spec) Validate() error {
	var errs []error
	bad := func(field string, v any, want string) {
		errs = append(errs, fmt.Errorf("service %q: %s is %v, expected %s", s.Name, field, v, want))
	}
	within := func(field string, v, lo, hi float64, want string) {
		if !(v >= lo && v <= hi) {
			bad(field, v, want)
		}
	}
	if s.GPUs < 0 {
		bad("gpus", s.GPUs, "0 or more")
	}
	if s.Replicas < 1 || s.Replicas > 1<<20 {
		bad("replicas", s.Replicas, "1..1048576")
	}
	if !(s.RatePerS > 0) || math.IsInf(s.RatePerS, 1) {
		bad("rate_per_s", s.RatePerS, "a finite number above 0")
	}
	within("deadline_s", s.DeadlineS, 0, 1e9, "0..1e9")
	within("target", s.Target, 0, math.Nextafter(1, 0), "0 to below 1")
	within("start_s", s.StartS, 0, 1e9, "0..1e9")
	within("share_milli", float64(s.ShareMilli), 0, 1000, "0..1000")
	within("util_frac", s.UtilFrac, 0, 1, "0..1")
	for field, v := range map[string]int32{"gpu_mib": s.GPUMiB, "cpu_milli": s.CPUMilli, "mem_mib": s.MemMiB} {
		if v < 0 {
			bad(field, v, "0 or more")
		}
	}
	return errors.Join(append(errs, s.validLoad())...)
}

func (s *Spec) validLoad() error {
	if s.Load == nil {
		return nil
	}
	if err := s.Load.Validate(); err != nil {
		return fmt.Errorf("service %q: load: %w", s.Name, err)
	}
	for i, p := range s.Load.Steps {
		if p.Value < 0 || p.Value > 1e12 {
			return fmt.Errorf("service %q: load: step %d has %v requests per second, expected 0..1e12", s.Name, i+1,
				p.Value)
		}
	}
	return nil
}
