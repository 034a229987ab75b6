/**
 * Takes away again what the journal says was taken away after the restored state. Each row says the newest state of its
 * thing, so their order matters only between kinds: payments before what they bought, and erasures last.
 */
import { revokeKeyAgain } from '../auth/restoring-store.ts'
import type { SqlValue, Statement } from '../db/db.ts'
import { eraseAgain } from '../erasure/erase-again.ts'
import { type FulfillmentCopy, giveAgain } from '../gates/fulfill/restoring-store.ts'
import { closeGateAgain, type GateState, removeGuestAgain } from '../gates/restoring-store.ts'
import { type JournalKind, type JournalRow, journalKinds } from '../journal/store.ts'
import { dropConsentAgain, revokeGrantAgain } from '../oauth/restoring-store.ts'
import { dropOperatorAgain } from '../operator/restoring-store.ts'
import type { Parts } from '../parts.ts'
import { oweAgain, type PaymentCopy, takePaymentAgain, type UnmatchedCopy } from '../payments/restoring-store.ts'
import { deleteProfile } from '../people/leave.ts'
import { findProfileBySubject } from '../profiles/store.ts'
import { endGrantAgain, endShareLinkAgain } from '../proofs/restoring-store.ts'
import { findProof, markRevoked } from '../proofs/store.ts'
import type { Visibility } from '../proofs/visibility.ts'
import { setVisibility } from '../proofs/visibility-store.ts'
import { revokeSecretAgain } from '../secrets/restoring-store.ts'

type Detail = Readonly<Record<string, SqlValue | boolean>>

interface Taken extends Pick<JournalRow, 'at' | 'thing'> {
  readonly detail: Detail
}

type Replay = (parts: Parts, taken: Taken) => Promise<unknown>

const write =
  (makeStatements: (taken: Taken) => readonly (readonly Statement[])[]): Replay =>
  async ({ db }, taken) => {
    for (const statements of makeStatements(taken)) await db.write(statements, 'free')
  }

/** Of things that can come back, the journal also says that they did. */
const whereRemoved =
  (makeStatements: (names: readonly string[]) => readonly Statement[]): Replay =>
  async ({ db }, { thing, detail }) => {
    if (detail.isRemoved) await db.write(makeStatements(thing.startsWith('[') ? JSON.parse(thing) : [thing]), 'free')
  }

async function revokeAgain({ db }: Parts, qHash: string, revokedAt: number): Promise<void> {
  const proof = await findProof(db, qHash)
  if (proof) await markRevoked(db, proof, revokedAt)
}

async function showAgain(parts: Parts, qHash: string, visibility: Visibility, changedAt: number): Promise<void> {
  const proof = await findProof(parts.db, qHash)
  if (proof && proof.visibility !== visibility)
    await setVisibility(parts, { proof, visibility, changedAt, spent: undefined })
}

const readTime = ({ detail, at }: Taken): number => Number(detail.revokedAt ?? at)

const replays: Readonly<Record<Exclude<JournalKind, 'erased account' | 'restore'>, Replay>> = {
  'revoked proof': (parts, taken) => revokeAgain(parts, `0x${taken.thing}`, readTime(taken)),
  visibility: (parts, { thing, detail, at }) => showAgain(parts, `0x${thing}`, detail.visibility as Visibility, at),
  'access key': write((taken) => [[revokeKeyAgain(taken.thing, readTime(taken))]]),
  'oauth grant': write((taken) => [
    [revokeGrantAgain(taken.thing, readTime(taken), (taken.detail.reason as string | null) ?? null)],
  ]),
  'oauth consent': whereRemoved(([subject = '', client = '', host = '']) => [dropConsentAgain(subject, client, host)]),
  profile: async (parts, { thing }) => {
    const profile = await findProfileBySubject(parts.db, thing)
    if (profile) await deleteProfile(parts, { profile })
  },
  secret: write((taken) => [[revokeSecretAgain(taken.thing, readTime(taken))]]),
  guest: whereRemoved(([gateId = '', wallet = '', chain = '']) => removeGuestAgain(gateId, wallet, chain)),
  'access grant': whereRemoved(([qHash = '', viewer = '', source = '']) => [endGrantAgain(qHash, viewer, source)]),
  'share link': write(({ thing }) => [[endShareLinkAgain(thing)]]),
  operator: whereRemoved(([account = '']) => [dropOperatorAgain(account)]),
  'gate state': write(({ thing, detail }) => [[closeGateAgain(thing, detail as unknown as GateState)]]),
  payment: write(({ detail }) => [[takePaymentAgain(detail as unknown as PaymentCopy)]]),
  fulfillment: write(({ detail }) => giveAgain(detail as unknown as FulfillmentCopy)),
  'unmatched payment': write(({ detail }) => [[oweAgain(detail as unknown as UnmatchedCopy)]]),
}

const order: readonly JournalKind[] = ['payment', 'fulfillment', 'unmatched payment']

/** Returns how many rows of each kind there were. Rows of kinds that a newer build wrote are counted as `unknown`. */
export async function replayJournal(
  parts: Parts,
  rows: readonly JournalRow[],
): Promise<Readonly<Record<string, number>>> {
  const kinds = [
    ...order,
    ...journalKinds.filter((kind) => !order.includes(kind) && kind !== 'erased account' && kind !== 'restore'),
  ]
  const counts: Record<string, number> = {}
  for (const kind of kinds as (keyof typeof replays)[])
    for (const { at, thing, detail } of rows.filter((row) => row.kind === kind)) {
      await replays[kind](parts, { at, thing, detail: JSON.parse(detail) })
      counts[kind] = (counts[kind] ?? 0) + 1
    }
  const erased = new Map(rows.filter(({ kind }) => kind === 'erased account').map(({ thing, at }) => [thing, at]))
  if (erased.size > 0) counts['erased account'] = await eraseAgain(parts, erased)
  const unknown = rows.filter(({ kind }) => !(journalKinds as readonly string[]).includes(kind)).length
  return unknown > 0 ? { ...counts, unknown } : counts
}
