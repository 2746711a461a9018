package amdemu

// SourcePlace is a frame for tests outside the package, which compile kernels: package
// kernel imports this one.
type SourcePlace struct {
	Function, File string
	Line           int
}

// SourcePlaces loads a code object and tells where each instruction of a kernel comes
// from. Arch is the code object's processor.
func SourcePlaces(code []byte, kernel string, disasm Disassembler) (all map[string][]SourcePlace, arch string, err error) {
	p, err := load(code, disasm)
	if err != nil {
		return nil, "", err
	}
	k, err := p.kernel(kernel)
	if err != nil {
		return nil, "", err
	}
	all = map[string][]SourcePlace{}
	for _, text := range p.texts {
		for _, line := range text.lines {
			if p.function(line.Addr) != k.Name {
				continue
			}
			var places []SourcePlace
			for _, f := range p.where(line.Addr) {
				places = append(places, SourcePlace{f.function, f.file, f.line})
			}
			all[line.Text] = places
		}
	}
	return all, p.arch, nil
}
