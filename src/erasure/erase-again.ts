/** Erasures that began after the restored state. The journal knows each account by a MAC of its name alone. */
import { erasedContext } from '../journal/store.ts'
import type { Parts } from '../parts.ts'
import { parseAccount } from '../wallet/account.ts'
import { finishErasure } from './slices.ts'
import { beginErasure, visitNames } from './store.ts'

/** `macs`: with the time of each erasure. Returns how many accounts were erased. */
export async function eraseAgain(parts: Parts, macs: ReadonlyMap<string, number>): Promise<number> {
  if (macs.size === 0) return 0
  const names: string[] = []
  await visitNames(parts.db, (name) => {
    if (macs.has(parts.sealer.mac(name, erasedContext))) names.push(name)
  })
  const now = parts.now()
  const { maxAgeMs, maxAheadMs } = parts.freshness
  for (const name of names) {
    // What the account stored after the erasure is not in the restored state either: all of it goes.
    const begun = await beginErasure(parts, parseAccount(name), undefined, {
      erasedAt: now,
      acceptedSince: now - maxAgeMs,
      forgetAt: now + maxAgeMs + maxAheadMs,
    })
    if (begun !== 'spent' && begun !== 'nothing') for (const erasure of begun) await finishErasure(parts, erasure)
  }
  return names.length
}
