package entry

// Catalogues are the things over the simulator that a text can name. They are handed down as a
// value: nothing registers itself. The zero value has no name.
type Catalogues struct {
	// Policies are the schedulers of --policy, Traces the formats of --trace, Clusters the formats of
	// files of nodes for --cluster, Speeds the speed models of --speed, Predictors the predictors of
	// --predict.
	Policies   Policies
	Traces     Traces
	Clusters   Clusters
	Speeds     Speeds
	Predictors Predictors
	// Operators are the operators of services of --operator.
	Operators Operators
	// Layers are the layers of --layer. tarry ships none by name: its own have settings.
	Layers Layers
}
