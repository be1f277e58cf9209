package app

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/urfave/cli/v2"

	"tarry/traces"
	"tarry/traces/knowable"
	"tarry/traces/quality"
)

func (from program) traceInfoCommand() *cli.Command {
	return &cli.Command{
		Name:      "info",
		Usage:     "describe a workload: demands, run times, load, what a predictor can know, and what is doubtful",
		UsageText: "tarry trace info --cluster nvlink-512 --trace philly:philly.csv\ntarry trace info synth:demo",
		Flags: append(sourceFlags(),
			&cli.StringFlag{Name: "cluster", Usage: "also report the load on this cluster, and the jobs " +
				"that it can never hold: a `NAME`, RxMxG or a file (see tarry list clusters)"},
			&cli.StringFlag{Name: "format", Value: "table", Usage: "`FORMAT`: table or json"}),
		OnUsageError: onUsageError,
		Action: func(c *cli.Context) error {
			args, err := arguments(c, "trace")
			if err != nil {
				return err
			}
			top, err := from.clusterOf(c)
			if err != nil {
				return err
			}
			gpus := gpusOf(top)
			format := c.String("format")
			if format != "table" && format != "json" {
				return usageError{fmt.Errorf("--format: %q, expected table or json", format)}
			}
			w, report, err := from.openReported(c, args[0], traces.Options{GPUs: gpus})
			if err != nil {
				return err
			}
			info, found := traces.Info(w), qualityOf(w, report, top)
			if format == "table" {
				_, err = fmt.Fprint(c.App.Writer, info.Table(gpus), quality.Table(found))
				return err
			}
			return infoJSON(c, &info, gpus, found)
		},
	}
}

// infoJSON writes the statistics as one object; a load without a span is null.
func infoJSON(c *cli.Context, s *traces.Stats, gpus int, found []quality.Finding) error {
	type demand struct {
		GPUs     int32   `json:"gpus"`
		Jobs     int     `json:"jobs"`
		RunMeanS float64 `json:"run_mean_s"`
		Elastic  int     `json:"elastic,omitempty"`
		Least    int32   `json:"gpus_least,omitempty"`
		Most     int32   `json:"gpus_most,omitempty"`
	}
	type typed struct {
		Type     string  `json:"type"`
		Jobs     int     `json:"jobs"`
		WorkGPUH float64 `json:"work_gpu_h"`
	}
	out := struct {
		Name       string   `json:"name"`
		Jobs       int      `json:"jobs"`
		Users      int      `json:"users"`
		Groups     int      `json:"groups"`
		VCs        int      `json:"vcs"`
		Models     int      `json:"models"`
		SpanS      float64  `json:"span_s"`
		GPUsMean   float64  `json:"gpus_mean"`
		GPUsMax    int32    `json:"gpus_max"`
		RunMeanS   float64  `json:"run_mean_s"`
		RunP50S    float64  `json:"run_p50_s"`
		RunP90S    float64  `json:"run_p90_s"`
		RunP99S    float64  `json:"run_p99_s"`
		RunMaxS    float64  `json:"run_max_s"`
		WorkGPUH   float64  `json:"work_gpu_h"`
		Load       *float64 `json:"load"`
		Requests   int      `json:"requests"`
		RequestP50 *float64 `json:"request_over_run_p50"`
		Known      *known   `json:"known"`
		Drawn      string   `json:"drawn"`
		Demands    []demand `json:"demands"`
		Elastic    int      `json:"elastic,omitempty"`
		Workers    int      `json:"in_workers,omitempty"`
		GPUTypes   []typed  `json:"gpu_types,omitempty"`
		Recorded   int      `json:"log_jobs,omitempty"`
		Placed     int      `json:"log_machines_jobs,omitempty"`
		WaitMeanS  float64  `json:"log_queue_mean_s,omitempty"`

		Quality []quality.Finding `json:"quality"`
	}{s.Name, s.Jobs, s.Users, s.Groups, s.VCs, s.Models, s.SpanS, s.GPUsMean, s.GPUsMax, s.RunMeanS, s.RunP50S,
		s.RunP90S, s.RunP99S, s.RunMaxS, s.WorkGPUH, nil, s.Requests, nil, knownOf(&s.Known), s.Drawn, nil, s.Elastic,
		s.Workers, nil, s.Recorded, s.Placed, s.WaitMeanS, append([]quality.Finding{}, found...)}
	if s.Requests > 0 {
		out.RequestP50 = &s.RequestP50
	}
	if gpus > 0 {
		if load := s.Load(gpus); !math.IsInf(load, 0) && !math.IsNaN(load) {
			out.Load = &load
		}
	}
	for _, d := range s.Demands {
		out.Demands = append(out.Demands, demand(d))
	}
	for _, d := range s.GPUTypes {
		out.GPUTypes = append(out.GPUTypes, typed(d))
	}
	return json.NewEncoder(c.App.Writer).Encode(out)
}

// known is what a predictor can know of log run time: R2 and the spread left, by source.
type known struct {
	FitJobs  int         `json:"fit_jobs"`
	TestJobs int         `json:"test_jobs"`
	NewUsers float64     `json:"new_users_frac"`
	Spread   float64     `json:"log_run_spread"`
	Sources  []knownFrom `json:"sources"`
}

type knownFrom struct {
	Name   string  `json:"from"`
	R2     float64 `json:"r2"`
	Spread float64 `json:"log_run_spread_left"`
}

// knownOf is null for a workload that is too small for an estimate.
func knownOf(r *knowable.Report) *known {
	if len(r.Sources) == 0 {
		return nil
	}
	k := &known{FitJobs: r.Fit, TestJobs: r.Test, NewUsers: r.NewUsers, Spread: r.Spread}
	for _, s := range r.Sources {
		k.Sources = append(k.Sources, knownFrom(s))
	}
	return k
}
