/* Runs a Go library. */
extern int MatrixRun(void);

int main(void) { return MatrixRun(); }
