package heterogeneity

// types are the types of GPUs of Gavel's clusters, the fastest first; speeds are relative to it.
func types() []string { return []string{"V100", "P100", "K80"} }

// modelNames are drawn equally often; they stand in order of the compute time of an iteration on a
// V100 in tarry's catalogue, the shortest first.
func modelNames() []string {
	return []string{"lstm", "mobilenetv3-large", "resnet18", "transformer", "resnet50", "gpt2", "bert-large", "vgg16"}
}
