package train

// Chosen is a scheduler that a run of tarry tune chose, with what it was chosen on. It stands
// beside Trained: evaluate measures either.
type Chosen struct {
	// Env is the environment whose windows the run simulated, ID:key=value,...
	Env string
	// Optimiser proposed the settings, with Seed.
	Optimiser string
	Seed      uint64
	// Policy is NAME:key=value,... of the scheduler.
	Policy string
	// Base is the scheduler that was tuned, with the settings that were not searched.
	Base string
	// SHA256 is the hash of what the run left.
	SHA256 string
	// Seen is what the run saw of jobs, as training leaves it; it holds no agent.
	Seen *Trained
}
