/** The names of the files of a database. They load without the database itself, for commands that only look at a folder. */
import { join } from 'node:path'

export const locateDatabaseFile = (folder: string): string => join(folder, 'proofgate.sqlite')

export const nameLogFile = (databaseFile: string): string => `${databaseFile}-wal`
