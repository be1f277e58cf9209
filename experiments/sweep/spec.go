package sweep

import "tarry/sim/param"

// Spec is a sweep as a value: what a YAML file states and what a question's grid.go gives.
type Spec struct {
	// Name stands in the column experiment of every table: letters, digits, "-", "_" and ".";
	// required.
	Name string `json:"name"`
	// Question states in words what is asked; "" = nothing.
	Question string `json:"question"`
	// Kind is what a cell does: simulate, learn or tune; required.
	Kind string `json:"kind"`
	// Base are the settings that all cells share. {axis} in a value stands for the axis's value.
	Base Settings `json:"base"`
	// Axes are what cells differ in, the slowest first; none = one cell per seed.
	Axes []Axis `json:"axes"`
	// Seeds are the seeds of every combination, the fastest axis; nil = 1.
	Seeds []uint64 `json:"seeds"`
	// Budget bounds the sweep.
	Budget Budget `json:"budget"`
	// Engine is how the sweep is run if the command line states nothing.
	Engine Defaults `json:"engine"`

	// labels are the labels that the file gives policies, by what is left of them.
	labels map[string]string
	where  map[string]string // field ("base.trace", "axes[0].values") -> file:line, for errors
}

// Axis is one thing that cells differ in; exactly one of Values, Cases, Grid, Random and Optimise
// is given. An axis named like a setting sets it ("policy", "costs.restore_s"); another one is a
// variable for {name} in settings.
type Axis struct {
	Name string `json:"name"`
	// Values are texts.
	Values []string `json:"values,omitempty"`
	// Cases are named sets of settings that change together.
	Cases []Case `json:"cases,omitempty"`
	// Grid and Random give numbers.
	Grid   *Grid   `json:"grid,omitempty"`
	Random *Random `json:"random,omitempty"`
	// Optimise makes the axis a parameter that every cell of kind tune looks for itself: cells do
	// not differ in it, and it is on no id. The axis is called like the parameter of the policy.
	// LO:HI, LO:HI:log, LO:HI:int, LO:HI:logint or A|B|C, as tarry tune --param takes it after the
	// name.
	Optimise string `json:"optimise,omitempty"`
}

// Case is one value of an axis that sets several settings.
type Case struct {
	// Name is the axis's value in the cell's id; Set replaces settings of the base.
	Name string   `json:"name"`
	Set  Settings `json:"set"`
}

// Grid gives Steps numbers from From to To, both included, evenly spaced or, with Log, by a
// constant factor. Int rounds them to whole numbers.
type Grid struct {
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	Steps int     `json:"steps"`
	Log   bool    `json:"log"`
	Int   bool    `json:"int"`
}

// Random draws Count numbers in [From, To), evenly or, with Log, evenly in their logarithm, from a
// stream of Seed and the axis's name. Int draws whole numbers in [From, To].
type Random struct {
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	Count int     `json:"count"`
	Log   bool    `json:"log"`
	Int   bool    `json:"int"`
	Seed  uint64  `json:"seed"`
}

// Budget bounds a sweep; 0 = no bound.
type Budget struct {
	// Cells is the most cells that a sweep may have; more are an error.
	Cells int `json:"cells"`
	// Minutes is how long one call of the local or dir engine may start cells: when they are over,
	// cells under way end, the others wait for the next call, and the exit code is 75.
	Minutes float64 `json:"minutes"`
	// Retries is how often a cell that failed with code 1 is started again by itself.
	Retries int `json:"retries"`
}

// Defaults set how a sweep is run.
type Defaults struct {
	// Name is an engine: local, dir, slurm, k8s or print; "" = local.
	Name string `json:"name"`
	// Jobs is the number of cells at once, 0 = one per processor.
	Jobs int `json:"jobs"`
	// Memory bounds what cells at once may take, "8G"; "" = what the machine has available.
	Memory string `json:"memory"`
	// Isolate runs every cell in a process of its own.
	Isolate bool `json:"isolate"`
	// Options are for one engine alone (a partition, a time limit); their meaning is the engine's.
	Options map[string]string `json:"options,omitempty"`
	// Places are where the options were written; nil in a sweep that was planned before.
	Places map[string]param.Place `json:"-"`
}
