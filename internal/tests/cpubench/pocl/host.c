// The kernels of kernels.cl on PoCL: any OpenCL CPU device of that platform.
// SOURCE is the path of kernels.cl, OPTIONS are clBuildProgram's.
#define CL_TARGET_OPENCL_VERSION 120
#include "../worker/worker.h"
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static char about[1024];

// What is launched now.
static cl_kernel kernel;
static cl_mem buffers[5];
static cl_uint arguments, axes;
static size_t global[2], block[2];

static const char *fail(const char *call, cl_int code) {
	static char text[256];
	if (!code) return NULL;
	snprintf(text, sizeof text, "%s fails with OpenCL error %d", call, code);
	return text;
}

static int find(void) {
	cl_platform_id platforms[16];
	cl_uint n = 0;
	char name[128], version[256];
	cl_uint units = 0;
	if (clGetPlatformIDs(16, platforms, &n)) return 0;
	for (cl_uint i = 0; i < n && i < 16; i++) {
		clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
		if (!strstr(name, "Portable Computing Language") || clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, NULL)) continue;
		clGetPlatformInfo(platforms[i], CL_PLATFORM_VERSION, sizeof version, version, NULL);
		clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
		clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
		snprintf(about, sizeof about, "%s; %s, %u threads; built with \"%s\"", version, name, units, OPTIONS);
		return 1;
	}
	return 0;
}

static char *read_source(void) {
	FILE *f = fopen(SOURCE, "rb");
	if (!f) return NULL;
	fseek(f, 0, SEEK_END);
	long size = ftell(f);
	rewind(f);
	char *text = calloc(1, size + 1);
	if (fread(text, 1, size, f) != (size_t)size) text = NULL;
	fclose(f);
	return text;
}

const char *start(void) {
	cl_int code;
	if (!find()) return "there is no PoCL CPU device (install pocl-opencl-icd)";
	char *text = read_source();
	if (!text) return "cannot read " SOURCE;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
	if (code) return fail("clCreateContext", code);
	queue = clCreateCommandQueue(context, device, 0, &code);
	if (code) return fail("clCreateCommandQueue", code);
	program = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &code);
	if (code) return fail("clCreateProgramWithSource", code);
	code = clBuildProgram(program, 1, &device, OPTIONS, NULL, NULL);
	if (code) {
		static char log[1 << 16];
		clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
		fprintf(stderr, "%s\n", log);
	}
	free(text);
	return fail("clBuildProgram", code);
}

const char *describe(void) { return about; }

static void put_int(int v) { clSetKernelArg(kernel, arguments++, sizeof v, &v); }
static void put_float(float v) { clSetKernelArg(kernel, arguments++, sizeof v, &v); }

// put passes the arrays from the first on.
static void put_arrays(workload *w) {
	for (int i = 0; i < w->count; i++) clSetKernelArg(kernel, arguments++, sizeof *buffers, &buffers[i]);
}

static void shape(size_t gx, size_t gy, size_t bx, size_t by) {
	axes = gy * by > 1 ? 2 : 1;
	global[0] = gx * bx, global[1] = gy * by;
	block[0] = bx, block[1] = by;
}

// arrange sets the shape and the scalar arguments, which come before the arrays.
static int arrange(const char *is, long n) {
	if (!strcmp(is, "saxpy")) {
		shape((n + 255) / 256, 1, 256, 1);
		put_int(n), put_float(2);
	} else if (!strcmp(is, "reduce")) {
		shape(REDUCE_BLOCKS, 1, 256, 1);
		put_int(n);
	} else if (!strcmp(is, "mandelbrot")) {
		shape(n / 32, n / 8, 32, 8);
		put_int(n), put_int(n), put_int(LIMIT), put_float(-2), put_float(-1.5f), put_float(3.0f / n);
	} else if (!strcmp(is, "black_scholes")) {
		shape((n + 255) / 256, 1, 256, 1);
		put_int(n), put_float(0.02f), put_float(0.3f);
	} else if (!strcmp(is, "nbody")) {
		shape(n / 256, 1, 256, 1);
		put_int(n), put_float(0.01f);
	} else if (!strcmp(is, "sgemm")) {
		shape(n / 16, n / 16, 16, 16);
		put_int(n);
	} else if (!strcmp(is, "stencil")) {
		shape((n + 255) / 256, n, 256, 1);
		put_int(n), put_int(n), put_int(n), put_float(0.5f), put_float(0.1f);
	} else if (!strcmp(is, "histogram")) {
		shape(HISTOGRAM_BLOCKS, 1, BINS, 1);
		put_int(n);
	} else if (!strcmp(is, "bitonic")) {
		shape(n / RUN, 1, RUN / 2, 1);
	} else if (!strcmp(is, "scan")) {
		shape(n / RUN, 1, 256, 1);
	} else {
		return 0;
	}
	return 1;
}

const char *prepare(workload *w) {
	cl_int code;
	kernel = clCreateKernel(program, w->name, &code);
	if (code) return fail("clCreateKernel", code);
	arguments = 0;
	if (!arrange(w->name, w->n)) return "no such kernel";
	for (int i = 0; i < w->count; i++) {
		buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, w->arrays[i].bytes, w->arrays[i].host, &code);
		if (code) return fail("clCreateBuffer", code);
	}
	put_arrays(w);
	return NULL;
}

const char *run(workload *w) {
	(void)w;
	cl_int code = clEnqueueNDRangeKernel(queue, kernel, axes, NULL, global, block, 0, NULL, NULL);
	if (code) return fail("clEnqueueNDRangeKernel", code);
	return fail("clFinish", clFinish(queue));
}

const char *fetch(workload *w) {
	for (int i = 0; i < w->count; i++) {
		if (!w->arrays[i].result) continue;
		cl_int code = clEnqueueReadBuffer(queue, buffers[i], CL_TRUE, 0, w->arrays[i].bytes, w->arrays[i].host, 0, NULL, NULL);
		if (code) return fail("clEnqueueReadBuffer", code);
	}
	return NULL;
}

void rest(void) {}

void finish(workload *w) {
	for (int i = 0; i < w->count; i++) {
		if (buffers[i]) clReleaseMemObject(buffers[i]);
		buffers[i] = NULL;
	}
	if (kernel) clReleaseKernel(kernel);
	kernel = NULL;
}
