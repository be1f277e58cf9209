package gavel

// nominal is the time of a step on one V100 in microseconds: 1e6 over the steps per second that
// Gavel's authors measured (github.com/stanford-futuredata/gavel, MIT licence,
// scheduler/simulation_throughputs.json), rounded.
func nominal() map[string]int64 {
	return map[string]int64{
		"A3C":                              139_358,
		"CycleGAN":                         225_933,
		"LM (batch size 10)":               12_247,
		"LM (batch size 20)":               15_446,
		"LM (batch size 40)":               22_106,
		"LM (batch size 5)":                9_160,
		"LM (batch size 80)":               35_411,
		"Recommendation (batch size 1024)": 75_287,
		"Recommendation (batch size 2048)": 133_875,
		"Recommendation (batch size 4096)": 256_013,
		"Recommendation (batch size 512)":  42_886,
		"Recommendation (batch size 8192)": 351_926,
		"ResNet-18 (batch size 128)":       55_571,
		"ResNet-18 (batch size 16)":        30_909,
		"ResNet-18 (batch size 256)":       97_085,
		"ResNet-18 (batch size 32)":        33_392,
		"ResNet-18 (batch size 64)":        41_505,
		"ResNet-50 (batch size 128)":       400_518,
		"ResNet-50 (batch size 16)":        87_749,
		"ResNet-50 (batch size 32)":        128_415,
		"ResNet-50 (batch size 64)":        227_543,
		"Transformer (batch size 128)":     183_617,
		"Transformer (batch size 16)":      90_383,
		"Transformer (batch size 256)":     626_904,
		"Transformer (batch size 32)":      94_154,
		"Transformer (batch size 64)":      116_039,
	}
}
