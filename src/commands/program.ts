/** How this program was started tells how to call it again: the executable by its name, the sources through npm. */
const isExecutable = import.meta.path.startsWith('/$bunfs') || import.meta.path.includes('~BUN')

/** For example `proofgate demo`. */
export const callOf = (command: string): string => (isExecutable ? `proofgate ${command}` : `npm start -- ${command}`)
