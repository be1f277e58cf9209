// Package crux is Crux: J. Cao, Y. Guan, K. Qian, J. Gao, W. Xiao, J. Dong, B. Fu, D. Cai, E. Zhai,
// "Crux: GPU-Efficient Communication Scheduling for Deep Learning Training", SIGCOMM 2024.
package crux
