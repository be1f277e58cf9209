// Package goodput has the model of Pollux (Qiao et al., "Pollux: co-adaptive cluster scheduling for
// goodput-optimized deep learning", OSDI 2021): how fast a data-parallel job makes steps on some
// GPUs, the progress of a sample when the batch grows, and the batch for which the product of the
// two is greatest. Speed models and schedulers use the same formulas, so a scheduler whose
// parameters are right predicts what happens.
//
// Times are seconds, batches are samples. A step of K replicas on N machines with m samples each is
// accumulated s times before gradients are synchronised: an update has B = K m (s+1) samples.
//
//	T_grad  = alpha_c + beta_c m
//	T_net   = alpha_n + beta_n max(K-2, 1e-8)   on several machines; alpha_r and beta_r on one; nearly 0 for one replica
//	T_optim = (T_grad^gamma + T_net^gamma)^(1/gamma)       gamma = 1: nothing overlaps; large: the longer hides the shorter
//	T_iter  = s T_grad + T_optim,  throughput = B / T_iter                                                        (section 3.2)
//	gain    = (var + sqr) / (var M0/B + sqr),  efficiency = gain M0/B,  goodput = throughput x efficiency         (section 3.1)
//
// M0 is the batch that the job was submitted with, sqr and var the squared norm and the variance of
// its gradient at that batch. The paper writes the efficiency with the noise scale phi = M0
// var/sqr; the two are the same.
//
// We differ from the paper where the authors' simulator does, so that numbers agree with it: K-2 is
// at least 1e-8, and what takes no time takes 1e-8 seconds, since parameters are fitted to
// logarithms.
//
// Reading guide: times.go the speed, noise.go the efficiency, best.go the choice of the batch,
// split.go how a given batch is divided among replicas.
package goodput
