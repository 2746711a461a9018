package kernel

import "heddle/internal/codegen"

// BenchLower checks and translates fn for an architecture, from its source on.
func BenchLower(fn any, arch string) error {
	_, err := BenchRequest(fn, arch)
	return err
}

// BenchRequest is what fn's compile asks of the code generator.
func BenchRequest(fn any, arch string) (*codegen.Request, error) {
	k := New(fn)
	u, m, err := k.prepare(arch, 0)
	if err != nil {
		return nil, err
	}
	req, _, err := u.request(m, k.opts)
	return req, err
}
