// What the C programs of cpubench have in common: the inputs, the clock and
// the conversation with the Go command that runs them.
#pragma once
#include <stddef.h>

typedef struct {
	size_t bytes;
	void *host;
	int result; // compared with the other languages'
} array;

typedef struct {
	const char *name;
	long n; // its size, as in ../cases.go
	array arrays[5];
	int count;
} workload;

// What a language provides. The functions that can fail return a message, or
// a null pointer.
const char *start(void);                         // once
const char *describe(void);                      // itself, after start
const char *prepare(workload *w);                // before the first run
const char *run(workload *w);                    // one run, until it is done
const char *fetch(workload *w);                  // results into the arrays' host memory
void rest(void);                                 // others are about to be timed
void finish(workload *w);

// Shapes that ../cases.go also has.
enum { REDUCE_BLOCKS = 1024, HISTOGRAM_BLOCKS = 256, BINS = 256, RUN = 1024, LIMIT = 200 };
