// This file lets the package declare functions whose bodies the runtime provides.
