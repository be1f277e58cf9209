package vec

import "sync"

// pool is the workers of a Vec; each has a fixed range of environments, so that an environment's
// memory stays with one worker.
type pool struct {
	start []chan struct{}
	done  sync.WaitGroup
}

func newPool(v *Vec, workers int) *pool {
	p := &pool{}
	n := len(v.envs)
	for k := range workers {
		from, to := k*n/workers, (k+1)*n/workers
		c := make(chan struct{})
		p.start = append(p.start, c)
		go func() {
			for range c {
				for i := from; i < to; i++ {
					v.one(i)
				}
				p.done.Done()
			}
		}()
	}
	return p
}

// run has every environment stepped or reset once, and waits.
func (p *pool) run() {
	p.done.Add(len(p.start))
	for _, c := range p.start {
		c <- struct{}{}
	}
	p.done.Wait()
}

// stop ends the workers.
func (p *pool) stop() {
	for _, c := range p.start {
		close(c)
	}
}
