package config

import (
	"encoding/json"
	"fmt"
	"slices"

	"tarry/sim/cluster"
	"tarry/sim/network"
	"tarry/sim/setting"
)

type resolvedCluster struct {
	Name     string             `json:"name"`
	Racks    []resolvedRack     `json:"racks"`
	Fabric   resolvedFabric     `json:"fabric"`
	GPUSpeed map[string]float64 `json:"gpu_speed"`
	// ModelSpeed is there when models have speeds of their own, by model and type.
	ModelSpeed map[string]map[string]float64 `json:"model_speed,omitempty"`
}

// resolvedRack is a run of equal racks.
type resolvedRack struct {
	Count    int                `json:"count"`
	Machines []cluster.Machines `json:"machines"`
}

type resolvedFabric struct {
	Convention string                  `json:"convention"`
	Scheme     string                  `json:"scheme"`
	EndpointNS float64                 `json:"endpoint_ns"`
	Links      map[string]resolvedLink `json:"links"`
	Schedule   network.Schedule        `json:"schedule"`
	Spines     network.Spines          `json:"spines,omitzero"`
	Domains    bool                    `json:"domains,omitzero"`
}

type resolvedLink struct {
	Kind      string  `json:"kind"`
	Algorithm string  `json:"algorithm"`
	GBps      float64 `json:"gb_per_s"`
	LatencyNS float64 `json:"latency_ns"`
}

// JSON is the configuration of one trial, resolved: what its numbers depend on and nothing else. It
// is of the i-th policy and a replicate.
func (s *Setup) JSON(policy, replicate int) string {
	return s.resolve(policy, replicate)
}

// BaseJSON is what all trials of the setup share: every field but policy and replicate.
func (s *Setup) BaseJSON() string { return s.resolve(-1, -1) }

// resolve writes the settings, and what they were resolved to: the cluster, files, the policy and
// replicate of a trial.
func (s *Setup) resolve(policy, replicate int) string {
	var out setting.Fields
	for _, r := range s.Config.Settings() {
		switch r.Key {
		case "cluster":
			out.Put("cluster", s.resolveCluster())
		case "policies":
			out.Put("files", s.sums())
			if policy >= 0 {
				spec := s.Config.policySpec(s.Config.Policies[policy])
				out.Put("policy", spec)
				if source := s.from.Policies.Source(spec); source != "" {
					out.Put("policy_source", source)
				}
			}
		case "predict":
			setting.Saved([]setting.Row{r}, out.Put)
			if s.choices != nil {
				out.Put("chosen", s.choicesOf(policy))
			}
		case "replicates":
			if replicate >= 0 {
				out.Put("replicate", replicate)
			}
			out.Put("replicates", s.resolveReplicates())
		default:
			setting.Saved([]setting.Row{r}, out.Put)
		}
		if r.Key == "faults" && s.StatedGPUs != 0 { // the load of a generated workload is not the cluster's
			out.Put("trace_gpus", s.StatedGPUs)
		}
	}
	data, err := json.Marshal(&out)
	if err != nil {
		panic(fmt.Sprintf("config: a validated configuration cannot be written: %v", err))
	}
	return string(data)
}

// resolveReplicates is the number of replicates where it decides the windows of a trace; else 0.
func (s *Setup) resolveReplicates() int {
	c := &s.Config
	if s.generated() || len(c.WindowStarts) > 0 || c.Cuts.Part != "" {
		return 0
	}
	return c.Replicates
}

func (s *Setup) resolveCluster() resolvedCluster {
	f := s.Cluster.Fabric
	r := resolvedCluster{Name: s.Cluster.Name, GPUSpeed: s.Cluster.Speeds, ModelSpeed: s.Cluster.ModelSpeeds,
		Fabric: resolvedFabric{Convention: f.Convention.String(), Scheme: f.Scheme.String(), EndpointNS: f.EndpointNS,
			Links: map[string]resolvedLink{}, Schedule: f.Schedule, Spines: f.Spines,
			Domains: f.Domains}}
	if r.GPUSpeed == nil {
		r.GPUSpeed = map[string]float64{}
	}
	for i, l := range f.Links {
		r.Fabric.Links[network.Level(i).String()] = resolvedLink{l.Kind.String(), l.Algorithm.String(), l.GBps,
			l.LatencyNS}
	}
	for _, rack := range s.Cluster.Spec.Racks {
		if n := len(r.Racks); n > 0 && slices.Equal(r.Racks[n-1].Machines, rack) {
			r.Racks[n-1].Count++
			continue
		}
		r.Racks = append(r.Racks, resolvedRack{1, rack})
	}
	return r
}
