package worker

// Windows has no such limits.

func openFiles() (uint64, bool) { return 0, false }

func userProcesses() (uint64, bool) { return 0, false }

func addressSpace() (uint64, bool) { return 0, false }

func fileSize() (uint64, bool) { return 0, false }
