package config

import (
	"encoding/json"
	"fmt"

	"tarry/env/scenario"
	"tarry/sim/cluster"
	"tarry/sim/interference"
	"tarry/sim/network"
	"tarry/sim/outage"
	"tarry/traces/deadline"
)

// resolved is the JSON form of a trial's configuration: what its numbers depend on and nothing else.
type resolved struct {
	Trace   string          `json:"trace"`
	Strict  bool            `json:"strict"`
	MaxJobs int             `json:"max_jobs"`
	Models  string          `json:"models"`
	Cluster resolvedCluster `json:"cluster"`
	Speed   string          `json:"speed"`
	// GPUMiB is there when the scenario gives the GPUs memory.
	GPUMiB int64 `json:"gpu_mem_mib,omitempty"`
	// Variability is there when GPUs of one type differ.
	Variability string `json:"variability,omitempty"`
	// Efficiency is there when samples of larger batches are worth less.
	Efficiency string `json:"efficiency,omitempty"`
	// Interference is there when jobs on one GPU slow one another down by a law.
	Interference string `json:"interference,omitempty"`
	// Hosts is there when speeds follow CPU and memory.
	Hosts string `json:"hosts,omitempty"`
	// GPUProfile is there when jobs get memory and busy part of a GPU by model.
	GPUProfile string `json:"gpu_profile,omitempty"`
	// Elastic is there when a rule says which jobs are elastic.
	Elastic string `json:"elastic,omitempty"`
	// Quotas is there when virtual clusters own parts of the cluster, Priorities when a law gives priorities.
	Quotas     string `json:"quotas,omitempty"`
	Priorities string `json:"priorities,omitempty"`
	// Deadlines is there when a law gives deadlines, or takes those of the trace away; Tenants when fairness is measured.
	Deadlines string             `json:"deadlines,omitempty"`
	Tenants   string             `json:"tenants,omitempty"`
	Files     []scenario.FileSum `json:"files"`
	Policy    string             `json:"policy,omitempty"`
	Placement string             `json:"placement"`
	Costs     map[string]float64 `json:"costs"`
	// CostTable is there when costs are of a table.
	CostTable string `json:"cost_table,omitempty"`
	Preset    string `json:"preset"`
	Chunk     int64  `json:"chunk_iterations"`
	// MarkEveryS is there when marks are on a grid.
	MarkEveryS    float64 `json:"mark_every_s,omitempty"`
	Seed          uint64  `json:"seed"`
	Replicate     *int    `json:"replicate,omitempty"`
	Replicates    int     `json:"replicates"`
	WindowStarts  []int   `json:"window_starts,omitempty"`
	WindowJobs    int     `json:"window_jobs,omitempty"`
	UntilS        float64 `json:"until_s"`
	EstimateError float64 `json:"estimate_error"`
	History       string  `json:"history"`
	// Predict is there when the run has a predictor.
	Predict string        `json:"predict,omitempty"`
	Faults  outage.Faults `json:"faults"`
	// StatedGPUs is there when the load of a generated workload is not that of the cluster.
	StatedGPUs int `json:"trace_gpus,omitempty"`
	// Windows is there when replicates are windows of a part.
	Windows *resolvedWindows `json:"windows,omitempty"`
}

// resolvedWindows are the cuts of windows.
type resolvedWindows struct {
	Part      string     `json:"part"`
	Workload  string     `json:"workload"`
	Load      float64    `json:"load"`
	Windows   int        `json:"windows"`
	DataSeed  uint64     `json:"data_seed"`
	Shares    [3]float64 `json:"shares"`
	Gap       float64    `json:"gap"`
	Rate      float64    `json:"rate"`
	Thin      int        `json:"thin"`
	BatchJobs int        `json:"batch_jobs"`
	Copies    int        `json:"copies"`
	LeaseS    float64    `json:"lease_s"`
	Warm      float64    `json:"warm"`
	Horizon   float64    `json:"horizon"`
}

func newWindows(c *scenario.Cuts) *resolvedWindows {
	return &resolvedWindows{string(c.Part), c.Workload, c.Load, c.Windows, c.DataSeed, c.Shares, c.Gap, c.Rate, c.Thin, c.BatchJobs, c.Copies,
		c.LeaseS, c.Warm, c.Horizon}
}

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
}

type resolvedLink struct {
	Kind      string  `json:"kind"`
	Algorithm string  `json:"algorithm"`
	GBps      float64 `json:"gb_per_s"`
	LatencyNS float64 `json:"latency_ns"`
}

// JSON is the configuration of one trial, resolved: the i-th policy and a replicate.
func (s *Setup) JSON(policy, replicate int) string {
	r := s.resolve()
	r.Policy, r.Replicate = s.Config.policySpec(s.Config.Policies[policy]), &replicate
	return encode(r)
}

// BaseJSON is what all trials of the setup share: every field but policy and replicate.
func (s *Setup) BaseJSON() string { return encode(s.resolve()) }

func encode(r resolved) string {
	data, err := json.Marshal(r)
	if err != nil {
		panic(fmt.Sprintf("config: a validated configuration cannot be written: %v", err))
	}
	return string(data)
}

func (s *Setup) resolve() resolved {
	c := &s.Config
	r := resolved{Trace: c.Trace, Strict: c.Strict, MaxJobs: c.MaxJobs, Models: c.Models, Cluster: s.resolveCluster(), Speed: c.Speed, Variability: c.Variability, Efficiency: c.Efficiency, Interference: orNone(c.Interference), Hosts: orNone(c.Hosts), GPUProfile: orNone(c.GPUProfile), Elastic: c.Elastic, Quotas: orNone(c.Quotas), Priorities: orNone(c.Priorities), Deadlines: lawText(c.Deadlines), Tenants: c.Tenants,
		Files: s.sums(), Placement: c.Placement, Costs: scenario.CostMap(c.Costs), CostTable: c.CostTable, Preset: c.Preset, Chunk: c.ChunkIterations, MarkEveryS: c.MarkEveryS, GPUMiB: c.GPUMiB, Seed: c.Seed, UntilS: c.UntilS,
		EstimateError: c.EstimateError, History: c.History, Predict: c.Predict, Faults: c.Faults, StatedGPUs: s.StatedGPUs}
	if !s.generated() {
		r.Replicates = c.Replicates // it decides the windows
	}
	if len(c.WindowStarts) > 0 {
		r.WindowStarts, r.WindowJobs, r.Replicates = c.WindowStarts, c.WindowJobs, 0
	}
	if c.Cuts.Part != "" {
		r.Windows = newWindows(&c.Cuts)
		r.Replicates = 0
	}
	return r
}

// lawText is a law of deadlines in one spelling.
func lawText(text string) string {
	if l, err := deadline.Parse(text); err == nil && l != nil {
		return l.String()
	}
	return ""
}

// orNone is a setting, "" for none however it is written.
func orNone(text string) string {
	if text == interference.None {
		return ""
	}
	return text
}

func (s *Setup) resolveCluster() resolvedCluster {
	f := s.Cluster.Fabric
	r := resolvedCluster{Name: s.Cluster.Name, GPUSpeed: s.Cluster.Speeds, ModelSpeed: s.Cluster.ModelSpeeds,
		Fabric: resolvedFabric{Convention: f.Convention.String(), Scheme: f.Scheme.String(), EndpointNS: f.EndpointNS,
			Links: map[string]resolvedLink{}, Schedule: f.Schedule}}
	if r.GPUSpeed == nil {
		r.GPUSpeed = map[string]float64{}
	}
	for i, l := range f.Links {
		r.Fabric.Links[network.Level(i).String()] = resolvedLink{l.Kind.String(), l.Algorithm.String(), l.GBps, l.LatencyNS}
	}
	for _, rack := range s.Cluster.Spec.Racks {
		if n := len(r.Racks); n > 0 && sameMachines(r.Racks[n-1].Machines, rack) {
			r.Racks[n-1].Count++
			continue
		}
		r.Racks = append(r.Racks, resolvedRack{1, rack})
	}
	return r
}

func sameMachines(a, b []cluster.Machines) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
