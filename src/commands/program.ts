/** How this program was started tells how to call it again: the executable by its name, the sources through npm. */
import { isExecutable } from '../executable.ts'

/** For example `proofgate demo`. */
export const writeCall = (command: string): string =>
  isExecutable ? `proofgate ${command}` : `npm start -- ${command}`
