/** Chooses the backup at a place that a person means: the newest, or that from which a moment is reached. */
import { BackupError } from './fault.ts'
import type { Header } from './format.ts'
import { findNewestBackup, type KeptBackup, listBackups } from './kept-backups.ts'
import { readArchive } from './read-archive.ts'
import type { Target } from './targets/target.ts'

interface Choice {
  readonly passphrase: string | undefined
  /** Of the server whose data folder is here, if it is known. */
  readonly keyMark: number | undefined
  /** Unix milliseconds. Undefined: the newest. */
  readonly until: number | undefined
  readonly now: number
}

export interface Chosen {
  readonly chosen: KeptBackup
  /** The next older one, if there is one. */
  readonly older: KeptBackup | undefined
  /** Named later than now. */
  readonly ahead: readonly KeptBackup[]
}

/** Errors: BackupError where there is none. */
export async function chooseKeptBackup(target: Target, { passphrase, keyMark, until, now }: Choice): Promise<Chosen> {
  const { newest, older, ahead } = await findNewestBackup(target, { keyMark, now })
  if (until === undefined) return { chosen: newest, older, ahead }
  const all = (await listBackups(target)).filter(({ keyMark }) => keyMark === newest.keyMark)
  const own = all.filter(({ at }) => at <= until)
  for (let index = own.length - 1; index >= 0; index--) {
    const chosen = own[index]!
    // Its name tells when it was begun.
    const { createdAt } = await readHeader(target.read(chosen.name), passphrase)
    if (Date.parse(createdAt) <= until) return { chosen, older: own[index - 1], ahead }
  }
  throw new BackupError(
    `no backup at ${target.title} is from before ${new Date(until).toISOString()}`,
    // The oldest was made within some seconds after its name.
    `name a later moment: the oldest backup there is ${all[0]!.name}`,
  )
}

class HeaderRead extends Error {
  constructor(readonly header: Header) {
    super('the header was read')
  }
}

/** Errors: BackupError. */
async function readHeader(source: AsyncIterable<Uint8Array>, passphrase: string | undefined): Promise<Header> {
  try {
    const { header } = await readArchive(source, passphrase, {
      begin: (header) => {
        throw new HeaderRead(header)
      },
      takePiece: () => {},
    })
    return header
  } catch (error) {
    if (error instanceof HeaderRead) return error.header
    throw error
  }
}
