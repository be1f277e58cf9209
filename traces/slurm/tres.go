package slurm

import (
	"strings"

	"tarry/sim/tabular"
	"tarry/traces/intake"
)

// demand is what a row holds: GPUs in thousandths, their type, and what comes with them.
type demand struct {
	milli int64
	// typ is the type of all of them; "" = unknown, or mixed.
	typ   string
	mixed bool
	// instances counts instances of GPUs (MIG), and mib is their memory.
	instances, mib int64
	// parts states that shards or MPS are held, of unknown size.
	parts bool
	// cpuMilli and memMiB are of all GPUs together; -1 = not stated.
	cpuMilli, memMiB int64
	wrong            bool
}

// tally adds up the GPUs of one row.
type tally struct {
	whole, instances, untyped int64
	milli, mib                int64
	types                     []string
}

// tres reads resources such as cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=64G.
func tres(s string) (d demand) {
	d.cpuMilli, d.memMiB = -1, -1
	var t tally
	for entry := range strings.SplitSeq(s, ",") {
		name, value, found := strings.Cut(strings.TrimSpace(entry), "=")
		if !found {
			d.wrong = d.wrong || entry != ""
			continue
		}
		gres, isGres := strings.CutPrefix(name, "gres/")
		switch {
		case isGres:
			kind, typ, _ := strings.Cut(gres, ":")
			d.gres(&t, kind, typ, value)
		case name == "cpu":
			n, ok := count(value)
			d.cpuMilli, d.wrong = n*1000, d.wrong || !ok
		case name == "mem":
			n, ok := mebibytes(value)
			d.memMiB, d.wrong = n, d.wrong || !ok
		}
	}
	d.sum(&t)
	return d
}

// gresList reads the older form, gpu:2 or gpu:a100:2, on each of so many nodes.
func gresList(s string, on int64) (d demand) {
	d.cpuMilli, d.memMiB = -1, -1
	var t tally
	for entry := range strings.SplitSeq(s, ",") {
		entry, _, _ = strings.Cut(strings.TrimSpace(entry), "(")
		parts := strings.Split(strings.TrimPrefix(strings.TrimPrefix(entry, "gres:"), "gres/"), ":")
		number := "1"
		if n := len(parts) - 1; n > 0 {
			if _, ok := count(parts[n]); ok {
				number, parts = parts[n], parts[:n]
			}
		}
		if parts[0] == gpuNumber {
			parts[0] = "gpu"
		}
		d.gres(&t, parts[0], strings.Join(parts[1:], ":"), number)
	}
	if t.whole+t.instances > 0 {
		t.untyped = 0 // in this form each entry is one of its own
	}
	d.sum(&t)
	d.milli, d.mib = d.milli*on, d.mib*on
	d.instances *= on
	return d
}

// gpuNumber stands in place of gpu where a Slurm of before 2019 has lost the name.
const gpuNumber = "7696487"

// gres counts one resource.
func (d *demand) gres(t *tally, kind, typ, value string) {
	switch kind {
	case "shard", "mps":
		n, _ := count(value)
		d.parts = d.parts || n > 0
		return
	case "gpu":
	default:
		return
	}
	n, ok := count(value)
	if !ok || n > intake.MaxGPUs {
		d.wrong = true
		return
	}
	if n == 0 {
		return
	}
	if typ == "" {
		t.untyped += n
		return
	}
	device, milli, mib, isInstance := instance(typ)
	if isInstance {
		t.instances += n
		t.milli, t.mib = t.milli+n*milli, t.mib+n*mib
		typ = device
	} else {
		t.whole += n
	}
	t.types = append(t.types, typ)
}

// sum makes a demand of the tally: the number without a type counts all GPUs, with a type or
// without.
func (d *demand) sum(t *tally) {
	whole := t.whole
	if t.untyped > 0 {
		whole = max(0, t.untyped-t.instances)
	}
	d.milli, d.instances, d.mib = whole*1000+t.milli, t.instances, t.mib
	for i, typ := range t.types {
		d.mixed = d.mixed || i > 0 && typ != t.types[0]
	}
	if d.mixed = d.mixed || len(t.types) > 0 && whole > t.whole; len(t.types) > 0 && !d.mixed {
		d.typ = t.types[0]
	}
	if d.milli > 1000 && d.milli%1000 != 0 {
		d.milli = (d.milli + 999) / 1000 * 1000
	}
}

// instance reads a type of GPU that is an instance, such as a100_1g.5gb, 1g.10gb or 3g20gb: the
// device, its compute slices in thousandths of the GPU, and its memory.
func instance(typ string) (device string, milli, mib int64, ok bool) {
	low := strings.ToLower(typ)
	for i := 1; i < len(low); i++ {
		if low[i] != 'g' || low[i-1] < '1' || low[i-1] > '7' || i > 1 && low[i-2] >= '0' && low[i-2] <= '9' {
			continue
		}
		size, _, found := strings.Cut(strings.TrimLeft(low[i+1:], ".-_"), "gb")
		gb, whole := count(size)
		if !found || !whole || gb < 1 || gb > 1000 {
			continue
		}
		slices, of := int64(low[i-1]-'0'), int64(7)
		if gb == 6*slices && slices != 3 {
			of = 4 // A30: 1g.6gb, 2g.12gb and 4g.24gb
		}
		device = strings.TrimRight(typ[:i-1], "_-:.")
		if n := len(device) - len("mig"); n >= 0 && low[n:n+3] == "mig" {
			device = strings.TrimRight(device[:n], "_-:.")
		}
		return device, 1000 * min(slices, of) / of, gb * 1024, true
	}
	return "", 0, 0, false
}

// count reads a whole number >= 0.
func count(s string) (int64, bool) {
	n, ok := tabular.ParseWhole(s)
	return n, ok && n >= 0 && n <= 1e9
}

// mebibytes reads a size such as 64G, 62.50G or 4000M; without a letter it is in MiB.
func mebibytes(s string) (int64, bool) {
	mib := 1.0
	if n := len(s) - 1; n > 0 {
		if i := strings.IndexByte("KMGTP", s[n]&^0x20); i >= 0 && s[n] > '9' {
			mib, s = [...]float64{1.0 / 1024, 1, 1024, 1 << 20, 1 << 30}[i], s[:n]
		}
	}
	v, ok := tabular.ParseFinite(s)
	v *= mib
	return int64(v), ok && v >= 0 && v <= 1e12
}
