/** Proofs in the database: SQL and nothing else. */

import type { Db, SqlValue, Statement } from '../db/db.ts'
import { standsProof } from '../db/erasing.ts'
import { compose, label, pick, pickDigits, pickHash, query, type RowOf } from '../db/query.ts'
import type { Sealer } from '../db/seal.ts'
import { spendSignature } from '../db/spent-signature.ts'
import { nameTurn } from '../db/turns.ts'
import { flatMapInOrder } from '../in-order.ts'
import { orderPublications, orderRevocations } from '../publishing/store.ts'
import { readWallet } from '../wallet/account.ts'
import { findAccounts, type Holder } from './account-store.ts'
import { finalities } from './finality.ts'
import { insertFollowed } from './follow-store.ts'
import { keepEnvelope } from './portable-store.ts'
import { type NewProof, type ProofRow, readFirst52Bits } from './proof.ts'
import { readAgentNames } from './record.ts'
import { summarizeRecord } from './record-summary.ts'
import { dropLinksOfUnlinked } from './share-link-store.ts'
import { insertSource, isSourceFull } from './source-store.ts'
import { updateProofStatus } from './status-store.ts'
import { visibilities } from './visibility.ts'

/** text-spent: the signed text made another proof. spent: what a verifier used up was used before. */
export type InsertOutcome =
  | 'stored'
  | 'exists'
  | 'erased'
  | 'text-spent'
  | 'spent'
  | 'name-taken'
  | 'source-ended'
  | 'source-full'

const insertAccount = 'INSERT INTO accounts (address) VALUES (?) ON CONFLICT (address) DO NOTHING'

/** Changes no row when the id is there already, or was erased within the time its signature is accepted. */
const insertProofRow = `
  INSERT INTO proofs (q52, q_hash, account_id, scope52, status, visibility, chain_id, chain, signature_method,
    signed_timestamp, created_at, updated_at, expires_at, record, finality, app_id, sponsor_wallet, agent_id, granted_to)
  SELECT ?1, unhex(?2), accounts.id, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18
  FROM accounts
  WHERE accounts.address = ?3
    AND NOT EXISTS (SELECT 1 FROM proofs WHERE q52 = ?1 AND q_hash = unhex(?2))
    AND NOT EXISTS (SELECT 1 FROM erased_proofs WHERE q52 = ?1)
  ON CONFLICT DO NOTHING`

const insertFacts = `
  INSERT INTO proof_facts (account_id, fact52, proof_id)
  SELECT proofs.account_id, CAST(fact.value AS BIGINT), proofs.id FROM proofs, json_each(?1) fact
  WHERE proofs.q52 = ?2 AND proofs.q_hash = unhex(?3)`

/** Changes no row when as many other accounts hold the name as may. */
const reserveName = `
  INSERT INTO reserved_names (name, proof_id, account_id, expires_at)
  SELECT ?1, id, account_id, expires_at FROM proofs
  WHERE q52 = ?2 AND q_hash = unhex(?3)
    AND (
      SELECT count(DISTINCT held.account_id) FROM reserved_names held
      WHERE held.name = ?1 AND held.account_id <> proofs.account_id AND ${standsProof('held')}
        AND (held.expires_at IS NULL OR held.expires_at > ?4)
    ) < ?5`

const insertSummary = `
  INSERT INTO record_summaries (proof_id, summary)
  SELECT id, ?1 FROM proofs WHERE q52 = ?2 AND q_hash = unhex(?3)`

const insertContent = `
  INSERT INTO contents (proof_id, content, sealed)
  SELECT id, ?1, ?2 FROM proofs WHERE q52 = ?3 AND q_hash = unhex(?4)`

/**
 * Wallets whose account row was seen: the usual insert is then one statement. It is only a hint, because an erasure may
 * come between. Without the row the insert changes nothing and is repeated with it.
 */
const seenAccounts = new WeakMap<Db, Set<string>>()
const maxSeenAccounts = 100_000

function readSeenAccounts(db: Db): Set<string> {
  const seen = seenAccounts.get(db) ?? new Set()
  if (seen.size >= maxSeenAccounts) seen.clear()
  seenAccounts.set(db, seen)
  return seen
}

/** Stores the proof with its content, its name, its spent marks and its publishing orders, all or nothing. */
export const insertProof = (db: Db, sealer: Sealer, proof: NewProof): Promise<InsertOutcome> =>
  insertOnce(db, sealer, proof, readSeenAccounts(db).has(proof.row.account))

/** `isSeen` leaves the account's row out of the write. */
async function insertOnce(db: Db, sealer: Sealer, proof: NewProof, isSeen: boolean): Promise<InsertOutcome> {
  const { row } = proof
  const seen = readSeenAccounts(db)
  const account: Statement[] = isSeen ? [] : [{ sql: insertAccount, params: [row.account] }]
  const text = spendSignature(proof.text, row.qHash)
  const used = spendSignature(proof.spends)
  const statements = [
    ...account,
    writeProof(proof),
    ...text,
    ...used,
    ...listBelongings(sealer, proof),
    // Last, so that it is known which statement refused.
    ...(proof.source ? [insertSource(row.qHash, proof.source)] : []),
  ]
  const result = await db.write(statements)
  if ('changes' in result) {
    seen.add(row.account)
    return 'stored'
  }
  if (proof.source && result.refusedAt === statements.length - 1)
    return (await isSourceFull(db, proof.source.id)) ? 'source-full' : 'source-ended'
  // The row comes first, so that the same request twice is the same proof.
  const afterRow = result.refusedAt - account.length - 1
  if (afterRow >= 0) {
    if (afterRow < text.length) return 'text-spent'
    return afterRow < text.length + used.length ? 'spent' : 'name-taken'
  }
  if (await findProof(db, row.qHash)) return 'exists'
  if (!isSeen) return 'erased'
  // Every request that relied on the hint is repeated, not only the first one that finds it wrong.
  seen.delete(row.account)
  return insertOnce(db, sealer, proof, false)
}

function writeProof({ row, scope52, recordText, reserves, source }: NewProof): Statement {
  const { agentId, grantedTo } = readAgentNames(row.record, row.visibility)
  const params = [
    readFirst52Bits(row.qHash),
    row.qHash.slice(2),
    row.account,
    scope52,
    row.status,
    row.visibility,
    row.context.chainId ?? null,
    row.context.chain ?? null,
    row.signatureMethod,
    row.signedTimestamp,
    row.createdAt,
    row.expiresAt,
    recordText,
    row.finality,
    row.appId,
    row.sponsorWallet,
    agentId,
    grantedTo,
  ]
  const turns = [
    nameTurn('account', row.account),
    ...(reserves ? [nameTurn('name', reserves.name)] : []),
    ...(source?.id ? [nameTurn('source', source.id)] : []),
  ]
  return { sql: insertProofRow, must: true, params, turns }
}

/**
 * The dependent rows of a proof: facts, short form of a large record, name, content and portable form. They also
 * include its publishing orders.
 */
function listBelongings(
  sealer: Sealer,
  { row, recordText, facts, followed, reserves, content, portable }: NewProof,
): Statement[] {
  const id: SqlValue[] = [readFirst52Bits(row.qHash), row.qHash.slice(2)]
  const statements: Statement[] = [
    { sql: insertFacts, params: [`[${facts}]`, ...id] },
    ...followed.map((block) => insertFollowed(row, block)),
  ]
  const summary = summarizeRecord(row.record, recordText)
  if (summary !== undefined) statements.push({ sql: insertSummary, must: true, params: [summary, ...id] })
  if (reserves)
    statements.push({
      sql: reserveName,
      must: true,
      params: [reserves.name, ...id, row.createdAt, reserves.holders ?? 1],
    })
  if (content !== undefined) {
    const isSealed = row.visibility === visibilities.private || needsSeal(content)
    const kept = isSealed ? [null, sealer.seal(content, writeContentContext(row.qHash))] : [content, null]
    statements.push({ sql: insertContent, must: true, params: [...kept, ...id] })
  }
  if (portable !== undefined) statements.push(keepEnvelope(sealer, row.qHash, portable))
  const { publishing } = row.record
  if (publishing)
    statements.push(...orderPublications(publishing, readFirst52Bits(row.qHash), row.qHash, row.createdAt))
  return statements
}

/** What sealed content is bound to. */
/** PostgreSQL keeps no U+0000 in a text. Sealed, the content comes back with every character that was signed. */
export const needsSeal = (content: string): boolean => content.includes('\0')

export const writeContentContext = (qHash: string): string => `content:${qHash}`

/** Everything but the record, which may be long. `a` is accounts, `p` is proofs. */
const ownColumns = pick(
  'proofs p',
  'id',
  'status',
  'visibility',
  'superseded',
  'chainId',
  'chain',
  'signatureMethod',
  'signedTimestamp',
  'createdAt',
  'updatedAt',
  'revokedAt',
  'expiresAt',
  'finality',
  'appId',
  'sponsorWallet',
)
export const headColumns = compose`${ownColumns}, ${pickDigits('proofs p', 'qHash')}, ${pick('accounts a', 'address')}`
export const rowColumns = compose`${headColumns}, ${pick('proofs p', 'record')}`

export type RawRow = RowOf<typeof rowColumns>

const selectByQHash = query<[number, string]>()`
  SELECT ${rowColumns} FROM proofs p JOIN accounts a ON a.id = p.account_id
  WHERE p.q52 = ?1 AND p.q_hash = unhex(?2) AND ${standsProof('p')}`

const selectNewest = (ids: string) => query<[scope52: number, account: number, other: number]>()`
  SELECT ${rowColumns} FROM (${ids} ORDER BY id DESC LIMIT 1) f
  CROSS JOIN proofs p ON p.id = f.id CROSS JOIN accounts a ON a.id = p.account_id`

/** The plus keeps the planner from walking the whole account. */
const selectLatestListed = selectNewest(
  'SELECT id FROM proofs WHERE scope52 = ?1 AND +account_id IN (?2, ?3) AND visibility = 2 AND revoked_at IS NULL',
)

/** One walk along the facts for each account, of the current runs and of those before. */
const selectLatestOfAll = selectNewest(
  ['?2', '?3']
    .flatMap((account) => ['', '-'].map((sign) => ({ account, sign })))
    .map(
      ({ account, sign }) => `
      SELECT f.proof_id AS id FROM proof_facts f CROSS JOIN proofs r ON r.id = f.proof_id
      WHERE f.account_id = ${account} AND f.fact52 = ${sign}?1 AND r.revoked_at IS NULL`,
    )
    .join(' UNION ALL '),
)

const selectScope = query<[number, string]>()`
  SELECT ${pick('proofs p', 'scope52')}
  FROM proofs p WHERE q52 = ?1 AND q_hash = unhex(?2) AND ${standsProof('p')}`

export function makeProofRow(raw: RawRow): ProofRow {
  const { address, superseded, chainId, chain, record, qHash, ...rest } = raw
  return {
    ...rest,
    qHash: `0x${qHash}`,
    account: address,
    walletAddress: readWallet(address),
    isSuperseded: superseded === 1,
    context: chain === null ? { chainId: chainId ?? 0 } : { chain },
    record: JSON.parse(record),
  }
}

/** The proof of an id, in either case of its hexadecimal digits. */
export async function findProof(db: Db, qHash: string): Promise<ProofRow | undefined> {
  const raw = await db.read(selectByQHash).get(readFirst52Bits(qHash), qHash.slice(2))
  return raw ? makeProofRow(raw) : undefined
}

export type StatusRow = Pick<
  ProofRow,
  'status' | 'visibility' | 'createdAt' | 'updatedAt' | 'revokedAt' | 'expiresAt' | 'finality'
>

/** Rows of other hashes may begin with the same 52 bits. */
const selectStatuses = query<[q52s: string]>()`
  SELECT ${pickHash('proofs p', 'qHash')},
    ${pick('proofs p', 'status', 'visibility', 'createdAt', 'updatedAt', 'revokedAt', 'expiresAt', 'finality')}
  FROM json_each(?1) asked CROSS JOIN proofs p ON p.q52 = CAST(asked.value AS BIGINT)
  WHERE ${standsProof('p')}`

/** The columns of status lines, without the records, by id in lower case. One statement costs half of one for each id. */
export async function findStatuses(db: Db, qHashes: readonly string[]): Promise<ReadonlyMap<string, StatusRow>> {
  const rows = await db.read(selectStatuses).all(JSON.stringify(qHashes.map(readFirst52Bits)))
  return new Map(rows.map((row) => [row.qHash, row]))
}

/** The newest run of a claim: of the listed ones, which are found without walking past others, or of all. */
export async function findLatestOfScope(
  db: Db,
  scope52: number,
  holder: Holder,
  among: 'listed' | 'all',
): Promise<ProofRow | undefined> {
  const select = among === 'listed' ? selectLatestListed : selectLatestOfAll
  const [account, other = account] = await findAccounts(db, holder)
  if (account === undefined || other === undefined) return undefined
  const raw = await db.read(select).get(scope52, account, other)
  return raw ? makeProofRow(raw) : undefined
}

export const findScope52 = async (db: Db, qHash: string): Promise<number | undefined> =>
  (await db.read(selectScope).get(readFirst52Bits(qHash), qHash.slice(2)))?.scope52

const selectContent = query<[number]>()`
  SELECT ${pick('contents', 'content', 'sealed')}
  FROM contents WHERE proof_id = ?1`

/** The kept original content, opened when it is sealed. */
export async function findContent(
  db: Db,
  sealer: Sealer,
  { id, qHash }: Pick<ProofRow, 'id' | 'qHash'>,
): Promise<string | undefined> {
  const row = await db.read(selectContent).get(id)
  if (!row) return undefined
  return row.content ?? (row.sealed === null ? undefined : sealer.open(row.sealed, writeContentContext(qHash)))
}

const selectContentSizes = query<[number, string]>()`
  SELECT octet_length(coalesce(c.content, c.sealed)) AS ${label('bytes', 'number')}
  FROM proofs p CROSS JOIN contents c ON c.proof_id = p.id WHERE p.q52 = ?1 AND p.q_hash = unhex(?2)`

/** Bytes of the kept content of each proof, as it is stored, by the id of the proof. */
export async function findContentSizes(db: Db, qHashes: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const find = db.read(selectContentSizes)
  return new Map(
    await flatMapInOrder(qHashes, async (qHash) => {
      const bytes = (await find.get(readFirst52Bits(qHash), qHash.slice(2)))?.bytes
      return bytes === undefined ? [] : [[qHash, bytes] as const]
    }),
  )
}

/**
 * Mark the proof revoked, set free what it held and order that the chains that hold it hear of it. The first of them
 * changes no row when some earlier call did all this already. The same holds when the proof was erased, and another one
 * has its row number.
 */
export const listRevocationStatements = (
  proof: Pick<ProofRow, 'id' | 'qHash' | 'account' | 'walletAddress' | 'record'>,
  revokedAt: number,
  isReplaced = false,
): readonly [Statement, ...Statement[]] => [
  {
    sql: `UPDATE proofs SET revoked_at = ?1, updated_at = ?1,
            finality = CASE WHEN finality = ${finalities.replaced} AND ?3 = 0 THEN ${finalities.followed} ELSE finality END
          WHERE id = ?2 AND q_hash = unhex(?4) AND revoked_at IS NULL`,
    params: [revokedAt, proof.id, isReplaced ? 1 : 0, proof.qHash.slice(2)],
    turns: [nameTurn('account', proof.account)],
  },
  { sql: 'DELETE FROM reserved_names WHERE proof_id = ?1', params: [proof.id] },
  { sql: 'DELETE FROM access_grants WHERE proof_id = ?1', params: [proof.id] },
  { sql: 'DELETE FROM share_links WHERE proof_id = ?1', params: [proof.id] },
  ...dropLinksOfUnlinked(proof),
  ...(proof.record.publishing
    ? [...orderRevocations(proof.id, revokedAt), updateProofStatus(proof.id, revokedAt)]
    : []),
]

/** False when some earlier call already did. */
export async function markRevoked(db: Db, proof: ProofRow, revokedAt: number, isReplaced = false): Promise<boolean> {
  const [mark, ...others] = listRevocationStatements(proof, revokedAt, isReplaced)
  return 'changes' in (await db.write([{ ...mark, must: true }, ...others], 'free'))
}

const selectSealedContent = query<[]>()`
  SELECT ${pick('proofs p', 'id')},
    ${pickHash('proofs p', 'qHash')}
  FROM contents c JOIN proofs p ON p.id = c.proof_id WHERE c.sealed IS NOT NULL LIMIT 1`

/** One proof whose content is sealed. */
export const findSealedContent = (db: Db): Promise<Pick<ProofRow, 'id' | 'qHash'> | null> =>
  db.read(selectSealedContent).get()
