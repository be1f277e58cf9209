package env

// Spec describes an environment. It survives JSON: what is read back equals what was written.
type Spec struct {
	// ID names it, "namespace/Name-vN"; the version rises whenever results change.
	ID string `json:"id"`
	// Options are the settings it was made with, "key=value,..."; "" = all as documented.
	Options string `json:"options,omitempty"`
	// Observation and Action are its spaces.
	Observation Space `json:"observation"`
	Action      Space `json:"action"`
	// Masked: Info.Mask says which actions are legal.
	Masked bool `json:"masked,omitempty"`
	// Metrics names the entries of Info.Metrics.
	Metrics []string `json:"metrics,omitempty"`
	// MaxSteps is after how many actions an episode is truncated; 0 = never.
	MaxSteps int `json:"max_steps,omitempty"`
	// RewardThreshold is the mean return from which it counts as solved; 0 = none is stated.
	RewardThreshold float64 `json:"reward_threshold,omitempty"`
	// Wrappers are the layers around it, innermost first, each with its settings.
	Wrappers []string `json:"wrappers,omitempty"`
}
