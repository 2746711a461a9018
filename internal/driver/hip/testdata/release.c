// A libamdhip64 of release MAJOR with one gfx90a and no work done: what the
// driver asks a device about itself. The test adds the functions that are not
// here. OFFSET is where the struct of that release's time has the architecture.
#include <string.h>

int hipRuntimeGetVersion(int *v) { return *v = MAJOR * 10000000 + 200000, 0; }
int hipGetDeviceCount(int *n) { return *n = 1, 0; }
int hipDeviceGet(int *dev, int n) { return *dev = n, 0; }
int hipDeviceTotalMem(size_t *n, int dev) { return *n = 1ul << 30, 0; }
int hipDeviceGetName(char *name, int n, int dev) { return strncpy(name, "a card", n), 0; }
const char *hipGetErrorName(int code) { return "hipErrorInvalidValue"; }
const char *hipGetErrorString(int code) { return "hipErrorInvalidValue"; }

// As 5.2, which knows no wall clock; none knows the shared memory on request.
int hipDeviceGetAttribute(int *v, int attribute, int dev) {
	if (attribute == 75 || attribute == 10017 && MAJOR < 6) return 1;
	*v = attribute == 87 ? 64 : attribute;
	return 0;
}

static int properties(char *p, int offset) { return strcpy(p + offset, "gfx90a:sramecc+:xnack-"), 0; }
int hipGetDeviceProperties(char *p, int dev) { return properties(p, 396); }
#if MAJOR >= 6
int hipGetDevicePropertiesR0600(char *p, int dev) { return properties(p, OFFSET); }
#endif
