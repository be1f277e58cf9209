package inspected

import "tarry/sim"

// Words states the numbers that Observe writes, of the job that the rule picked and of the queue: one
// feature a line, with its range, its unit and its meaning.
func Words() (job, queue string) {
	return `
wait  0..1  leases, squashed  time since its submit
request  0..1  leases, squashed  run time that is expected; 1 where it is not known
share  0..1  share  GPUs that it asks for / GPUs
fits  0, 1  flag  1 where its GPUs are free
refused  0..1  share  refusals so far / refusals that are allowed
start_in  0..1  leases, squashed  time until it could start by the run times that are expected
over  0..1  share  GPUs left over then / GPUs
slow  0..1  ratio, squashed  wait / max(request, 10 s), over 10`, `
free  0..1  share  free GPUs / GPUs
waiting  0..1  ratio, squashed  jobs that wait / 10
demand  0..1  ratio, squashed  GPUs that they ask for / GPUs
cost  0..1  ratio, squashed  sum over them of 600 s / max(request, 10 s), over 10: what a pause costs
fit  0..1  share  part of them whose GPUs are free
running  0..1  share  jobs that run / GPUs, at most 1`
}

// NumJob and NumQueue are how many numbers Observe writes of each.
const NumJob, NumQueue = 8, 6

// Observe writes what is known of the picked job and of the queue.
func (p *Protocol) Observe(v *sim.View, obs []float64) {
	const milli, ten = 1000, 10
	gpus, j := float64(v.Topology().GPUs()), p.job
	request, wait := p.cfg.By.Of(v, j), v.Now()-v.Job(j).Submit()
	fits, in := 0.0, sim.Time(0)
	at, over := p.picker.Earliest(v, j)
	if p.picker.Fits(v, j) {
		fits = 1
	} else {
		in = at - v.Now()
	}
	obs[0], obs[1] = p.leases(wait), p.leases(request)
	obs[2], obs[3] = share(v.Job(j).Width(), gpus), fits
	obs[4] = share(float64(p.refused[j]), float64(p.cfg.Refusals))
	obs[5], obs[6] = p.leases(in), share(float64(over)/milli, gpus)
	obs[7] = squash(wait.Seconds() / max(request.Seconds(), ten) / ten)
	var demand, cost, fit float64
	waiting := p.picker.Waiting()
	for _, w := range waiting {
		demand += v.Job(w).Width()
		cost += PauseS / max(p.cfg.By.Of(v, w).Seconds(), ten)
		if p.picker.Fits(v, w) {
			fit++
		}
	}
	n := float64(len(waiting))
	obs[8], obs[9] = share(float64(p.picker.Room(v))/milli, gpus), squash(n/ten)
	obs[10], obs[11] = squash(demand/gpus), squash(cost/ten)
	obs[12], obs[13] = share(fit, n), share(float64(len(v.Running())), gpus)
}

// squash maps 0 to infinity to 0 to 1.
func squash(x float64) float64 { return x / (1 + x) }

// share is a part of a whole, cut to 0..1; 0 of nothing.
func share(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return min(1, max(0, part/whole))
}

// leases is a time in leases, squashed; 1 for one that is not known.
func (p *Protocol) leases(t sim.Time) float64 {
	if t >= sim.Never/16 {
		return 1
	}
	return squash(max(0, t.Seconds()) / p.cfg.Lease.Seconds())
}
