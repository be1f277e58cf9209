package sleepref

import (
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

func setup() reference.Setup {
	return reference.Setup{From: simulation.All(), Readers: []reference.Reader{SeriesReader(), DaysReader()}}
}

// A day by hand: the machine is off from 15 s to 30 s and boots until 40 s.
const someDay = `[{"machines": 1, "gpus": 1, "boot_s": 10, "watts": {"off": 1, "boot": 20, "machine": 10,
	"gpu_idle": 2, "gpu_busy": 7}, "jobs": [{"submit": 0, "gpus": 1, "seconds": 10}, {"submit": 30, "gpus": 1,
	"seconds": 10}], "runs": [{"timer_s": 5, "jobs": [{"start": 0, "end": 10, "machine": 0}, {"start": 40, "end": 50,
	"machine": 0}], "joules": {"off": 15, "boot": 200, "idle_machine": 250, "idle_gpu": 10, "busy": 140},
	"total_j": 615, "boots": 1, "switched_off": 1, "until_s": 50, "mean_jct_s": "15"}]}]`

func TestDayByHand(t *testing.T) {
	files := map[string]string{"days.json": someDay}
	const none = "mine: 0 of 1 agree, "
	reftest.Edits(t, setup(), files, map[string]reftest.Edit{
		"right":   {"days.json", "", "", "mine: 1 of 1 agree, worst ", ""},
		"a start": {"days.json", `"start": 40`, `"start": 41`, none, "a start is 40, there 41"},
		"an end":  {"days.json", `"end": 50`, `"end": 51`, none, "an end is 50, there 51"},
		"boots":   {"days.json", `"boots": 1`, `"boots": 2`, none, "boots is 1, there 2"},
		"offs":    {"days.json", `"switched_off": 1`, `"switched_off": 2`, none, "switched_off is 1, there 2"},
		"joules":  {"days.json", `"idle_gpu": 10`, `"idle_gpu": 11`, none, "joules gpu is 10"},
		"a mean":  {"days.json", `"15"`, `"16"`, none, "mean_jct_s is 15, there 16"},
	})
}

// Steps by hand: at step 6 two machines lack and the buffer boots anew, at step 7 use has fallen.
const (
	someSeries = "time,total,active,forecast_x,on_x,lack_x\n0,10,5,5,6,0\n1,10,5,5,6,0\n2,10,5,5,6,0\n3,10,5,5,6,0\n" +
		"4,10,5,5,6,0\n5,10,5,5,6,0\n6,10,8,8,9,2\n7,10,5,5,6,0\n8,10,5,5,6,0\n"
	someParams = `{"params": {"history": 1, "future": 1, "his_threshold": 1, "fut_threshold": 0, "de_threshold": 1,
		"buffer": 1, "keep": 1, "first_steps": 6}}`
)

func TestSeriesByHand(t *testing.T) {
	files := map[string]string{seriesFile: someSeries, summaryFile: someParams}
	reftest.Edits(t, setup(), files, map[string]reftest.Edit{
		"right": {seriesFile, "", "", "mine: 9 of 9 agree, worst 0", ""},
		"on": {seriesFile, "7,10,5,5,6,0", "7,10,5,5,9,0", "mine: 8 of 9 agree, ",
			"x, step 7: 6 on and 0 lacking, there 9"},
		"lack":     {seriesFile, "8,8,9,2", "8,8,9,1", "mine: 8 of 9 agree, ", "9 on and 2 lacking, there 9 and 1"},
		"a keep":   {summaryFile, `"keep": 1`, `"keep": 2`, "mine: 7 of 9 agree, ", "step 7: 9 on"},
		"a column": {seriesFile, "lack_x", "lack_y", "mine: could not be compared: ", ""},
	})
}

// Every day and every step of the results at hand agrees.
func TestReference(t *testing.T) {
	reftest.References(t, setup(), "ces-philly", "power-timer-runs")
}
