package amdemu

// checkWritten notes what the lanes m write, and fails where they read what
// nothing wrote.
func (a *access) checkWritten(w *wave, at *arena, m uint64) {}

// countLines counts what the access costs.
func (a *access) countLines(w *wave, at *arena, m uint64) {}
