package app

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/urfave/cli/v2"

	"tarry/sim/preset"
	"tarry/traces"
)

func (from program) traceInfoCommand() *cli.Command {
	return &cli.Command{
		Name:      "info",
		Usage:     "describe a workload: demands, run times, load",
		UsageText: "tarry trace info --cluster nvlink-512 --trace philly:philly.csv\ntarry trace info synth:demo",
		Flags: append(sourceFlags(),
			&cli.StringFlag{Name: "cluster", Usage: "also tell the load on this cluster: `RxMxG` or a preset's name"},
			&cli.StringFlag{Name: "format", Value: "table", Usage: "`FORMAT`: table or json"}),
		OnUsageError: onUsageError,
		Action: func(c *cli.Context) error {
			args, err := arguments(c, "trace")
			if err != nil {
				return err
			}
			gpus := 0
			if name := c.String("cluster"); name != "" {
				p, err := preset.Lookup(name)
				if err != nil {
					return usageError{fmt.Errorf("--cluster: %w", err)}
				}
				for _, rack := range p.Spec.Racks {
					for _, m := range rack {
						gpus += m.Count * m.GPUs
					}
				}
			}
			format := c.String("format")
			if format != "table" && format != "json" {
				return usageError{fmt.Errorf("--format: %q, expected table or json", format)}
			}
			w, err := from.openTrace(c, args[0], gpus)
			if err != nil {
				return err
			}
			info := traces.Info(w)
			if format == "table" {
				_, err = fmt.Fprint(c.App.Writer, info.Table(gpus))
				return err
			}
			return infoJSON(c, &info, gpus)
		},
	}
}

// infoJSON writes the statistics as one object; a load without a span is null.
func infoJSON(c *cli.Context, s *traces.Stats, gpus int) error {
	type demand struct {
		GPUs     int32   `json:"gpus"`
		Jobs     int     `json:"jobs"`
		RunMeanS float64 `json:"run_mean_s"`
	}
	out := struct {
		Name     string   `json:"name"`
		Jobs     int      `json:"jobs"`
		Users    int      `json:"users"`
		VCs      int      `json:"vcs"`
		Models   int      `json:"models"`
		SpanS    float64  `json:"span_s"`
		GPUsMean float64  `json:"gpus_mean"`
		GPUsMax  int32    `json:"gpus_max"`
		RunMeanS float64  `json:"run_mean_s"`
		RunP50S  float64  `json:"run_p50_s"`
		RunP90S  float64  `json:"run_p90_s"`
		RunP99S  float64  `json:"run_p99_s"`
		RunMaxS  float64  `json:"run_max_s"`
		WorkGPUH float64  `json:"work_gpu_h"`
		Load     *float64 `json:"load"`
		Drawn    string   `json:"drawn"`
		Demands  []demand `json:"demands"`
	}{s.Name, s.Jobs, s.Users, s.VCs, s.Models, s.SpanS, s.GPUsMean, s.GPUsMax, s.RunMeanS, s.RunP50S, s.RunP90S, s.RunP99S, s.RunMaxS, s.WorkGPUH, nil, s.Drawn, nil}
	if gpus > 0 {
		if load := s.Load(gpus); !math.IsInf(load, 0) && !math.IsNaN(load) {
			out.Load = &load
		}
	}
	for _, d := range s.Demands {
		out.Demands = append(out.Demands, demand(d))
	}
	return json.NewEncoder(c.App.Writer).Encode(out)
}
