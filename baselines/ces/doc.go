// Package ces is the Cluster Energy Saving service of Helios: Q. Hu, P. Sun, S. Yan, Y. Wen, T.
// Zhang, "Characterization and Prediction of Deep Learning Workloads in Large-Scale GPU
// Datacenters", SC 2021 (arXiv 2109.01313). It wraps a queue order that only starts jobs (QSSF by
// default), puts idle machines to sleep where use falls and is forecast to fall on, and wakes
// machines when jobs need them. docs/schedulers/qssf.md states how to run it and what was measured.
//
// # The algorithm
//
//  1. Every tick_s the number of machines in use is noted, the most of the interval. During the first warm ticks all idle machines but a buffer go to sleep.
//  2. Later, at a tick: if the mean of the last history notes exceeds the present one by his_threshold or more, the present one exceeds the mean forecast of
//     the next future notes by fut_threshold or more, that forecast is not below the forecast of twice as many notes, no machine was woken within the last keep ticks, and
//     the machines awake exceed the machines in use and the buffer by de_threshold or more, the excess goes to sleep (Dynamic Resource Sleep).
//  3. As soon as waiting jobs need more GPUs than are free or about to be, machines that make up for it are woken, and the buffer anew. They are of use boot_s later.
//
// forecast=none is the service without a forecast: a machine sleeps once it is idle for idle_s.
// forecast=perfect-off is a bound: what is idle is off at once and back at once. A machine asleep
// is an idle machine that is cordoned, so the queue sees no free GPUs there.
//
// # What is theirs and what is ours
//
// Steps 1 and 2, the constants of site and the wake-up to use plus buffer are from the authors'
// programs (S-Lab-System-Group/HeliosArtifact, CES_Helios.py and CES_Philly.py). These replay a
// recorded series of machines in use, so that no job is ever delayed; here jobs wait for boots.
// Theirs is a gradient-boosted regression over calendar and lags, fitted offline, and its features
// are notes from one hour before the note that is predicted: a forecast hours ahead reads notes
// that lie in the future. Ours (forecast.go) is a ridge regression fitted during the run, from
// nothing but what was seen. Ours too: no machine goes to sleep while a job waits; what waiting
// jobs need is counted in GPUs per type, and if that is enough and they still wait, one machine
// more is woken per boot; machines sleep from the highest number down and wake from the lowest up;
// buffer=auto, 3 % of the machines (theirs: 5 to 7 of 133 to 264, sizes from general knowledge of
// the paper); the first 6 ticks as warm for every tick_s; all watts; boot_s, and sleep takes no
// time. Boots of 5 minutes are from general knowledge of the paper.
//
// A machine that fails while it sleeps is found out when it is woken. One that is down counts as
// awake.
//
// Reading guide: policy.go has the instant, follow.go jobs and the machines in use, rule.go when
// machines sleep, wake.go which are woken, forecast.go and features.go the regression, account.go
// the measures, config.go the settings.
package ces

// Params describes the settings of the service for the catalogue; the settings of the queue order
// come beside.
const Params = `order      qssf | fifo | fifo-fit | sjf: the queue
forecast   fitted: ridge regression on what was seen | last: as now | day: as a day ago | none: no forecast, asleep when idle for idle_s |
           perfect-off: a bound, off while idle without delay
site       saturn | earth | venus | uranus | philly: whose constants are the defaults of the next six, see docs/schedulers/qssf.md
history    notes that the present one is compared with
future     notes ahead
his_threshold  machines fewer in use than before
fut_threshold  machines fewer in use later
de_threshold   machines to put to sleep at least
keep       ticks without sleep after a wake-up
buffer     idle machines kept awake: auto (3 %, none without a forecast) | all | N
tick_s     time between notes, s
idle_s     forecast=none: idle time before sleep, s
boot_s     from wake-up to use, s, at least 1 us
ridge      penalty of the regression
idle_w     of a machine awake, W
busy_w     of a GPU in use, on top, W
sleep_w    of a machine asleep, W`
