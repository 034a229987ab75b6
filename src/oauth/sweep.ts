/** Deletes what has expired. Expiry holds without it; each step is bounded and harmless to run twice. */
import type { Parts } from '../parts.ts'
import { deleteOldClients } from './client-store.ts'
import { deleteOldCodes } from './code-store.ts'
import { deleteOldRequests } from './consent-store.ts'
import { deleteOldFamilies } from './family-store.ts'
import { deleteOldKeys } from './key-store.ts'
import { keptAfterRetirementMs } from './signing-key.ts'

export interface OAuthSweep {
  readonly requests: number
  readonly codes: number
  readonly grants: number
  readonly clients: number
  readonly signingKeys: number
}

const oneDayMs = 86_400_000

export async function sweepOAuth({
  db,
  readSure,
  config,
}: Pick<Parts, 'db' | 'readSure' | 'config'>): Promise<OAuthSweep> {
  const at = readSure()
  const { batch } = config.sweep
  return {
    requests: await deleteOldRequests(db, at, batch),
    // A code that is over can still say which grant to end, when it comes again.
    codes: await deleteOldCodes(db, at - oneDayMs, batch),
    grants: await deleteOldFamilies(db, at - oneDayMs, batch),
    clients: await deleteOldClients(db, at, at + oneDayMs, batch),
    signingKeys: await deleteOldKeys(db, at - keptAfterRetirementMs, batch),
  }
}
