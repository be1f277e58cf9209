package fit

import "tarry/sim/goodput"

// Start is where the authors' simulator starts every fit.
func Start() goodput.Params {
	return goodput.Params{AlphaC: 0.1, BetaC: 0.01, AlphaN: 0.1, BetaN: 0.01, AlphaR: 0.1, BetaR: 0.01, Gamma: 1.001}
}

// beyond is how much slower several machines are taken to be than one, where only one was seen.
const beyond = 1.1

// Throughput fits the parameters of Pollux' model to measured steps, from start (the zero value:
// from Start), and gives the objective
//
//	RMSE(ln T_grad) + RMSE(ln T_optim) + 1e-3 (gamma-1)^2 + 1e-2 ((beta_n/alpha_n)^2 + (beta_r/alpha_r)^2)
//
// with each time at least 1e-8 and Gamma from 1 to 10; T_grad is measured as StepS - SyncS, T_optim
// as StepS. What was not seen keeps a value that makes it worth a try: with one number of samples
// AlphaC is half the mean T_grad, synchronising within or between machines takes 1e-8 s where it
// was never seen (between machines no less than 1.1 times within), and so does each replica beyond
// two. The same observations in the same order give the same bits. An error names what is wrong
// with an observation, or states that there is none.
func Throughput(obs []Observation, start goodput.Params) (goodput.Params, float64, error) {
	p, err := newProblem(obs)
	if err != nil {
		return goodput.Params{}, 0, err
	}
	if start == (goodput.Params{}) {
		start = Start()
	}
	d := newDescent(p)
	value := d.from(vectorOf(start))
	at := &d.at.at
	if !p.nets {
		at[alphaN] = max(at[alphaN], float64(beyond*at[alphaR]))
		at[betaN] = max(at[betaN], float64(beyond*at[betaR]))
	}
	return at.params(), value, nil
}
