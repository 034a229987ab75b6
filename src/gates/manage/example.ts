/**
 * Decides an example of a policy file by the real code. Its proofs are stored in a database in memory, and the gate is
 * checked as for their owner.
 */
import { openDb } from '../../db/db.ts'
import { makeSealer } from '../../db/seal.ts'
import { writeCanonicalJson } from '../../envelope/canonical-json.ts'
import type { Parts } from '../../parts.ts'
import { makeHolder } from '../../proofs/account-store.ts'
import { CheckWork } from '../../proofs/check-work.ts'
import { makeProof } from '../../proofs/proof.ts'
import { findProof, insertProof, markRevoked } from '../../proofs/store.ts'
import type { Catalog } from '../../verifiers/index.ts'
import { holds, type Reading, type Verifier } from '../../verifiers/verifier.ts'
import type { Account } from '../../wallet/account.ts'
import { evaluateGate } from '../check/evaluate.ts'
import { type Explanation, explainGate } from '../check/explain.ts'
import { splitDefinition } from '../definition/normal-form.ts'
import type { Example, ExampleProof, ExampleRow } from '../definition/policy-file.ts'
import type { GateDefinition } from '../gate.ts'
import { parseMoment } from '../schedule.ts'

export type ExampleTools = Pick<Parts, 'catalog' | 'verifierSettings'>

export interface ExampleResult {
  readonly name: string
  readonly expected: 'pass' | 'fail'
  readonly because: string | undefined
  readonly found: 'pass' | 'fail'
  /** The unmet reasons. */
  readonly reasons: readonly Pick<Explanation, 'id' | 'code' | 'message'>[]
  readonly isRight: boolean
}

/** 2026-01-01T00:00:00Z: the same result whenever the file is tested. */
const usualTime = 1_767_225_600_000
const hourMs = 3_600_000
/** The invented signer of the examples' proofs. */
const signer: Account = { wallet: `0x${'e'.repeat(40)}`, contractOn: undefined }

export async function decideExample(
  definition: GateDefinition,
  example: Example,
  tools: ExampleTools,
): Promise<ExampleResult> {
  const now = chooseMoment(example, definition)
  const db = await openDb({ folder: undefined, writer: 'inline', cacheBytes: 1 << 20, walLimitBytes: 1 << 20, now })
  try {
    const known = limitToGiven(tools.catalog)
    // As in life: the newest run of a claim takes the place of those before it.
    const oldestFirst = [...(example.proofs ?? [])].sort((one, other) => (other.ageHours ?? 0) - (one.ageHours ?? 0))
    for (const [at, proof] of oldestFirst.entries()) await store(db, proof, at, now, known)
    const freshness = { maxAgeMs: 0, maxAheadMs: 0 }
    const asking = { ...tools, catalog: { ...tools.catalog, known }, db, now: () => now, freshness }
    const viewer = { holder: makeHolder(signer), withPrivate: true, isOwner: true, work: new CheckWork() }
    const evaluation = await evaluateGate(asking, { definition: splitDefinition(definition).definition }, viewer)
    const found = evaluation.isSatisfied && evaluation.state === 'open' ? 'pass' : 'fail'
    const missing = new Set(evaluation.missing.map(({ id }) => id))
    const reasons =
      found === 'pass'
        ? []
        : (await explainGate(asking, viewer, evaluation)).filter(({ id, isSatisfied }) =>
            evaluation.isSatisfied ? id === 'schedule' : !isSatisfied && (id === 'schedule' || missing.has(id)),
          )
    const { name, expect: expected, because } = example
    const isRight = found === expected && (because === undefined || reasons.some(({ code }) => code === because))
    const shown = reasons.map(({ id, code, message }) => ({ id, code, message }))
    return { name, expected, because, found, reasons: shown, isRight }
  } finally {
    await db.close()
  }
}

/** An example gives only its relevant data, while a verifier may read more to tell claims apart. */
function limitToGiven({ known }: Catalog): Catalog['known'] {
  return new Map(
    [...known].map(([id, verifier]) => [
      id,
      {
        ...verifier,
        writeScope(evidence) {
          try {
            const scope = verifier.writeScope(evidence)
            if (!scope.includes('undefined')) return scope
          } catch {
            // As below.
          }
          return writeCanonicalJson(evidence)
        },
      },
    ]),
  )
}

function chooseMoment({ at }: Example, { schedule }: GateDefinition): number {
  const given = at ?? schedule?.startsAt
  return (given === undefined ? undefined : parseMoment(given)) ?? usualTime
}

async function store(
  db: Parts['db'],
  { verifierId, data, rows, ageHours = 0, expiresInHours, isRevoked, isFinal = true, subjectWallet }: ExampleProof,
  at: number,
  now: number,
  known: Catalog['known'],
): Promise<void> {
  const qHash = `0x${Bun.SHA256.hash(`example ${at}`, 'hex')}`
  const given: readonly ExampleRow[] = rows ?? [{ verifierId: verifierId ?? '', ...(data ? { data } : {}) }]
  const expiry = expiresInHours === undefined ? {} : { expiresAt: now + expiresInHours * hourMs }
  const reading: Reading = isFinal ? { isFinal } : { isFinal, chain: 'eip155:1', blockNumber: 1, blockHash: qHash }
  const made = makeProof({
    qHash,
    signer,
    ...(subjectWallet === undefined ? {} : { subjectWallet }),
    context: { chainId: 1 },
    signedTimestamp: now - ageHours * hourMs,
    signatureMethod: 'eip191',
    verifierIds: given.map((row) => row.verifierId),
    rows: given.map((row) => {
      // An unknown id was found when the file was checked.
      const verifier = known.get(row.verifierId) as Verifier
      return { verifier, verdict: holds(row.data ?? {}, { ...expiry, ...(verifier.readsState ? { reading } : {}) }) }
    }),
    options: {
      privacyLevel: 'public',
      publicDisplay: true,
      storeOriginalContent: false,
      keepPortable: false,
      enableIpfs: false,
      meta: {},
    },
    now: now - ageHours * hourMs,
  })
  await insertProof(db, makeSealer(new Uint8Array(32)), made)
  const row = await findProof(db, qHash)
  if (isRevoked && row) await markRevoked(db, row, now)
}
