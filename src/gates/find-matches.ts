/**
 * The proofs of one wallet that meet a demand, newest first: what gates and criteria are both decided by.
 *
 * Several proofs of one claim count once, as the newest of them. Otherwise two proofs of one token, or a public and a
 * private run of one claim, would pass for two where `minCount` asks for two.
 */

import type { Parts } from '../parts.ts'
import { factsAskedBy } from '../proofs/facts.ts'
import { type Demand, type EvidenceOf, isCurrent, matchingRows } from '../proofs/match.ts'
import { type CandidateQuery, candidates, type Work } from '../proofs/match-store.ts'
import type { ProofRow, VerifiedRow } from '../proofs/proof.ts'
import { findProof } from '../proofs/store.ts'
import { type Visibility, visibilities } from '../proofs/visibility.ts'
import { chainOf } from '../wallet/account.ts'

export type MatchTools = Pick<Parts, 'db' | 'catalog' | 'now' | 'verifierSettings'>

/** Whose proofs are looked at, and how far whoever asks may see. */
export interface Sight {
  /** As stored. */
  readonly wallet: string
  /** The owner asks: private proofs count, and evidence that only the owner sees. */
  readonly withPrivate: boolean
  /** Unlisted proofs do not count either. */
  readonly listedOnly?: boolean
  /** CAIP-2: only proofs signed on this chain, where the owner is a contract wallet. */
  readonly signedOn?: string | undefined
  /** Where the rows that are read are counted. */
  readonly work?: Work | undefined
}

export interface Question {
  readonly demand: Demand
  /** Unix milliseconds: only proofs made at this time or later. */
  readonly since: number
  /** The search stops when so many have been found. */
  readonly enough: number
  /** How many proofs are looked at at most. */
  readonly limit: number
  /** Looks at this proof alone. */
  readonly only?: string | undefined
}

export interface Match {
  readonly proof: ProofRow
  readonly rows: readonly VerifiedRow[]
}

export interface Found {
  readonly matches: readonly Match[]
  /** False when there may be more that was not looked at, and more was wanted. */
  readonly isComplete: boolean
}

const leastVisibility = ({ withPrivate, listedOnly }: Sight): Visibility => {
  if (listedOnly) return visibilities.listed
  return withPrivate ? visibilities.private : visibilities.unlisted
}

export const evidenceFor =
  ({ withPrivate }: Sight, { catalog }: Pick<Parts, 'catalog'>): EvidenceOf =>
  (row) =>
    withPrivate ? row.data : (catalog.known.get(row.verifierId)?.publicEvidence?.(row.data) ?? row.data)

/** `shared` is for several questions about the same sight and with the same limit. */
export function findMatches(tools: MatchTools, sight: Sight, question: Question, shared: Shared = new Map()): Found {
  const { demand, enough } = question
  const evidenceOf = evidenceFor(sight, tools)
  const seen = new Set<string>()
  const matches: Match[] = []
  const proofs = proofsFor(tools, sight, question, shared)
  for (;;) {
    const next = proofs.next()
    if (next.done) return { matches, isComplete: next.value }
    const rows = matchingRows(next.value, demand, evidenceOf)
    if (!rows) continue
    const claim = claimOf(next.value, rows, tools)
    if (seen.has(claim)) continue
    seen.add(claim)
    matches.push({ proof: next.value, rows })
    if (matches.length >= enough) return { matches, isComplete: true }
  }
}

/** Proofs that were read for one requirement of a gate, for the next one that looks at the same. */
export type Shared = Map<string, SharedProofs>

interface SharedProofs {
  readonly read: ProofRow[]
  readonly rest: Generator<ProofRow, boolean>
  isComplete: boolean | undefined
}

function* proofsFor(
  tools: MatchTools,
  sight: Sight,
  { demand, since, limit, only }: Question,
  shared: Shared,
): Generator<ProofRow, boolean> {
  const now = tools.now()
  const facts = factsAskedBy(demand, sight.withPrivate, tools.catalog.known)
  const key = `${facts} ${only}`
  const known = shared.get(key) ?? {
    read: [],
    rest: proofsSeen(tools, sight, { facts, accepts: (row) => isCurrent(row, now), limit, only }),
    isComplete: undefined,
  }
  shared.set(key, known)
  for (let at = 0; ; at++) {
    let proof = known.read[at]
    if (proof === undefined) {
      if (known.isComplete !== undefined) return known.isComplete
      const next = known.rest.next()
      if (next.done) {
        known.isComplete = next.value
        return next.value
      }
      proof = next.value
      known.read.push(proof)
    }
    if (proof.createdAt >= since) yield proof
  }
}

/** The proofs of a wallet as far as whoever asks may see them, or one of them. Returns whether there were no more. */
export function proofsSeen(
  { db }: Pick<MatchTools, 'db'>,
  sight: Sight,
  wanted: Pick<CandidateQuery, 'facts' | 'accepts' | 'limit'> & Pick<Question, 'only'>,
): Generator<ProofRow, boolean> {
  const { only, ...query } = wanted
  const { wallet, signedOn, work } = sight
  const visibility = leastVisibility(sight)
  return only === undefined
    ? candidates(db, { ...query, wallet, visibility, signedOn, work })
    : justOne(findProof(db, only), { ...query, wallet, visibility, signedOn })
}

function* justOne(
  proof: ProofRow | undefined,
  { wallet, visibility, signedOn, accepts }: CandidateQuery,
): Generator<ProofRow, boolean> {
  if (
    proof?.walletAddress === wallet &&
    proof.visibility >= visibility &&
    (signedOn === undefined || signedOn === chainOf(proof.context)) &&
    accepts(proof)
  )
    yield proof
  return true
}

/** What the rows say, whenever they were run: verifiers and their subjects. */
const claimOf = ({ qHash }: ProofRow, rows: readonly VerifiedRow[], { catalog }: MatchTools): string =>
  rows
    .map(({ verifierId, data }) => `${verifierId}\n${catalog.known.get(verifierId)?.scopeOf(data) ?? qHash}`)
    .sort()
    .join('\n\n')
