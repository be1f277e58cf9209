package cluster

// Prefix is the first GPUs of a cluster as a cluster of its own: whole machines in order, rack by
// rack, and as much of the next one as is missing, with its part of CPU and memory. All of it where
// there are not so many.
func (s Spec) Prefix(gpus int) Spec {
	out := Spec{Speeds: s.Speeds}
	for _, rack := range s.Racks {
		var kept []Machines
		for _, m := range rack {
			whole := min(m.Count, gpus/m.GPUs)
			if gpus -= whole * m.GPUs; whole > 0 {
				kept = append(kept, m.times(whole))
			}
			if whole < m.Count && gpus > 0 {
				kept = append(kept, m.part(gpus))
				gpus = 0
			}
		}
		if len(kept) > 0 {
			out.Racks = append(out.Racks, kept)
		}
	}
	return out
}

func (m Machines) times(n int) Machines {
	m.Count = n
	return m
}

// part is one machine with fewer GPUs: in slots of the same size where these are filled, else in
// one.
func (m Machines) part(gpus int) Machines {
	slot := m.GPUs / max(1, m.Slots)
	m.CPUMilli, m.MemMiB = m.CPUMilli*int64(gpus)/int64(m.GPUs), m.MemMiB*int64(gpus)/int64(m.GPUs)
	m.Slots = 1
	if gpus%slot == 0 {
		m.Slots = gpus / slot
	}
	m.Count, m.GPUs = 1, gpus
	return m
}
