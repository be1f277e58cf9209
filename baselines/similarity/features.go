package similarity

import (
	"math"
	"strconv"
	"strings"

	"tarry/internal/fixmath"
	"tarry/sim/models"
)

// features describe a model.
type features struct {
	base  string // its name without the batch size
	known bool   // whether there is a profile
	// logs are natural logarithms of layers, gradient bytes, compute nanoseconds and batch.
	logs [4]float64
}

// alias names the profiles that stand for models of other names: Gavel's traces' models.
func alias(base string) string {
	switch strings.ToLower(base) {
	case "lm":
		return "lstm"
	case "recommendation":
		return "dlrm"
	}
	return base
}

// featuresOf reads a model's name, such as ResNet-50 or ResNet-50 (batch size 64), and its profile.
func featuresOf(set *models.Set, name string) features {
	base, batch := name, 0
	if at := strings.Index(name, " (batch size "); at >= 0 {
		base = name[:at]
		batch, _ = strconv.Atoi(strings.TrimSuffix(name[at+len(" (batch size "):], ")"))
	}
	f := features{base: base}
	p, err := set.Lookup(alias(base))
	if err != nil || base == "" {
		f.logs[3] = log(float64(batch))
		return f
	}
	if f.known = true; batch == 0 {
		batch = p.Batch
	}
	f.logs = [4]float64{log(float64(len(p.Layers))), log(float64(p.Bytes())), log(p.ComputeNS()), log(float64(batch))}
	return f
}

// log is ln(1 + x), for x >= 0.
func log(x float64) float64 { return fixmath.Log1p(x) }

// distance reports how unlike two models are; +Inf where nothing is known to compare.
func distance(a, b *features) float64 {
	from := 0
	switch {
	case a.base == b.base:
		from = 3 // they differ in batch at most
	case !a.known || !b.known:
		return math.Inf(1)
	}
	s := 0.0
	for i := from; i < len(a.logs); i++ {
		d := a.logs[i] - b.logs[i]
		s += float64(d * d)
	}
	return math.Sqrt(s)
}
