package energyref

import (
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

func setup() reference.Setup {
	return reference.Setup{From: simulation.All(), Readers: []reference.Reader{Reader()}}
}

// Cases by hand, and each of their numbers wrong.
const (
	someBooks = `[{"machines": 1, "gpus": 2, "watts": {"off": 1, "boot": 100, "machine_idle": 50, "gpu_idle": 10,
		"gpu_p1": 20, "gpu_p3": 80}, "boot_s": 60, "until_s": 300, "intervals": [
		{"machine": 0, "start": 0, "end": 100, "state": "off"}, {"machine": 0, "start": 100, "end": 160, "state": "boot"},
		{"machine": 0, "start": 160, "end": 200, "state": "on", "busy_gpus": 1, "job": 0, "use": "1/2", "clock": "1/2"},
		{"machine": 0, "start": 200, "end": 300, "state": "on", "busy_gpus": 0}],
		"joules": {"off": "100", "boot": "6000", "machine_idle": "7000", "gpu_idle": "2400", "gpu_busy": "800"},
		"job_joules": {"0": "800"}, "total_j": "16300", "price_per_j_each_600s": [3], "cost": "48900"}]`
	someTimers = `[{"idle_w": 100, "off_w": 0, "cycle_j": 3000, "boot_s": 10, "gaps_s": [10, 50, 100],
		"break_even_s": "30", "best_j": "7000", "at_break_even": {"joules": "13000", "cycles": 2},
		"timers": [{"timer_s": 60, "joules": "15000", "cycles": 1, "delay_s": 10},
		{"timer_s": null, "joules": "16000", "cycles": 0, "delay_s": 0}]}]`
	someClocks = `[{"compute_part": "1/2", "work_s": 10, "p0": 30, "p1": 70, "p3": 80, "idle_after_w": 100, "rows": [
		{"clock": "1/2", "seconds": "15", "watts": "75", "joules": "1125", "joules_until_slowest_ends_idle": "1125"},
		{"clock": "1", "seconds": "10", "watts": "180", "joules": "1800", "joules_until_slowest_ends_idle": "2300"}],
		"least_energy_clock": "1/2", "least_with_idle_clock": "1/2"}]`
)

func TestCasesByHand(t *testing.T) {
	files := map[string]string{"books.json": someBooks, "timers.json": someTimers, "clocks.json": someClocks}
	const two = "mine: 2 of 3 agree, "
	reftest.Edits(t, setup(), files, map[string]reftest.Edit{
		"right":     {"books.json", "", "", "mine: 3 of 3 agree, worst ", ""},
		"a part":    {"books.json", "6000", "6001", two, "part 1 is 6000, there 6001"},
		"a job":     {"books.json", `"0": "800"`, `"0": "801"`, two, "job 0 is 800, there 801"},
		"jobs":      {"books.json", `"0": "800"`, `"1": "800"`, two, "job 0 has 400 J, there is none"},
		"a total":   {"books.json", "16300", "16301", two, "the total is 16300, there 16301"},
		"a cost":    {"books.json", "48900", "48901", two, "the cost is 489"},
		"a state":   {"books.json", `"off"},`, `"of"},`, two, "interval 0 is "},
		"a machine": {"books.json", `"machine": 0`, `"machine": 1`, two, "interval 0 is "},
		"more jobs": {"books.json", `"0": "800"`, `"0": "800", "1": "0"`, two, "1 jobs, there 2"},
		"machines":  {"books.json", `"machines": 1`, `"machines": 0`, two, ""},
		"an even":   {"timers.json", `"30"`, `"31"`, two, "break-even is 30, there 31"},
		"a best":    {"timers.json", `"7000"`, `"6000"`, two, "the least energy is 7000, there 6000"},
		"a timer":   {"timers.json", "15000", "15001", two, "timer 60 s: joules is 15000, there 15001"},
		"cycles":    {"timers.json", `"cycles": 1`, `"cycles": 2`, two, "timer 60 s: 1 boots, there 2"},
		"a delay":   {"timers.json", `"delay_s": 10`, `"delay_s": 11`, two, "timer 60 s: delay is 10, there 11"},
		"never":     {"timers.json", "16000", "16001", two, "no timer: joules is 16000, there 16001"},
		"at even":   {"timers.json", "13000", "13001", two, "timer 30 s: joules is 13000, there 13001"},
		"a time":    {"clocks.json", `"seconds": "10"`, `"seconds": "11"`, two, "clock 1: seconds is 10, there 11"},
		"watts":     {"clocks.json", `"180"`, `"181"`, two, "clock 1: watts is 180, there 181"},
		"joules":    {"clocks.json", `"1800"`, `"1801"`, two, "clock 1: joules is 1800, there 1801"},
		"later":     {"clocks.json", `"2300"`, `"2301"`, two, "clock 1: joules until the slowest ends is 2300"},
		"a least":   {"clocks.json", `"least_energy_clock": "1/2"`, `"least_energy_clock": "1"`, two, "least energy is 0.5"},
		"a list":    {"books.json", someBooks, "{}", "mine: could not be compared: books.json: ", ""},
	})
}

// Every case of the results at hand agrees, and the folder that has the name of these has a form.
func TestReference(t *testing.T) {
	reftest.References(t, setup(), "energy")
}
