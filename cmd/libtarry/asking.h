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

// It decides for a scheduler in a session, whose buffer needs so many words; with from >= 0 it makes the session's
// object of the object of session from, and with words 0 it gives the session up.
typedef void (*tarry_decide)(int policy, int session, int from, int words);

static inline int tarry_call_decide(tarry_decide decide, int policy, int session, int from, int words,
                                    volatile int32_t *said) {
	*said = 0;
	decide(policy, session, from, words);
	return *said == 1;
}

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
