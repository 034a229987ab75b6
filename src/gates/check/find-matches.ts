/**
 * Finds the proofs of one wallet that meet criteria, newest first. Gates and criteria are both decided by it.
 *
 * Several proofs of one claim count once, as the newest of them. Otherwise two proofs of one token would count as two
 * for `minCount`. So would a public and a private run of one claim.
 */

import type { Db } from '../../db/db.ts'
import type { Parts } from '../../parts.ts'
import { type Holder, matchesHolder } from '../../proofs/account-store.ts'
import type { CheckWork, SharedSearch } from '../../proofs/check-work.ts'
import { listAskedFacts, listVerifierFacts } from '../../proofs/facts.ts'
import { finalities } from '../../proofs/finality.ts'
import { findMatchingRows, isCurrent, type RowReader } from '../../proofs/match.ts'
import { type CandidateQuery, findCandidate, iterateCandidates } from '../../proofs/match-store.ts'
import type { ProofRow } from '../../proofs/proof.ts'
import type { ProofCriteria } from '../../proofs/proof-criteria.ts'
import type { VerifiedRow } from '../../proofs/record.ts'
import { type Visibility, visibilities } from '../../proofs/visibility.ts'

export type MatchTools = Pick<Parts, 'db' | 'catalog' | 'now' | 'verifierSettings' | 'freshness'>

/** The holder of the proofs, and the caller's view of them. */
export interface Viewer {
  readonly holder: Holder
  /** The owner asks: private proofs count, and evidence that only the owner sees. */
  readonly withPrivate: boolean
  /** Unlisted proofs do not count either. */
  readonly listedOnly?: boolean
  /** The owner asks, so that ids of unlisted proofs may be told. */
  readonly isOwner?: boolean | undefined
  /** The budget of the request, and what it has read. */
  readonly work: CheckWork
}

export interface Question {
  readonly proofCriteria: ProofCriteria
  /** Unix milliseconds: only proofs made at this time or later. */
  readonly since: number
  /** The search stops at this number of matches. */
  readonly enough: number
  /** The maximum number of proofs to read. */
  readonly limit: number
  /** Looks at this proof alone. */
  readonly only?: string | undefined
  /** Only proofs whose blocks are final. */
  readonly isFinalAsked?: boolean
  /** Proofs that do not count here, by their ids. */
  readonly without?: ReadonlySet<string> | undefined
}

export interface Match {
  readonly proof: ProofRow
  readonly rows: readonly VerifiedRow[]
}

export interface Found {
  readonly matches: readonly Match[]
  /** False when there may be more unread proofs, and more were wanted. */
  readonly isComplete: boolean
}

const chooseLeastVisibility = ({ withPrivate, listedOnly }: Viewer): Visibility => {
  if (listedOnly) return visibilities.listed
  return withPrivate ? visibilities.private : visibilities.unlisted
}

export const makeRowReader = (
  { withPrivate, work }: Pick<Viewer, 'withPrivate' | 'work'>,
  { catalog: { known } }: Pick<Parts, 'catalog'>,
): RowReader => ({
  readEvidence: (row) =>
    withPrivate
      ? row.data
      : work.findPublicEvidence(row, () => known.get(row.verifierId)?.publicEvidence?.(row.data) ?? row.data),
  verifiers: known,
})

export async function findMatches(tools: MatchTools, viewer: Viewer, question: Question): Promise<Found> {
  const { proofCriteria, enough } = question
  const { work } = viewer
  // Looking up facts costs work as well.
  if (work.isSpent()) return { matches: [], isComplete: false }
  const reader = makeRowReader(viewer, tools)
  const seen = new Set<string | number>()
  const matches: Match[] = []
  const proofs = iterateProofs(tools, viewer, question)
  for (;;) {
    const next = await proofs.next()
    if (next.done) return { matches, isComplete: next.value }
    const rows = findMatchingRows(next.value, proofCriteria, reader, work)
    if (work.isSpent()) return { matches, isComplete: false }
    if (!rows) continue
    const claim = buildClaim(next.value, rows, tools, work)
    if (seen.has(claim)) continue
    seen.add(claim)
    matches.push({ proof: next.value, rows })
    if (matches.length >= enough) return { matches, isComplete: true }
  }
}

/**
 * Criteria that name nothing are looked up by every verifier. A walk over all proofs of the wallet would pass private
 * ones, and its length would reveal their number.
 */
export const listFacts = (
  proofCriteria: ProofCriteria,
  { withPrivate }: Pick<Viewer, 'withPrivate'>,
  { catalog: { known } }: Pick<Parts, 'catalog'>,
): readonly number[] =>
  listAskedFacts(proofCriteria, withPrivate, known) ?? listVerifierFacts([...known.keys()], withPrivate)

/**
 * When a proof was made, at the latest. One that was imported, and verified again, has the time of its import, and may
 * have been signed long before.
 */
export const readProofTime = (
  { createdAt, signedTimestamp }: Pick<ProofRow, 'createdAt' | 'signedTimestamp'>,
  { freshness }: Pick<MatchTools, 'freshness'>,
): number => Math.min(createdAt, signedTimestamp + freshness.maxAgeMs)

/**
 * Whether a proof was made since a time. A future time comes from a wrong clock and is unknown, so the proof counts
 * only without a time limit.
 */
export function judgeAge(
  proof: Pick<ProofRow, 'createdAt' | 'signedTimestamp'>,
  since: number,
  tools: Pick<MatchTools, 'now' | 'freshness'>,
): 'fresh' | 'too old' | 'to come' {
  if (readProofTime(proof, tools) < since) return 'too old'
  return since > 0 && proof.createdAt > tools.now() + tools.freshness.maxAheadMs ? 'to come' : 'fresh'
}

/** Proofs that count now. */
async function* iterateProofs(
  tools: MatchTools,
  viewer: Viewer,
  { proofCriteria, since, limit, only, enough, isFinalAsked = false, without }: Question,
): AsyncGenerator<ProofRow, boolean> {
  const now = tools.now()
  const facts = listFacts(proofCriteria, viewer, tools)
  const accepts = (row: Parameters<typeof isCurrent>[0]) => isCurrent(row, now)
  const search = makeSharedSearch(tools, viewer, 'current', { facts, accepts, limit, only, enough })
  for await (const proof of readShared(search))
    if (
      judgeAge(proof, since, tools) === 'fresh' &&
      (!isFinalAsked || proof.finality === finalities.final) &&
      !without?.has(proof.qHash)
    )
      yield proof
  return search.isComplete ?? false
}

/**
 * The same search for all questions of a request that look at the same proofs. `kind` names what `accepts` does: the
 * searches of one kind accept the same proofs.
 */
export function makeSharedSearch(
  tools: Pick<MatchTools, 'db'>,
  viewer: Viewer,
  kind: 'current' | 'ended too',
  wanted: Pick<CandidateQuery, 'facts' | 'accepts' | 'limit' | 'enough'> & Pick<Question, 'only'>,
): SharedSearch {
  const { holder, work } = viewer
  const { limit, only, facts } = wanted
  const key = `${kind} ${holder.either} ${holder.besides} ${chooseLeastVisibility(viewer)} ${limit} ${only} ${facts}`
  const known = work.searches.get(key)
  if (known) return known
  const search: SharedSearch = { read: [], rest: iterateSeenProofs(tools, viewer, wanted), isComplete: undefined }
  work.searches.set(key, search)
  return search
}

/** The proofs of a search from its beginning, read further on demand. */
export async function* readShared(search: SharedSearch): AsyncGenerator<ProofRow, void> {
  for (let at = 0; ; at++) {
    while (at >= search.read.length && search.isComplete === undefined) await readFurther(search)
    const proof = search.read[at]
    if (proof === undefined) return
    yield proof
  }
}

/** Questions that wait at the same time wait for the same read. */
const readFurther = (search: SharedSearch): Promise<void> => {
  search.reading ??= readNext(search)
  return search.reading
}

async function readNext(search: SharedSearch): Promise<void> {
  const next = await search.rest.next()
  search.reading = undefined
  // A generator tells its end once: a later read must not make the search endless.
  if (next.done) search.isComplete ??= next.value
  else search.read.push(next.value)
}

/** The proofs of a wallet that the asker may see, or one of them. Returns whether it reached the end. */
export function iterateSeenProofs(
  { db }: Pick<MatchTools, 'db'>,
  viewer: Viewer,
  wanted: Pick<CandidateQuery, 'facts' | 'accepts' | 'limit' | 'enough'> & Pick<Question, 'only'>,
): AsyncGenerator<ProofRow, boolean> {
  const { only, ...query } = wanted
  const { holder, work } = viewer
  const visibility = chooseLeastVisibility(viewer)
  return only === undefined
    ? iterateCandidates(db, { ...query, holder, visibility, work })
    : iterateOne(db, only, work, { ...query, holder, visibility })
}

async function* iterateOne(
  db: Db,
  qHash: string,
  work: CheckWork,
  { holder, visibility, accepts }: CandidateQuery,
): AsyncGenerator<ProofRow, boolean> {
  const proof = await findCandidate(db, qHash, work)
  if (proof && (await matchesHolder(db, proof.account, holder)) && proof.visibility >= visibility && accepts(proof))
    yield proof
  return true
}

/** The claim in the rows, whenever they were run: verifiers and their subjects. */
function buildClaim(
  { qHash }: ProofRow,
  rows: readonly VerifiedRow[],
  { catalog }: MatchTools,
  work: CheckWork,
): string | number {
  const numbers = rows.map((row) =>
    work.numberClaim(
      row,
      () => `${row.verifierId}\n${catalog.known.get(row.verifierId)?.writeScope(row.data) ?? qHash}`,
    ),
  )
  return numbers.length === 1 ? numbers[0]! : numbers.sort((a, b) => a - b).join(' ')
}

/**
 * Answers name the ids of listed proofs, and other ids to the owner and to callers who named them. Private proofs are
 * found for owners only.
 */
export const isNameable = ({ qHash, visibility }: ProofRow, { isOwner }: Viewer, only: string | undefined): boolean =>
  isOwner || visibility === visibilities.listed || qHash === only
