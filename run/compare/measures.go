package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/internal/stats"
	"tarry/run/printed"
	"tarry/run/trial"
)

// Measured is a number of the table measures about all jobs of a trial, as a column.
type Measured struct {
	// Name is the measure's, Help states what it is, Head stands above it in the printed table;
	// "" = it is in JSON and CSV alone.
	Name, Help, Head string
}

// Measures lists the columns in their order. A row has the columns for which some trial has a
// number.
func Measures() []Measured { return slices.Concat(jobMeasures(), policyMeasures()) }

// jobMeasures are of jobs and tenants.
func jobMeasures() []Measured {
	return []Measured{
		{"deadline_jobs", "jobs with a deadline that came; with deadlines", ""},
		{"deadline_met", "  of them done by then", ""},
		{"deadline_missed", "  done later, or not done when the run ended after it", ""},
		{"deadline_rejected", "  turned away by the policy", ""},
		{"satisfied_frac", "deadlines met / jobs with a deadline that is decided", "met %"},
		{"satisfied_admitted_frac", "deadlines met / deadlines of jobs that were not turned away", "of admitted %"},
		{"lateness_mean_s", "end - deadline of finished jobs: mean", ""},
		{"lateness_p95_s", "  95th percentile", ""},
		{"lateness_max_s", "  greatest", ""},
		{"tardiness_mean_s", "max(0, end - deadline) of finished jobs: mean", "tardiness mean"},
		{"best_effort_jct_mean_s", "completion time of finished jobs without a deadline: mean", ""},
		{"tenants", "tenants; with --tenants", ""},
		{"gpu_time_jain", "Jain's index over the tenants' GPU-time", "GPU-time Jain"},
		{"ftf_mean", "finish-time fairness of finished jobs: mean", "ftf mean"},
		{"ftf_max", "  greatest", "ftf max"},
		{"sharing_incentive_frac", "finished jobs whose finish-time fairness is at most 1", "ftf <= 1 %"},
		{"ftf_jain", "Jain's index over the tenants' mean finish-time fairness", ""},
		{"anomaly_frac", "finished jobs that wait longer than in a private cluster of their virtual cluster's " +
			"quota; with --quotas and --tenants vc", "later than alone %"},
		{"excess_queue_mean_s", "max(0, wait - wait in the private cluster): mean", "excess wait mean"},
		{"excess_queue_max_s", "  greatest", ""},
		{"saved_queue_mean_s", "max(0, wait in the private cluster - wait): mean", "saved wait mean"},
		{"private_queue_mean_s", "wait in the private cluster: mean", ""},
		{"private_unfit_jobs", "jobs that are larger than the private cluster", ""},
		{"delay_wait_mean_s", "time without GPUs while enough were free, of finished jobs: mean", "delay wait"},
		{"delay_wait_machine_mean_s", "  of jobs that fit on a machine", ""},
		{"delay_wait_rack_mean_s", "  of jobs that fit in a rack, and on no machine", ""},
		{"delay_offers_mean", "  stretches of that time: mean", ""},
		{"elastic_jobs", "elastic jobs; where jobs are elastic", ""},
		{"resized_jobs", "  of them resized at least once", ""},
		{"resizes", "changes of the number of GPUs of running jobs", "resizes"},
		{"resizes_up", "  to more GPUs", ""},
		{"resizes_down", "  to fewer", ""},
		{"gpus_held_over_asked", "GPU-time that elastic jobs held over the GPU-time that they ask for", ""},
		{"marks", "marks at which a job's speed changed; where speeds depend on progress or batches change", ""},
		{"batch_over_own", "mean batch while running over the jobs' own, by GPU-time", "batch x own"},
		{"killed_jobs", "jobs of which preemptions undid work; with costs.kill", ""},
		{"killed_mean_s", "running time that they undid, of finished jobs: mean", "killed mean"},
		{"killed_gpu_s", "  GPU-seconds, of all jobs", ""},
		{"out_of_memory", "times that a job ran out of GPU memory; where the cluster states memory", "out of memory"},
	}
}

// policyMeasures are of energy, and of policies of their own.
func policyMeasures() []Measured {
	return []Measured{
		{"energy_kwh", "energy of the machines; with power", "kWh"},
		{"energy_idle_kwh", "  of it machines that are on and their GPUs, as without use", ""},
		{"energy_busy_kwh", "  what the use of GPUs adds", ""},
		{"energy_boot_kwh", "  boots", ""},
		{"energy_off_kwh", "  machines that are off", ""},
		{"energy_cost", "energy at its price; with kwh_price", "cost"},
		{"carbon_kg", "carbon of the energy; with carbon", "carbon kg"},
		{"energy_delay_kwh_s", "energy x mean completion time of finished jobs", ""},
		{"power_mean_w", "power until the end of the run: mean", ""},
		{"power_max_w", "  greatest", ""},
		{"over_cap_s", "time with more than the cap; with power_cap", "over cap"},
		{"boots", "boots of machines", "boots"},
		{"boot_wait_mean_s", "time for which finished jobs wait while machines boot on which they run: mean",
			"boot wait"},
		{"slo_attained_frac", "requests that are answered in time, of all; with services", "attained %"},
		{"good_per_s", "  of them a second", ""},
		{"slo_bad_s", "time in which a smaller part than the target is answered in time, of each service", ""},
		{"overloaded_s", "time with more load than capacity, of each service", ""},
		{"latency_mean_s", "time from a request to its answer, in seconds: mean", ""},
		{"latency_p50_s", "  median", ""},
		{"latency_p95_s", "  95th percentile", "latency p95, s"},
		{"latency_p99_s", "  99th percentile", ""},
		{"replica_gpu_s", "GPU-seconds that replicas hold", ""},
		{"harvested_gpu_s", "GPU-seconds that jobs hold beside replicas, by share", ""},
		{"lent_gpu_s", "GPU-seconds for which machines of services are lent; with an operator that lends", ""},
		{"lent_used_gpu_s", "  GPU-seconds of them that jobs hold", ""},
		{"reclaims", "machines that are taken back", "reclaims"},
		{"preempted_by_reclaim", "jobs that are stopped for that", "stopped by reclaims"},
		{"late_returns_gpu_s", "GPU-seconds that jobs hold after that, by checkpoints", ""},
		{"ces_asleep_frac", "machine-time asleep; with sleep and qssf-ces", ""},
		{"ces_asleep_node_s", "  in machine-seconds", ""},
		{"ces_nodes_used_frac", "machine-time with a job, of all", ""},
		{"ces_nodes_used_of_awake_frac", "  of that awake", "used of awake %"},
		{"ces_wake_ups_per_day", "times a day that machines are woken", "wake-ups/day"},
		{"ces_woken_nodes_mean", "  machines each time: mean", ""},
		{"ces_smape_fitted_pct", "error of the fitted forecast of machines in use (SMAPE, %)", ""},
		{"ces_smape_last_pct", "  of the last value", ""},
		{"ces_smape_day_pct", "  of that a day before", ""},
		{"ces_rmse_fitted_nodes", "root mean square of the fitted forecast's error", ""},
		{"ces_rmse_last_nodes", "  of the last value's", ""},
		{"ces_rmse_day_nodes", "  of that a day before", ""},
		{"log_jobs", "jobs that start as a trace records; of recorded", ""},
		{"log_queue_mean_s", "  their wait in the trace: mean", "queue in the log"},
		{"log_late_jobs", "  of them later than there, as their machines have no room", "later than log"},
		{"log_late_mean_s", "  how much later, over all: mean", ""},
		{"log_late_max_s", "  greatest", ""},
		{"log_elsewhere_jobs", "  of them on other machines, as the cluster does not have theirs", ""},
		{"accum_steps_mean", "mean micro-batches per update while running, where they are set, by GPU-time", ""},
	}
}

// MeasuresOf gives the means over a policy's runs of what any of all trials has, in the order of
// Measures: the cells of each policy have the same names. Runs that do not have a number do not
// count.
func MeasuresOf(runs, all []*trial.Result) []Cell {
	var out []Cell
	for _, m := range Measures() {
		if !slices.ContainsFunc(all, func(r *trial.Result) bool { _, ok := measureOf(r, m.Name); return ok }) {
			continue
		}
		x := make([]float64, 0, len(runs))
		for _, r := range runs {
			if v, ok := measureOf(r, m.Name); ok && !math.IsNaN(v) {
				x = append(x, v)
			}
		}
		out = append(out, Cell{Name: m.Name, Number: stats.Mean(x)})
	}
	return out
}

// Paired is the difference of a measure from the first policy's, in pairs of runs.
type Paired struct {
	// Name is the measure's, Head stands above the difference in the printed table.
	Name, Head string
	stats.Interval
}

// PairedOf gives the differences of energy, its cost and its carbon, and of what services attain, where
// the run states them: of each
// of so many units, which runs follow one after the other, seeds together. The first policy has NaN.
func PairedOf(runs, first []*trial.Result, units int) ([]Paired, error) {
	var out []Paired
	for _, m := range [...]Paired{{Name: "slo_attained_frac", Head: "attained % - first"},
		{Name: "energy_kwh", Head: "kWh - first"}, {Name: "energy_cost", Head: "cost - first"},
		{Name: "carbon_kg", Head: "carbon kg - first"}} {
		if _, ok := measureOf(first[0], m.Name); !ok {
			continue
		}
		c, err := stats.Paired(perUnit(runs, m.Name, units), perUnit(first, m.Name, units))
		if err != nil {
			return nil, err
		}
		if m.Interval = c.Diff; &runs[0] == &first[0] {
			nan := math.NaN()
			m.Interval = stats.Interval{Point: nan, Lo: nan, Hi: nan}
		}
		out = append(out, m)
	}
	return out, nil
}

// perUnit gives the mean of a measure over the seeds of each unit.
func perUnit(runs []*trial.Result, name string, units int) []float64 {
	out := make([]float64, units)
	for i, r := range runs {
		v, _ := measureOf(r, name)
		out[i%units] += v * float64(units) / float64(len(runs))
	}
	return out
}

// Cells lists the difference and its interval.
func (p *Paired) Cells() []Cell {
	return []Cell{{Name: p.Name + "_diff", Number: p.Point}, {Name: p.Name + "_diff_lo", Number: p.Lo},
		{Name: p.Name + "_diff_hi", Number: p.Hi}}
}

// Text is "-1.2 [-2.0, -0.4]", "-" for the first policy.
func (p *Paired) Text() string {
	unit := 1.0
	if strings.HasSuffix(p.Name, "_frac") {
		unit = 100
	}
	switch {
	case math.IsNaN(p.Point):
		return "-"
	case math.IsNaN(p.Lo):
		return amount(unit * p.Point)
	}
	return fmt.Sprintf("%s [%s, %s]", amount(unit*p.Point), amount(unit*p.Lo), amount(unit*p.Hi))
}

// measureOf is a measure of all jobs of a trial.
func measureOf(r *trial.Result, name string) (float64, bool) {
	for i := range r.Measures {
		if m := &r.Measures[i]; m.Of == "" && m.Name == name {
			return m.Value, true
		}
	}
	return math.NaN(), false
}

// AddMeasured adds the cells that the printed table has, rounded.
func AddMeasured(g *printed.Grid, cells []Cell, unit printed.Unit) {
	for _, c := range cells {
		if head := headOf(c.Name); head != "" {
			g.Add(c.Name, head, Rounded(c.Name, c.Number, unit))
		}
	}
}

func headOf(name string) string {
	all := Measures()
	return all[slices.IndexFunc(all, func(m Measured) bool { return m.Name == name })].Head
}
