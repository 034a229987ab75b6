/**
 * People who make proofs, take rewards for them and revoke some, each one thing after another, with a client that asks
 * again until it has an answer. So the database must hold what they were told, and nothing else.
 */
import { claimSigned, makeFastWalletAt, ownerSigned, type Signer } from '../parts/fast-wallet.ts'
import { type Answer, post } from './client.ts'
import { openSql } from './cluster.ts'

export interface Book {
  /** What the answers said, by qHash. */
  readonly proofs: Map<string, 'stands' | 'revoked'>
  readonly grants: Map<string, string>
  /** Answers that should never come. */
  readonly surprises: string[]
  /** When each change was acknowledged, by performance.now(), and how long it took. */
  readonly acknowledged: { readonly at: number; readonly ms: number }[]
  /** Answers that took more than one try. */
  retried: number
  /** Why the slowest was asked again. */
  slowest: { readonly ms: number; readonly reasons: readonly string[] }
}

export interface Load {
  readonly book: Book
  /** Resolves once every client has the answer to its last question. Errors: a client that was never answered. */
  stop(): Promise<void>
}

export interface LoadOptions {
  readonly url: string
  readonly clients: number
  /** A gate without limits. */
  readonly gateId: string
}

let people = 0

export function startLoad({ url, clients, gateId }: LoadOptions): Load {
  const book: Book = {
    proofs: new Map(),
    grants: new Map(),
    surprises: [],
    acknowledged: [],
    retried: 0,
    slowest: { ms: 0, reasons: [] },
  }
  let isOver = false
  const note = async (asked: Promise<Answer>, what: string): Promise<Answer> => {
    const at = performance.now()
    const answer = await asked
    if (answer.reasons.length > 0) book.retried++
    const ms = performance.now() - at
    if (ms > book.slowest.ms) book.slowest = { ms, reasons: answer.reasons }
    if (answer.status === 200) book.acknowledged.push({ at: at + ms, ms })
    else book.surprises.push(`${what}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`)
    return answer
  }
  const live = async (wallet: Signer): Promise<void> => {
    for (let number = 0; !isOver; number++) {
      const made = await note(post(url, '/api/v1/verification', await claim(wallet, number)), 'create')
      const qHash: string | undefined = made.body?.data?.qHash
      if (made.status !== 200 || qHash === undefined) continue
      book.proofs.set(qHash, 'stands')
      const asked = { qHash, ...(await ownerSigned(wallet, { action: 'fulfill_gate', gateId, qHash })) }
      const given = await note(post(url, `/api/v1/profile/gates/${gateId}/fulfill`, asked), 'fulfill')
      if (given.status === 200) book.grants.set(qHash, JSON.stringify(given.body.data))
      if (number % 4 !== 3) continue
      const ending = await ownerSigned(wallet, { action: 'revoke_proof', qHash })
      const ended = await note(post(url, `/api/v1/proofs/revoke-self/${qHash}`, ending), 'revoke')
      if (ended.status === 200) book.proofs.set(qHash, 'revoked')
    }
  }
  const running = Promise.all(Array.from({ length: clients }, () => live(makeFastWalletAt(++people))))
  running.catch(() => {})
  return {
    book,
    async stop() {
      isOver = true
      await running
    },
  }
}

const claim = (wallet: Signer, number: number): Promise<object> =>
  claimSigned(wallet, {
    data: { owner: wallet.address, content: `Number ${number} ${'x'.repeat((number * 37) % 1_500)}` },
    options: { storeOriginalContent: number % 3 === 0, privacyLevel: number % 2 ? 'public' : 'private' },
  })

/** How the database differs from what was answered. */
export async function compareBooks(database: string, { proofs, grants }: Book, gateId: string): Promise<object> {
  const sql = openSql(database)
  const rows = (await sql.unsafe(
    `SELECT '0x' || lower(hex(q_hash)) AS "qHash", revoked_at IS NOT NULL AS revoked FROM proofs`,
  )) as { qHash: string; revoked: boolean }[]
  const stored = new Map(rows.map(({ qHash, revoked }) => [qHash, revoked ? 'revoked' : 'stands']))
  const given = (await sql.unsafe(
    `SELECT '0x' || lower(hex(f.q_hash)) AS "qHash" FROM fulfillments f JOIN gates g ON g.id = f.gate
     WHERE g.gate_id = $1 AND f.state = 'granted'`,
    [gateId],
  )) as { qHash: string }[]
  const [gate] = (await sql.unsafe('SELECT fulfilled_count::integer AS n FROM gates WHERE gate_id = $1', [gateId])) as {
    n: number
  }[]
  await sql.close()
  return {
    lost: [...proofs].filter(([qHash, state]) => stored.get(qHash) !== state).map(([qHash]) => qHash),
    unasked: [...stored.keys()].filter((qHash) => !proofs.has(qHash)),
    lostGrants: [...grants.keys()].filter((qHash) => !given.some((one) => one.qHash === qHash)),
    doubledGrants: given.length - new Set(given.map(({ qHash }) => qHash)).size,
    unaskedGrants: given.filter(({ qHash }) => !grants.has(qHash)).length,
    miscounted: gate!.n - given.length,
  }
}

export const noDifference = {
  lost: [],
  unasked: [],
  lostGrants: [],
  doubledGrants: 0,
  unaskedGrants: 0,
  miscounted: 0,
}
