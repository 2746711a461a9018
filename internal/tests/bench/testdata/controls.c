// What ROCm's device libraries want to know of the processor and of the compiler's options. It
// is linked after them, and is no HIP, whose variables the compiler may not take for constants.

#define OPTION(type, name, value) \
	const __attribute__((address_space(4), visibility("hidden"))) type __oclc_##name = value;
OPTION(unsigned char, finite_only_opt, 0)
OPTION(unsigned char, unsafe_math_opt, 0)
OPTION(unsigned char, daz_opt, 0)
OPTION(unsigned char, correctly_rounded_sqrt32, 1)
OPTION(unsigned char, wavefrontsize64, __AMDGCN_WAVEFRONT_SIZE__ == 64)
OPTION(unsigned, ISA_version, ISA_VERSION)
OPTION(unsigned, ABI_version, 500)
