/** Sizes of the files of the database. A disk that hangs is not waited for. */
import { stat } from 'node:fs/promises'
import { locateDatabaseFile, nameLogFile } from './file-names.ts'

/** Reports must show a hanging disk, so they must not wait for it. */
const diskWaitMs = 500

export const answerInTime = <Answer>(asked: Promise<Answer>): Promise<Answer | undefined> =>
  Promise.race([asked, Bun.sleep(diskWaitMs).then(() => undefined)])

/** Undefined for a missing file: a database in memory has none. */
const readSize = (file: string): Promise<number | undefined> =>
  answerInTime(
    stat(file).then(
      ({ size }) => size,
      () => undefined,
    ),
  )

export const readDatabaseBytes = (folder: string): Promise<number | undefined> => readSize(locateDatabaseFile(folder))

export const readLogBytes = (folder: string): Promise<number | undefined> =>
  readSize(nameLogFile(locateDatabaseFile(folder)))
