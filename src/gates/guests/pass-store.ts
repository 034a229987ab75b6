/**
 * Passes of listed wallets: SQL and nothing else. A pass is made by a signed action of the wallet, or by its session. A
 * purchase names it where others name a proof.
 */
import type { Db, Statement } from '../../db/db.ts'
import { type ErasureStage, isFound, selectEarlier, standsPass, standsProof } from '../../db/erasing.ts'
import { label, pick, pickHash, query, type RowOf } from '../../db/query.ts'
import type { ProofRow } from '../../proofs/proof.ts'
import { findProof } from '../../proofs/store.ts'
import { visibilities } from '../../proofs/visibility.ts'
import { type AccountText, parseAccount } from '../../wallet/account.ts'
import { holdGate } from '../hold-store.ts'
import { guestListId } from './guest-list.ts'

const graceMs = 86_400_000

const selectPass = query<[digits: string]>()`
  SELECT ${pick('guest_passes gp', 'wallet', 'createdAt')} FROM guest_passes gp WHERE gp.pass = unhex(?1) AND ${standsPass('gp')}`

/** What names a pass: something was given for it, a payment is under way, or one is owed. */
const namesPass = (pass: string): string => {
  const isPair = `n.gate = ${pass}.gate AND n.q_hash = ${pass}.pass`
  return `(
    EXISTS (SELECT 1 FROM fulfillments n WHERE ${isPair})
    OR EXISTS (SELECT 1 FROM reservations n WHERE ${isPair})
    OR EXISTS (SELECT 1 FROM settlements n WHERE ${isPair})
    OR EXISTS (SELECT 1 FROM checkouts n WHERE ${isPair})
    OR EXISTS (SELECT 1 FROM quotes n WHERE ${isPair})
    OR EXISTS (SELECT 1 FROM unmatched_payments n WHERE n.wallet = ${pass}.wallet AND ${isPair}))`
}

const selectOfWallet = query<[wallet: string, gate: number]>()`
  SELECT ${pickHash('guest_passes gp', 'pass')}, ${namesPass('gp')} AS ${label('isNamed', 'number')}
  FROM guest_passes gp WHERE gp.wallet = ?1 AND gp.gate = ?2 AND ${standsPass('gp')}`

/** `isNamed`: by what was given for it, or by a payment. */
export const findPass = async (db: Db, gate: number, wallet: AccountText) =>
  (await db.read(selectOfWallet).get(wallet, gate)) ?? undefined

const selectGateOfPass = query<[digits: string]>()`
  SELECT ${pick('guest_passes gp', 'gate', 'wallet')} FROM guest_passes gp
  WHERE gp.pass = unhex(?1) AND ${standsPass('gp')}`

/** The gate and the wallet of a pass. */
export const findGateOfPass = async (db: Db, pass: string) =>
  (await db.read(selectGateOfPass).get(pass.slice(2))) ?? undefined

/** The next look: none while the wallet is on the list, on whichever chain. It may have left at this moment. */
const nextLook = (gate: string, wallet: string, later: string): string =>
  `CASE WHEN EXISTS (SELECT 1 FROM gate_guests g WHERE g.gate = ${gate} AND g.wallet = ${wallet})
     THEN NULL ELSE CAST(${later} AS BIGINT) END`

const insertPass = `
  INSERT INTO guest_passes (pass, gate, wallet, created_at, look_at)
  SELECT unhex(?1), ?2, ?3, ?4, ${nextLook('?2', '?5', '?6')} WHERE true
  ON CONFLICT (wallet, gate) DO NOTHING`

const keepPass = `
  UPDATE guest_passes SET look_at = ${nextLook('guest_passes.gate', '?2', '?3')} WHERE pass = unhex(?1)`

/** `first`: what must be possible too. False where it is not. */
export async function storePass(
  db: Db,
  {
    pass,
    gate,
    wallet,
    now,
  }: { readonly pass: string; readonly gate: number; readonly wallet: AccountText; readonly now: number },
  first: readonly Statement[],
): Promise<boolean> {
  const result = await db.write([
    ...first,
    holdGate({ gate, buyer: wallet }),
    { sql: insertPass, params: [pass.slice(2), gate, wallet, now, parseAccount(wallet).wallet, now + graceMs] },
  ])
  return 'changes' in result
}

/** The proof that a purchase names, or the pass in its place. Undefined where there is neither. */
export async function findNamed(db: Db, qHash: string): Promise<ProofRow | undefined> {
  const proof = await findProof(db, qHash)
  if (proof) return proof
  const row = await db.read(selectPass).get(qHash.slice(2))
  return row ? showAsProof(qHash.toLowerCase(), row.wallet, row.createdAt) : undefined
}

/** A pass says nothing but whose it is, and counts as long as its wallet is on the list. */
function showAsProof(qHash: string, account: string, createdAt: number): ProofRow {
  const { wallet, contractOn } = parseAccount(account)
  return {
    id: 0,
    qHash,
    account,
    walletAddress: wallet,
    context: { chain: contractOn ?? 'eip155:1' },
    status: 'verified',
    visibility: visibilities.private,
    isSuperseded: false,
    signatureMethod: null,
    signedTimestamp: createdAt,
    createdAt,
    updatedAt: createdAt,
    revokedAt: null,
    expiresAt: null,
    finality: null,
    appId: null,
    sponsorWallet: null,
    record: { verifierIds: [guestListId], rows: [], meta: {}, storeOriginalContent: false },
  }
}

export const isPass = ({ id, record }: Pick<ProofRow, 'id' | 'record'>): boolean =>
  id === 0 && record.verifierIds[0] === guestListId

/**
 * The proof or the pass that a purchase names, as a table with `q_hash`. ?1 is the gate, ?2 and ?3 its id, ?4 the
 * wallet, and `now` the parameter of the time.
 */
export const selectNamed = (now: string): string => `
  SELECT p.q_hash AS q_hash FROM proofs p
  WHERE p.q52 = ?2 AND p.q_hash = unhex(?3) AND p.revoked_at IS NULL
    AND (p.expires_at IS NULL OR p.expires_at > ${now}) AND ${standsProof('p')}
  UNION ALL
  SELECT gp.pass AS q_hash FROM guest_passes gp
  WHERE gp.pass = unhex(?3) AND gp.gate = ?1 AND gp.wallet = ?4 AND ${standsPass('gp')}`

/** What names a pass may go, so the sweep looks at it again. */
const lookedAgainMs = 30 * graceMs

/** The sweep looks at passes whose wallet left the list. They may come back within a day. */
export const watchPasses = (gateId: string, now: number): Statement => ({
  sql: `UPDATE guest_passes SET look_at = ?2
        WHERE gate = (SELECT id FROM gates WHERE gate_id = ?1) AND look_at IS NULL
          AND NOT EXISTS (
            SELECT 1 FROM gate_guests g WHERE g.gate = guest_passes.gate AND g.wallet = guest_passes.wallet)`,
  params: [gateId, now + graceMs],
})

const selectDue = query<[at: number, limit: number]>()`
  SELECT ${pickHash('guest_passes', 'pass')}, ${pick('guest_passes', 'gate', 'wallet')}
  FROM guest_passes WHERE look_at <= ?1 ORDER BY look_at LIMIT ?2`

export type DuePass = RowOf<typeof selectDue>

export const listDuePasses = (db: Db, at: number, limit: number): Promise<DuePass[]> =>
  db.read(selectDue).all(at, limit)

/** Deletes the withdrawn ones that nothing names. Those of listed wallets are looked at after the next change. */
export async function settlePasses(
  db: Db,
  { withdrawn, listed }: { readonly withdrawn: readonly DuePass[]; readonly listed: readonly DuePass[] },
  at: number,
): Promise<void> {
  const chosen = 'pass IN (SELECT unhex(value) FROM json_each(?1))'
  const writeDigits = (passes: readonly DuePass[]): string => JSON.stringify(passes.map(({ pass }) => pass.slice(2)))
  // In one order for all, so that two of them never wait for each other.
  const gates = [...new Set([...withdrawn, ...listed].map(({ gate }) => gate))].sort((a, b) => a - b)
  await db.write([
    ...gates.map((gate) => holdGate({ gate, buyer: null })),
    {
      sql: `DELETE FROM guest_passes WHERE ${chosen} AND NOT ${namesPass('guest_passes')}`,
      params: [writeDigits(withdrawn)],
    },
    {
      sql: `UPDATE guest_passes SET look_at = ?2 WHERE ${chosen}`,
      params: [writeDigits(withdrawn), at + lookedAgainMs],
    },
    ...listed.map(({ pass, wallet }) => ({
      sql: keepPass,
      params: [pass.slice(2), parseAccount(wallet).wallet, at + graceMs],
    })),
  ])
}

const selectPasses = (erasure: Parameters<ErasureStage['slice']>[0]) =>
  selectEarlier(erasure, 'SELECT pass FROM guest_passes')

export const erasureOfPasses: ErasureStage = {
  isLeft: (db, erasure) => isFound(db, selectPasses(erasure)),
  slice(erasure, rows) {
    const { sql, params } = selectPasses(erasure)
    return [{ sql: `DELETE FROM guest_passes WHERE pass IN (${sql} LIMIT ?)`, params: [...params, rows] }]
  },
}
