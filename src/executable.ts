/** True in the compiled program, whose modules lie in a file system of its own (another one on Windows). */
export const isExecutable: boolean = import.meta.url.includes('/$bunfs/') || import.meta.url.includes('/~BUN/')

/** What a command begins with, for whoever has what this server runs from: the executable, or the sources. */
export const program = isExecutable ? 'proofgate' : 'npm run --silent proofgate --'
