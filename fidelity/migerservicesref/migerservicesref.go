// Package migerservicesref compares how a GPU is cut into instances for services and offline jobs with
// exact answers: the least profile that meets each service, and the greatest sum of the jobs' speeds.
package migerservicesref

import (
	"strings"

	"tarry/baselines/miger/layout"
	"tarry/fidelity/reference"
	"tarry/sim/mig"
)

// within is by how much sums of speeds may differ.
const within = 1e-9

// instance is one GPU.
type instance struct {
	Online []struct {
		Load      float64
		Rate      float64 `json:"rate_whole_gpu"`
		DeadlineS float64 `json:"deadline_s"`
		MiB       int64   `json:"mem_mib"`
		Target    float64
	}
	Offline []struct {
		Util float64
		MiB  int64 `json:"mem_mib"`
	}
	Least   []*string `json:"least_profile"`
	Optimum *struct {
		Speed  float64  `json:"offline_speed"`
		Online []string `json:"online_in"`
	}
}

// Reader compares folders of instances.
func Reader() reference.Reader {
	return reference.Cases("miger-services", []reference.CaseKind{{Name: "cuts",
		Fields: "online offline least_profile optimum", Compare: compare}})
}

// device is an A100 with 40 GB without the profile of one compute slice and double memory, and its
// profiles' names there.
func device() (d *mig.Device, names []string, err error) {
	d, err = mig.Named("a100-40gb")
	if err != nil {
		return nil, nil, err
	}
	own := *d
	own.Profiles, own.Placements = nil, nil
	for _, p := range d.Profiles {
		if p.Compute == 1 && p.Memory == 2 {
			continue
		}
		for _, start := range p.Starts {
			own.Placements = append(own.Placements, mig.Placement{Profile: len(own.Profiles), Start: start})
		}
		own.Profiles = append(own.Profiles, p)
		name, _, _ := strings.Cut(p.Name, ".")
		names = append(names, name)
	}
	return &own, names, nil
}

func compare(c *reference.Case) {
	x, ok := reference.Decode[instance](c)
	if !ok {
		return
	}
	d, names, err := device()
	if err != nil {
		c.Errorf("%v", err)
		return
	}
	if len(x.Least) != len(x.Online) {
		c.Errorf("%d least profiles, expected %d", len(x.Least), len(x.Online))
		return
	}
	var services []layout.Service
	for i, o := range x.Online {
		services = append(services, layout.Service{LoadPerS: o.Load, RatePerS: o.Rate, DeadlineS: o.DeadlineS,
			Target: o.Target, MiB: o.MiB})
		got, want := "none", "none"
		if p := layout.Least(d, &services[i]); p >= 0 {
			got = names[p]
		}
		if x.Least[i] != nil {
			want = *x.Least[i]
		}
		if got != want {
			c.Errorf("service %d is met by %s, there %s", i, got, want)
		}
	}
	groups, sum, met := layout.NewShapes(d).Serve(services, len(x.Offline), func(job, p int) float64 {
		o, a := &x.Offline[job], &d.Profiles[p]
		if int64(a.MiB) < o.MiB {
			return 0
		}
		return min(1, float64(a.Compute)/mig.ComputeSlices/o.Util)
	})
	switch {
	case met != (x.Optimum != nil):
		c.Errorf("all services are met: %v, there %v", met, x.Optimum != nil)
	case met:
		c.Near("the sum of speeds", sum, x.Optimum.Speed, within)
		for _, g := range groups {
			if int(g.A) < len(services) && !services[g.A].Met(&d.Profiles[g.Profile]) {
				c.Errorf("service %d is not met", g.A)
			}
		}
	}
}
