// The conversation: a command a line, and one line in answer, "ok ..." or
// "error ...".
//
//	open NAME N       make the inputs and run once
//	save FILE         write the results of that run
//	time MS REPS      run for MS milliseconds, at most REPS times: nanoseconds each
//	close
#include "worker.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#pragma STDC FP_CONTRACT OFF

// Inputs, as Hash, Uniform and Value in internal/tests/bench/kernels.
static uint32_t hash(uint32_t i, uint32_t seed) {
	uint32_t x = i * 2654435761u + seed;
	x ^= x >> 16;
	x *= 0x85ebca6bu;
	return x ^ x >> 13;
}

static void *add(workload *w, size_t bytes, int result) {
	array *a = &w->arrays[w->count++];
	a->bytes = bytes;
	a->result = result;
	size_t room = (bytes + 63) / 64 * 64;
	a->host = aligned_alloc(64, room);
	if (!a->host) {
		puts("error out of memory");
		exit(1);
	}
	memset(a->host, 0, room);
	return a->host;
}

static void uniform(workload *w, long n, uint32_t seed, float lo, float hi, int result) {
	float *v = add(w, n * sizeof *v, result);
	for (long i = 0; i < n; i++) v[i] = lo + (hi - lo) * ((float)(hash(i, seed) >> 8) * 0x1p-24f);
}

static void words(workload *w, long n, uint32_t mask) {
	uint32_t *v = add(w, n * sizeof *v, 0);
	for (long i = 0; i < n; i++) v[i] = hash(i, 1) & mask;
}

// allocate makes the arrays of a kernel, in the order of its Go arguments.
static int allocate(workload *w) {
	long n = w->n;
	const char *is = w->name;
	if (!strcmp(is, "saxpy")) {
		uniform(w, n, 1, 0, 1, 0), uniform(w, n, 2, 0, 1, 1);
	} else if (!strcmp(is, "reduce")) {
		uniform(w, n, 1, 0, 1, 0), add(w, 4 * REDUCE_BLOCKS, 1);
	} else if (!strcmp(is, "mandelbrot")) {
		add(w, 4 * n * n, 1);
	} else if (!strcmp(is, "black_scholes")) {
		uniform(w, n, 1, 5, 30, 0), uniform(w, n, 2, 1, 100, 0), uniform(w, n, 3, 0.25f, 10, 0);
		add(w, 4 * n, 1), add(w, 4 * n, 1);
	} else if (!strcmp(is, "nbody")) {
		uniform(w, 4 * n, 1, 0, 1, 0), add(w, 16 * n, 1);
	} else if (!strcmp(is, "sgemm")) {
		uniform(w, n * n, 1, 0, 1, 0), uniform(w, n * n, 2, 0, 1, 0), add(w, 4 * n * n, 1);
	} else if (!strcmp(is, "stencil")) {
		uniform(w, n * n * n, 1, 0, 1, 0), add(w, 4 * n * n * n, 1);
	} else if (!strcmp(is, "histogram")) {
		words(w, n, ~0u), add(w, 4 * BINS, 1);
	} else if (!strcmp(is, "bitonic")) {
		uniform(w, n, 1, 0, 1, 0), add(w, 4 * n, 1);
	} else if (!strcmp(is, "scan")) {
		words(w, n, 0xffff), add(w, 4 * n, 1), add(w, 4 * (n / RUN), 1);
	} else {
		return 0;
	}
	return 1;
}

static const char *save(workload *w, const char *file) {
	const char *problem = fetch(w);
	if (problem) return problem;
	FILE *f = fopen(file, "wb");
	if (!f) return "cannot write the results";
	for (int i = 0; i < w->count; i++)
		if (w->arrays[i].result && fwrite(w->arrays[i].host, 1, w->arrays[i].bytes, f) != w->arrays[i].bytes)
			problem = "cannot write the results";
	if (fclose(f)) problem = "cannot write the results";
	return problem;
}

static long long now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

// measure answers with the times itself.
static const char *measure(workload *w, long ms, long reps) {
	long long *took = calloc(reps, sizeof *took), begin = now();
	const char *problem = NULL;
	long k = 0;
	while (k < reps && !problem) {
		long long t = now();
		problem = run(w);
		long long end = now();
		took[k++] = end - t;
		if (end - begin > ms * 1000000) break;
	}
	rest();
	if (!problem) {
		printf("ok");
		for (long i = 0; i < k; i++) printf(" %lld", took[i]);
		printf("\n");
	}
	free(took);
	return problem;
}

static void release(workload *w) {
	if (w->count) finish(w);
	for (int i = 0; i < w->count; i++) free(w->arrays[i].host);
	w->count = 0;
}

int main(void) {
	char line[4096], name[64], file[4000];
	long a, b;
	workload w = {0};
	const char *problem = start();
	if (problem)
		printf("error %s\n", problem);
	else
		printf("ok %s\n", describe());
	fflush(stdout);
	while (!problem && fgets(line, sizeof line, stdin)) {
		const char *failed = NULL;
		int answered = 0;
		if (sscanf(line, "open %63s %ld", name, &a) == 2) {
			release(&w);
			w.name = name, w.n = a;
			failed = allocate(&w) ? prepare(&w) : "no such kernel";
			if (!failed) failed = run(&w);
			rest();
		} else if (sscanf(line, "time %ld %ld", &a, &b) == 2 && b > 0 && w.count) {
			failed = measure(&w, a, b);
			answered = !failed;
		} else if (sscanf(line, "save %3999[^\n]", file) == 1 && w.count) {
			failed = save(&w, file);
		} else if (!strncmp(line, "close", 5)) {
			release(&w);
		} else {
			failed = "what?";
		}
		if (failed)
			printf("error %s\n", failed);
		else if (!answered)
			puts("ok");
		fflush(stdout);
	}
	return problem != NULL;
}
