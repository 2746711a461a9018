package amdemu

// memTables are the rows of instructions that access memory.
func memTables() []table {
	return []table{
		scalarMemory(), flatMemory(), ldsMemory(), atomicMemory(), bufferMemory(), imageMemory(), crossLaneLDS(),
	}
}
