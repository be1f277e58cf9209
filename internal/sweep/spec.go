package sweep

// Settings name values. In a spec a value is text, a bool, a number, a list ([]string or []any)
// or a mapping (Settings or map[string]any); resolved, it is text, []any or map[string]any.
type Settings map[string]any

// Spec is a sweep as a value: what a YAML file says and what a question's grid.go gives.
type Spec struct {
	// Name stands in the column experiment of every table: letters, digits, "-", "_" and ".";
	// required.
	Name string
	// Question says in words what is asked; "" = nothing.
	Question string
	// Kind is what a cell does: simulate or learn; required.
	Kind string
	// Base are the settings that all cells share. {axis} in a value stands for the axis's value.
	Base Settings
	// Axes are what cells differ in, the slowest first; none = one cell per seed.
	Axes []Axis
	// Seeds are the seeds of every combination, the fastest axis; nil = 1.
	Seeds []uint64
	// Budget bounds the sweep.
	Budget Budget
	// Engine is how the sweep is run if the command line says nothing.
	Engine Defaults

	where map[string]string // field ("base.trace", "axes[0].values") -> file:line, for errors
}

// Axis is one thing that cells differ in; exactly one of Values, Cases, Grid and Random is given.
// An axis named like a setting sets it ("policy", "costs.restore_s"); another one is a variable
// for {name} in settings.
type Axis struct {
	Name string
	// Values are texts.
	Values []string
	// Cases are named sets of settings that change together.
	Cases []Case
	// Grid and Random give numbers.
	Grid   *Grid
	Random *Random
}

// Case is one value of an axis that sets several settings.
type Case struct {
	// Name is the axis's value in the cell's id; Set replaces settings of the base.
	Name string
	Set  Settings
}

// Grid gives Steps numbers from From to To, both included, evenly spaced or, with Log, by a
// constant factor. Int rounds them to whole numbers.
type Grid struct {
	From, To float64
	Steps    int
	Log, Int bool
}

// Random draws Count numbers in [From, To), evenly or, with Log, evenly in their logarithm, from a
// stream of Seed and the axis's name. Int draws whole numbers in [From, To].
type Random struct {
	From, To float64
	Count    int
	Log, Int bool
	Seed     uint64
}

// Budget bounds a sweep; 0 = no bound.
type Budget struct {
	// Cells is the most cells that a sweep may have; more are an error.
	Cells int
	// Minutes is how long one call of the local or dir engine may start cells: when they are over,
	// cells under way end, the others wait for the next call, and the exit code is 75.
	Minutes float64
	// Retries is how often a cell that failed with code 1 is started again by the engine.
	Retries int
}

// Defaults say how a sweep is run.
type Defaults struct {
	// Name is an engine: local, dir, slurm, k8s or print; "" = local.
	Name string
	// Jobs is the number of cells at once, 0 = one per processor.
	Jobs int
	// Memory bounds what cells at once may take, "8G"; "" = what the machine has available.
	Memory string
	// Isolate runs every cell in a process of its own.
	Isolate bool
	// Options are for one engine alone (a partition, a time limit); their meaning is the engine's.
	Options map[string]string
}

// Cell is one settings map with a seed.
type Cell struct {
	// Index counts from 0 in the order of the axes; ID is the path of key=value folders, axes in
	// order and the seed last: "load=0.9/policy=dally/seed=1".
	Index int    `json:"index"`
	ID    string `json:"id"`
	Kind  string `json:"kind"`
	Seed  uint64 `json:"seed"`
	// ConfigSHA256 is the hash of kind and settings.
	ConfigSHA256 string `json:"config_sha256"`
	// Axes gives the value of each axis as text.
	Axes map[string]string `json:"axes"`
	// Settings are resolved: nothing is left to fill in.
	Settings Settings `json:"settings"`
}
