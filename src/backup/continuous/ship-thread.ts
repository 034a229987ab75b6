/** The thread that ships the log: packing, sealing and waiting for the place stay off the event loop of the server. */
import type { Config } from '../../config/schema.ts'
import { BackupError } from '../fault.ts'
import { openHere } from '../targets/open-file.ts'
import { openPlace } from '../targets/open-target.ts'
import type { CommitTime } from './commit-times.ts'
import type { ShipNews } from './packer.ts'
import { openShipper, type Shipper, type ShipReport } from './shipper.ts'

export interface ShipSettings {
  readonly databaseFile: string
  readonly keyMark: number
  readonly backup: Config['backup']
  readonly cwd: string
  readonly formerTimes: readonly CommitTime[]
}

export type ShipQuestion =
  | { readonly open: ShipSettings }
  | { readonly news: readonly ShipNews[] }
  | { readonly close: true }
export type ShipAnswer = ShipReport | { readonly kind: 'failed'; readonly why: string } | { readonly kind: 'closed' }

declare const self: Worker

/** A place that is near takes some hundredths of a second: what was committed is there within one second. */
const pauseMs = 400
const againMs = { first: 1_000, last: 15_000 }

let shipper: Shipper | undefined
let isBusy = false
let isWanted = false
let isClosing = false
let wake = Promise.withResolvers<void>()

const tell = (answer: ShipAnswer): void => self.postMessage(answer)

self.onmessage = ({ data }: MessageEvent<ShipQuestion>) => {
  if ('open' in data) {
    shipper = open(data.open)
    isWanted = true
  } else if ('news' in data) {
    shipper?.take(data.news)
    isWanted = true
  } else {
    isClosing = true
    isWanted = true
    wake.resolve()
  }
  if (!isBusy) void pump()
}

const open = ({ databaseFile, keyMark, backup, cwd, formerTimes }: ShipSettings): Shipper =>
  openShipper({
    databaseFile,
    keyMark,
    target: openPlace(backup.to!, cwd, { backup }, { openFile: openHere }).target,
    formerTimes,
    passphrase: backup.withoutSecrets ? undefined : backup.passphrase,
    tell,
  })

async function pump(): Promise<void> {
  isBusy = true
  let waitMs = againMs.first
  while (isWanted) {
    isWanted = false
    try {
      await shipper?.ship()
      waitMs = againMs.first
      if (!isClosing) await pause(pauseMs)
    } catch (error) {
      tell({ kind: 'failed', why: error instanceof BackupError ? error.message : String(error) })
      // What was read is kept by the log or in memory, and the next start goes on with it.
      if (isClosing) break
      isWanted = true
      await pause(waitMs)
      waitMs = Math.min(2 * waitMs, againMs.last)
    }
  }
  isBusy = false
  if (isClosing) tell({ kind: 'closed' })
}

async function pause(ms: number): Promise<void> {
  await Promise.race([Bun.sleep(ms), wake.promise])
  wake = isClosing ? wake : Promise.withResolvers<void>()
}
