import { version as packageVersion } from '../package.json' with { type: 'json' }

/** Version of the program; the API it serves is version 1.0.0 whatever this says. */
export const version: string = packageVersion
export const apiVersion = '1.0.0'
