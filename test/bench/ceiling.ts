import { Database } from 'bun:sqlite'
import type { BuiltAddon } from '../../src/wallet/recovery/built.ts'
import {
  addressOf,
  canonicalJson,
  didOf,
  keccak256,
  personalHash,
  qHashOf,
  type Subset,
  signerString,
} from './envelope.ts'
import { loadSecp256k1 } from './secp256k1.ts'

/**
 * The ceiling: the main job in a straight line. Native recovery, prepared statements, group commit, lean keys; no
 * framework and no validation whatever. The difference to the real server is the price of everything else. Not a server
 * to copy: it trusts the shape of every byte it is sent.
 */
interface Proof {
  readonly qHash: string
  readonly wallet: string
  readonly now: number
  readonly evidence: string
  /** Keys of entries. */
  readonly content: number
  readonly reference: number
  /** SHA-256 of the signed text. */
  readonly text: string
}

const { PORT = '3000', DATA = '.', RECOVERY_ADDON } = process.env
const recover: Recover = RECOVERY_ADDON ? require(RECOVERY_ADDON).recover : makePackagedRecover()

const readKey = (digits: string): number => Number.parseInt(digits.slice(0, 12), 16)

const db = new Database(`${DATA}/ceiling.db`, { create: true, strict: true })
db.run('PRAGMA journal_mode = WAL')
db.run('PRAGMA synchronous = FULL')
// As ours: 64 MiB of log, copied between two commits.
db.run('PRAGMA wal_autocheckpoint = 0')
const walLimitPages = 16_384
// Integer keys: the first 48 bits of the qHash find the row, the whole qHash decides. Both indexes stay small.
db.run(
  `CREATE TABLE IF NOT EXISTS wallets (id INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE, proofs INTEGER NOT NULL DEFAULT 0) STRICT`,
)
db.run(`CREATE TABLE IF NOT EXISTS proofs (
  id INTEGER PRIMARY KEY, q_key INTEGER NOT NULL, q_hash BLOB NOT NULL, wallet_id INTEGER NOT NULL, status INTEGER NOT NULL,
  chain_id INTEGER NOT NULL, signed_at INTEGER NOT NULL, created_at INTEGER NOT NULL, evidence TEXT NOT NULL) STRICT`)
db.run('CREATE INDEX IF NOT EXISTS proofs_by_q_key ON proofs (q_key)')
// By which the proofs of a wallet are found, all of them, by content, by reference, and the earlier runs of a claim.
db.run(`CREATE TABLE IF NOT EXISTS entries (
  wallet_id INTEGER NOT NULL, key INTEGER NOT NULL, proof_id INTEGER NOT NULL, PRIMARY KEY (wallet_id, key, proof_id)
) STRICT, WITHOUT ROWID`)
// A text that was signed makes one proof. In the order of time.
db.run(
  'CREATE TABLE IF NOT EXISTS spent (signed_at INTEGER NOT NULL, digest BLOB NOT NULL, PRIMARY KEY (signed_at, digest)) STRICT, WITHOUT ROWID',
)

const begin = db.prepare('BEGIN IMMEDIATE')
const commit = db.prepare('COMMIT')
const savepoint = db.prepare('SAVEPOINT one')
const release = db.prepare('RELEASE one')
const rollback = db.prepare('ROLLBACK TO one')
const findProof = db.prepare<{ created_at: number }, [number, string]>(
  'SELECT created_at FROM proofs WHERE q_key = ? AND q_hash = unhex(?)',
)
const insertProof = db.prepare<never, [number, string, number, number, number, number, string]>(
  'INSERT INTO proofs (q_key, q_hash, wallet_id, status, chain_id, signed_at, created_at, evidence) VALUES (?, unhex(?), ?, 1, ?, ?, ?, ?)',
)
const insertWallet = db.prepare<{ id: number }, [string]>(
  'INSERT INTO wallets (address) VALUES (?) ON CONFLICT DO UPDATE SET address = excluded.address RETURNING id',
)

const insertEntries = db.prepare<never, number[]>(
  'INSERT INTO entries (wallet_id, key, proof_id) VALUES (?1, 0, ?2), (?1, ?3, ?2), (?1, ?4, ?2), (?1, ?5, ?2)',
)
const countProof = db.prepare<never, [number]>('UPDATE wallets SET proofs = proofs + 1 WHERE id = ?')
const insertSpent = db.prepare<never, [number, string]>('INSERT INTO spent (signed_at, digest) VALUES (?, unhex(?))')
const checkpoint = db.prepare<{ log: number }, []>('PRAGMA wal_checkpoint(NOOP)')
const copyLog = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')

const walletIds = new Map<string, number>()

function walletId(address: string): number {
  const known = walletIds.get(address)
  if (known !== undefined) return known
  const { id } = insertWallet.get(address)!
  walletIds.set(address, id)
  return id
}

interface Waiting {
  readonly proof: Proof
  readonly subset: Subset
  readonly answer: (createdAt: number) => void
  readonly fail: (reason: unknown) => void
}

let waiting: Waiting[] = []

/** Everything that arrived in one turn of the event loop shares one commit, and is answered after it. */
const store = (proof: Proof, subset: Subset) =>
  new Promise<number>((answer, fail) => {
    if (waiting.push({ proof, subset, answer, fail }) === 1) setImmediate(commitTogether)
  })

function commitTogether(): void {
  const batch = waiting
  waiting = []
  const stored: { answer: (createdAt: number) => void; createdAt: number }[] = []
  begin.run()
  for (const { proof, subset, answer, fail } of batch) {
    savepoint.run()
    try {
      stored.push({ answer, createdAt: storeOne(proof, subset) })
    } catch (error) {
      rollback.run()
      walletIds.delete(proof.wallet)
      fail(error)
    }
    release.run()
  }
  commit.run()
  for (const { answer, createdAt } of stored) answer(createdAt)
  if ((checkpoint.get()?.log ?? 0) > walLimitPages) copyLog.run()
}

function storeOne(proof: Proof, { chainId, signedTimestamp }: Subset): number {
  const { qHash, wallet, now, evidence, content, reference, text } = proof
  const digits = qHash.slice(2)
  const key = readKey(digits)
  const existing = findProof.get(key, digits)
  if (existing) return existing.created_at
  const owner = walletId(wallet)
  const { lastInsertRowid } = insertProof.run(key, digits, owner, chainId, signedTimestamp, now, evidence)
  insertEntries.run(owner, Number(lastInsertRowid), content, reference, key)
  countProof.run(owner)
  insertSpent.run(signedTimestamp, text)
  return now
}

type Recover = BuiltAddon['recover']

/** With the addon of the package, for a machine on which the build makes none. */
function makePackagedRecover(): Recover {
  const secp256k1 = loadSecp256k1()
  return (key, rs, recovery, digest) => secp256k1.ecdsaRecover(key, rs, recovery, digest) === 0
}

const publicKey = new Uint8Array(65)

function signerOf(text: string, signature: string): string | undefined {
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const found = recover(publicKey, bytes.subarray(0, 64), bytes[64]! - 27, personalHash(text))
  return found ? addressOf(publicKey) : undefined
}

async function submit(request: Request): Promise<Response> {
  const body = (await request.json()) as Subset & {
    signature: string
    data: { content: string; reference: { id: string } }
  }
  const wallet = body.walletAddress.toLowerCase()
  const canonicalData = canonicalJson(body.data)
  const text = signerString(body, canonicalData)
  if (signerOf(text, body.signature) !== wallet)
    return Response.json(
      { success: false, error: { code: 'SIGNATURE_INVALID', message: 'not signed by walletAddress' } },
      { status: 401 },
    )

  const now = Date.now()
  const { content, ...shown } = body.data
  const contentHash = Buffer.from(keccak256(content)).toString('hex')
  const evidence = {
    ...shown,
    contentHash: `0x${contentHash}`,
    timestamp: now,
    chainId: body.chainId,
  }
  const qHash = qHashOf(body, canonicalData)
  const proof: Proof = {
    qHash,
    wallet,
    now,
    evidence: JSON.stringify(evidence),
    content: readKey(contentHash),
    reference: readKey(Bun.SHA256.hash(body.data.reference.id, 'hex')),
    text: Bun.SHA256.hash(text, 'hex'),
  }
  const createdAt = await store(proof, body)
  return Response.json(answer(body, qHash, createdAt, evidence))
}

const options = {
  privacyLevel: 'private',
  publicDisplay: false,
  publishToHub: false,
  enableIpfs: false,
  storeOriginalContent: false,
}
const receipt = { format: 'caip-380-envelope', portable: true }

/** The members of the real answer, see src/guides/wire.md, "Answers to a claim" and "The proof record". */
function answer(body: Subset & { signature: string }, qHash: string, createdAt: number, evidence: object) {
  const { walletAddress, verifierIds, data, signedTimestamp, chainId, signature } = body
  const did = didOf(body)
  return {
    success: true,
    status: 'verified',
    message: 'The claim holds and the proof is stored.',
    data: {
      qHash,
      status: 'verified',
      walletAddress,
      did,
      verifierIds,
      verifiedVerifiers: [
        { verifierId: verifierIds[0], verified: true, status: 'origin-authenticated', data: evidence },
      ],
      options: { ...options, targetChains: [] },
      privacyLevel: 'private',
      publicDisplay: false,
      tags: [],
      chainId,
      signedTimestamp,
      createdAt,
      completedAt: createdAt,
      lastUpdated: createdAt,
      revokedAt: null,
      expiresAt: null,
      targetChains: [],
      proofUrl: `http://127.0.0.1:${PORT}/api/v1/proofs/${qHash}`,
      receipt,
      portableProof: {
        qHash,
        did,
        walletAddress,
        verifierIds,
        data,
        signedTimestamp,
        chainId,
        signature,
        signatureMethod: 'eip191',
      },
    },
    creditInfo: { creditsUsed: 0, billing: 'off' },
  }
}

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(PORT),
  routes: { '/api/v1/verification': { POST: submit } },
})
