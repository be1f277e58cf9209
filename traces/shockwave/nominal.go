package shockwave

// nominal is the time of a step on one V100 in microseconds: 1e6 over the steps per second that
// Shockwave's authors measured (github.com/uw-mad-dash/shockwave, MIT licence,
// scheduler/tacc_throughputs.json), rounded.
func nominal() map[string]int64 {
	return map[string]int64{
		"LM (batch size 10)":               10_536,
		"LM (batch size 20)":               14_694,
		"LM (batch size 40)":               21_357,
		"LM (batch size 5)":                7_472,
		"LM (batch size 80)":               46_055,
		"Recommendation (batch size 1024)": 9_318,
		"Recommendation (batch size 2048)": 16_874,
		"Recommendation (batch size 4096)": 39_888,
		"Recommendation (batch size 512)":  5_905,
		"Recommendation (batch size 8192)": 85_972,
		"ResNet-18 (batch size 128)":       84_923,
		"ResNet-18 (batch size 16)":        17_336,
		"ResNet-18 (batch size 256)":       158_240,
		"ResNet-18 (batch size 32)":        23_269,
		"ResNet-18 (batch size 64)":        46_656,
		"ResNet-50 (batch size 128)":       625_825,
		"ResNet-50 (batch size 16)":        94_364,
		"ResNet-50 (batch size 32)":        169_510,
		"ResNet-50 (batch size 64)":        321_747,
		"Transformer (batch size 128)":     869_171,
		"Transformer (batch size 16)":      114_776,
		"Transformer (batch size 32)":      220_696,
		"Transformer (batch size 64)":      481_826,
	}
}
