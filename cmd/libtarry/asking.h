// What a caller of tarry_measure gives, and how Go calls it.
#ifndef TARRY_ASKING_H
#define TARRY_ASKING_H

#include <stdint.h>

struct tarry_buffers {
	double *obs;
	int8_t *mask; // NULL where actions are not masked
	double *action;
};

// A callback writes 1 where the caller said that it would: what it returns is lost where its language breaks it off.
typedef void (*tarry_ask)(int actor);
typedef void (*tarry_alive)(void);

static inline int tarry_call_ask(tarry_ask ask, int actor, volatile int32_t *said) {
	*said = 0;
	ask(actor);
	return *said == 1;
}

static inline int tarry_call_alive(tarry_alive alive, volatile int32_t *said) {
	*said = 0;
	alive();
	return *said == 1;
}

#endif
