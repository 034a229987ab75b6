/** True in the compiled program, whose modules lie in a file system of its own (another one on Windows). */
export const isExecutable: boolean = import.meta.url.includes('/$bunfs/') || import.meta.url.includes('/~BUN/')

/** The beginning of a command line, for the executable or for the sources. */
export const program = isExecutable ? 'proofgate' : 'npm run --silent proofgate --'
