package browser

// SharedMemory returns how many bytes of /dev/shm are free, and how many Chrome
// should find there; with less, its shared memory goes to files. Where Chrome
// uses no /dev/shm the two are the same.
func SharedMemory() (free, needed uint64) { return sharedMemory(), minSharedMemory }
