/**
 * Checks whether a wallet may pass, by a gate or by criteria. Answers from stored proofs alone: asks no network, and shows
 * no proof. Only proofs that the caller may see count (src/guides/wire.md, "What counts for whom").
 */

import { type Caller, type Credentials, makeUnsignedError, requireCaller } from '../../auth/caller.ts'
import type { Account } from '../../auth/identity.ts'
import { makeAction, type NeededAction } from '../../auth/owner-action.ts'
import { describeSigning, describeText } from '../../auth/owner-text.ts'
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { chooseHolder, type Holder, makeHolder, nobody, wrapHolder } from '../../proofs/account-store.ts'
import { CheckWork, workPrices } from '../../proofs/check-work.ts'
import { readRowValues } from '../../proofs/condition.ts'
import { finalities } from '../../proofs/finality.ts'
import { findCandidate } from '../../proofs/match-store.ts'
import { isProofOwner } from '../../proofs/owner.ts'
import type { ProofRow } from '../../proofs/proof.ts'
import type { ProofCriteria } from '../../proofs/proof-criteria.ts'
import { visibilities } from '../../proofs/visibility.ts'
import { mayMean, nameAccount, writeAccount, writeName } from '../../wallet/account.ts'
import { findVisibleGate, makeGateNotFound } from '../access.ts'
import { listOfWallet } from '../fulfill/store.ts'
import { isGuestList } from '../guests/guest-list.ts'
import { nameGateOwner } from '../owner.ts'
import { findGate } from '../store.ts'
import { countConditions, evaluateGate, type GateEvaluation, type RequirementResult } from './evaluate.ts'
import { type Explanation, explain, explainGate, explainGuestList } from './explain.ts'
import { type Found, findMatches, isNameable, type Match, makeRowReader, type Viewer } from './find-matches.ts'
import type { CheckRequest } from './request.ts'

export type CheckTools = Pick<Parts, 'db' | 'catalog' | 'now' | 'verifierSettings' | 'config' | 'freshness'>

/** The action that an owner signs so that its private proofs count. */
export const checkAction = (walletAddress: string) => [makeAction('gate_check_private_proofs', { walletAddress })]

export interface CheckAnswer {
  readonly eligible: boolean
  readonly matchedCount: number
  readonly matchedQHashes: string[]
  readonly matchedTags: string[]
  /** For matches that were read from a chain: whether all of their blocks are final. */
  readonly final?: boolean
  readonly projections: Record<string, unknown>[] | null
  readonly criteria: Readonly<Record<string, unknown>>
  readonly complete: boolean
  /** Requested verifiers that cannot be proved here now. */
  readonly unavailable?: Unavailable[]
  /** The parts of the request that had no effect. */
  readonly warnings?: string[]
  readonly gate?: GateAnswer
  readonly explain?: Explanation[]
}

/** The refusal of a fulfillment, by the state of the gate. */
const codesOfStates = { paused: 'GATE_PAUSED', not_started: 'GATE_NOT_STARTED', ended: 'GATE_ENDED' } as const
export const closedCodes = ['GATE_PAUSED', 'GATE_NOT_STARTED', 'GATE_ENDED'] as const

export interface GateAnswer {
  readonly gateId: string
  readonly allRequiredSatisfied: boolean
  readonly satisfiedVerifierIds: string[]
  readonly missingVerifierIds: string[]
  readonly matchedQHashes: string[]
  readonly state: GateEvaluation['state']
  readonly errorCode?: (typeof closedCodes)[number]
  readonly reusedVerifierProofs?: Record<string, string | string[]>
  readonly rows?: object[]
  /** The wallet's fulfillments of the gate, for that wallet alone. */
  readonly fulfillments?: object[]
}

export interface Unavailable {
  readonly verifierId: string
  readonly message: string
}

/** The caller. */
export interface Asker extends Caller {
  /** Whether they may be told more of their own wallet than everybody is. */
  readonly seesOwn: boolean
}

/**
 * A signature asks about its own wallet. A signed-in person, or a server with an access key, may ask about others as
 * everybody may. Errors: WALLET_AUTH_REQUIRED, FORBIDDEN, and those of requireCaller for a sent credential.
 */
export async function makeCaller(
  { named, isAboutCaller, wantsPrivate }: Pick<CheckRequest, 'named' | 'isAboutCaller' | 'wantsPrivate'>,
  credentials: Credentials | undefined,
  parts: Parts,
): Promise<Asker | undefined> {
  if (!credentials) {
    if (isAboutCaller) throw makeNobodyError()
    return undefined
  }
  const isRelevant = (account: Account): boolean => named !== undefined && mayMean(named, account)
  const isOwn =
    named === undefined || ('identity' in credentials && (await credentials.identity.listAccounts()).some(isRelevant))
  const caller = await requireCaller(credentials, checkAction, parts, {
    about: isRelevant,
    ...(isOwn && wantsPrivate ? { needs: 'profile' } : {}),
  })
  const seesOwn = !('identity' in credentials) || credentials.identity.scopes.has('profile')
  if (named === undefined || mayMean(named, caller) || 'identity' in credentials) return { ...caller, seesOwn }
  throw new AppError(
    'FORBIDDEN',
    `${writeAccount(caller)} signed, but the check is about ${writeName(named)}: sign with that wallet, or leave the signature out to check its public proofs`,
  )
}

/** For a check that is not signed yet. */
export const neededCheck: NeededAction = { action: 'gate_check_private_proofs' }

const makeNobodyError = (): AppError =>
  makeUnsignedError(`subject=me needs a signature or a session: ${describeSigning(neededCheck, true)}`, neededCheck)

/** How a check is asked for. Checks of one request share its work. */
export type CheckOptions = Partial<Pick<Viewer, 'listedOnly' | 'work'>>

/** Errors: GATE_NOT_FOUND, WALLET_AUTH_REQUIRED. */
export async function check(
  tools: CheckTools,
  request: CheckRequest,
  caller: Asker | undefined,
  { listedOnly = false, work = new CheckWork() }: CheckOptions = {},
): Promise<CheckAnswer> {
  if (request.isAboutCaller && !caller) throw makeNobodyError()
  const gate = request.gateId === undefined ? undefined : await requireGate(tools, request.gateId, caller, work)
  const seen = await makeViewer(tools, request, caller, work)
  const isOwner = seen.isOwn && caller?.seesOwn
  const { holder, withPrivate } = seen
  const viewer: Viewer = { holder, withPrivate, listedOnly, isOwner, work }
  const { proofCriteria, since, limit, minCount, qHash } = request
  countConditions(proofCriteria?.conditions ?? [], work)
  const evaluation = gate && (await evaluateGate(tools, gate, { ...viewer, only: qHash, since }))
  const found: Found | undefined =
    proofCriteria &&
    (await findMatches(tools, viewer, { proofCriteria, since, enough: Number.POSITIVE_INFINITY, limit, only: qHash }))
  const naming: Naming = { viewer, only: qHash, includeQHashes: request.includeQHashes }
  const gateAnswer = evaluation && gate && makeAnswer(gate.gateId, evaluation, naming)

  const matches = found?.matches ?? listDistinct(evaluation?.requirements ?? [])
  const pass =
    evaluation?.requirements.find(({ pass }) => pass === 'valid') && isOfId(proofCriteria) ? qHash : undefined
  const matchedCount = matches.length + (pass === undefined ? 0 : 1)
  // A gate whose requirements are all optional may be open to those who have none of its proofs.
  const isEnough = found === undefined && minCount === 1 ? true : matchedCount >= minCount
  const isEligible = isEnough && gateAnswer?.allRequiredSatisfied !== false
  return {
    eligible: isEligible,
    matchedCount,
    matchedQHashes: [...listShownIds(matches, naming), ...(pass === undefined ? [] : [pass])],
    matchedTags: matches.length > 0 ? [...(proofCriteria?.tags ?? [])] : [],
    ...readFinality(matches),
    projections: request.select.length > 0 ? projectMatches(matches, request.select, viewer, tools) : null,
    criteria: request.criteria,
    complete:
      !work.wasStopped &&
      (found?.isComplete ?? true) &&
      (evaluation?.requirements.every((one) => one.isComplete) ?? true),
    ...listUnavailable(tools, [...(proofCriteria?.verifierIds ?? []), ...(gateAnswer?.missingVerifierIds ?? [])]),
    ...(request.wantsPrivate && !withPrivate ? { warnings: [explainUncounted(request)] } : {}),
    ...(gateAnswer
      ? { gate: { ...gateAnswer, ...(isOwner && caller ? await readHistory(tools, gate!.id, caller) : {}) } }
      : {}),
    ...(request.explain ? { explain: await explainMatches(tools, viewer, request, evaluation, found) } : {}),
  }
}

/** Clients send includePrivate before a wallet is connected, so its lack of effect is told and not refused. */
const explainUncounted = ({ named }: CheckRequest): string =>
  `private proofs were not counted: includePrivate needs the signature, the session or an access key of the wallet that is checked, at /api/v1/proofs/check. To sign: ${describeText(
    named ? { ...neededCheck, walletAddress: writeName(named) } : neededCheck,
  )}`

/** Whether a check asks for nothing but one id, which may be a pass. */
const isOfId = (criteria: ProofCriteria | undefined): boolean =>
  criteria !== undefined && criteria.verifierIds.length + criteria.tags.length + criteria.conditions.length === 0

/** Absent where no block was read for any of them. */
function readFinality(matches: readonly Pick<Match, 'proof'>[]): Partial<Pick<CheckAnswer, 'final'>> {
  const read = matches.flatMap(({ proof: { finality } }) => finality ?? [])
  return read.length > 0 ? { final: read.every((finality) => finality === finalities.final) } : {}
}

/** Proofs that were made before a verifier was switched off count, and new ones cannot be made. */
function listUnavailable(
  { catalog }: CheckTools,
  verifierIds: readonly string[],
): Partial<Pick<CheckAnswer, 'unavailable'>> {
  const unavailable = [...new Set(verifierIds)]
    .filter((id) => !catalog.enabled.has(id) && !isGuestList({ verifierId: id }))
    .map((verifierId) => ({ verifierId, message: catalog.absence(verifierId) }))
  return unavailable.length > 0 ? { unavailable } : {}
}

const fulfillmentsShown = 20

/** An account's purchases are private to it. */
const readHistory = async ({ db }: CheckTools, gate: number, caller: Caller) => ({
  fulfillments: await listOfWallet(db, caller, gate, fulfillmentsShown),
})

async function requireGate(tools: CheckTools, gateId: string, caller: Caller | undefined, work: CheckWork) {
  const stored = await work.remember(`gate ${gateId}`, () => {
    work.spent += workPrices.gate
    return findGate(tools, gateId)
  })
  const gate = findVisibleGate(stored, caller && nameGateOwner(caller))
  if (gate) return gate
  throw makeGateNotFound(gateId)
}

interface Seen extends Pick<Viewer, 'holder' | 'withPrivate'> {
  /** Whether the checked proofs are the caller's own. */
  readonly isOwn: boolean
}

/**
 * A signature also decides which account an address means. Without an address the proof names its owner: a public one
 * to everybody, a private one to its owner.
 */
async function makeViewer(
  { db, config }: CheckTools,
  { named, qHash, wantsPrivate, isAboutCaller }: CheckRequest,
  caller: Caller | undefined,
  work: CheckWork,
): Promise<Seen> {
  const seeOwn = (holder: Holder): Seen => ({ holder, withPrivate: wantsPrivate, isOwn: true })
  const seeOther = (holder: Holder): Seen => ({ holder, withPrivate: false, isOwn: false })
  const { hubChainId } = config.signing
  if (named) {
    const isOwn = caller !== undefined && mayMean(named, caller)
    return isOwn ? seeOwn(makeHolder(caller, caller.contractOn ?? named.chain)) : seeOther(chooseHolder(named))
  }
  if (isAboutCaller && caller) return seeOwn(makeHolder(caller, nameAccount(caller, hubChainId).chain))
  const proof = qHash === undefined ? undefined : await findCandidate(db, qHash, work)
  if (!proof) return seeOther(nobody)
  if (caller && isProofOwner(proof, caller)) return seeOwn(wrapHolder(proof.account))
  return seeOther(proof.visibility === visibilities.private ? nobody : wrapHolder(proof.account))
}

/** The inputs that decide which ids an answer may contain. */
interface Naming {
  readonly viewer: Viewer
  readonly only: string | undefined
  readonly includeQHashes: boolean
}

/** An id as JSON, with its comma. */
const idBytes = 69

/** A private proof is named only where its owner asks for names, and an unlisted one to its owner only. */
function listShownIds(matches: readonly Pick<Match, 'proof'>[], { viewer, only, includeQHashes }: Naming): string[] {
  const canTell = (proof: ProofRow): boolean =>
    (includeQHashes || proof.visibility !== visibilities.private) && isNameable(proof, viewer, only)
  const ids = matches.filter(({ proof }) => canTell(proof)).map(({ proof }) => proof.qHash)
  return ids.length === 0 || viewer.work.takeAnswerBytes(ids.length * idBytes) ? ids : []
}

const listDistinct = (requirements: readonly RequirementResult[]): Match[] => [
  ...new Map(requirements.flatMap(({ matches }) => matches.map((match) => [match.proof.qHash, match]))).values(),
]

function makeAnswer(gateId: string, evaluation: GateEvaluation, naming: Naming): GateAnswer {
  const { isSatisfied, state, requirements, missing } = evaluation
  const missingIds = new Set(missing.map(({ verifierId }) => verifierId))
  const satisfied = requirements.filter((one) => one.isSatisfied && !missingIds.has(one.verifierId))
  return {
    gateId,
    allRequiredSatisfied: isSatisfied && state === 'open',
    satisfiedVerifierIds: [...new Set(satisfied.map(({ verifierId }) => verifierId))],
    missingVerifierIds: [...missingIds],
    matchedQHashes: listShownIds(listDistinct(requirements), naming),
    state,
    ...(state === 'open' ? {} : { errorCode: codesOfStates[state] }),
    ...(naming.includeQHashes
      ? { reusedVerifierProofs: listReused(satisfied, naming), rows: requirements.map((one) => makeRow(one, naming)) }
      : {}),
  }
}

/** One id, or several where several proofs were needed. */
function listReused(satisfied: readonly RequirementResult[], naming: Naming): Record<string, string | string[]> {
  const byVerifier = new Map<string, Set<string>>()
  for (const { verifierId, matches } of satisfied) {
    const ids = byVerifier.get(verifierId) ?? new Set()
    for (const id of listShownIds(matches, naming)) ids.add(id)
    byVerifier.set(verifierId, ids)
  }
  return Object.fromEntries(
    [...byVerifier].flatMap(([id, [first, ...more]]) =>
      first === undefined ? [] : [[id, more.length > 0 ? [first, ...more] : first]],
    ),
  )
}

function makeRow({ id, verifierId, isOptional, isSatisfied, matches, needed }: RequirementResult, naming: Naming) {
  const qHashes = listShownIds(matches, naming)
  return {
    id,
    verifierId,
    optional: isOptional,
    satisfied: isSatisfied,
    qHash: qHashes[0] ?? null,
    qHashes,
    needed,
    reused: isSatisfied && matches.length > 0,
    ...readFinality(matches),
  }
}

/** The selected members of the rows that matched, as plain values. */
function projectMatches(matches: readonly Match[], select: readonly string[], viewer: Viewer, tools: CheckTools) {
  const { readEvidence } = makeRowReader(viewer, tools)
  return matches.flatMap(({ rows }) =>
    rows.flatMap((row) => {
      const shown: Record<string, unknown> = {}
      for (const name of select) {
        const value = readRowValues(readEvidence(row)).find([name])?.raw
        if (!['string', 'number', 'boolean'].includes(typeof value)) continue
        if (!viewer.work.takeAnswerBytes(name.length + JSON.stringify(value).length)) continue
        if (name.startsWith('traits.'))
          shown.traits = { ...(shown.traits as object), [name.slice('traits.'.length)]: value }
        else shown[name] = value
      }
      return Object.keys(shown).length > 0 ? [{ verifierId: row.verifierId, ...shown }] : []
    }),
  )
}

async function explainMatches(
  tools: CheckTools,
  viewer: Viewer,
  { proofCriteria, minCount, since, qHash }: CheckRequest,
  evaluation: GateEvaluation | undefined,
  found: Found | undefined,
): Promise<Explanation[]> {
  const ofGate = evaluation ? await explainGate(tools, viewer, evaluation, qHash) : []
  if (!proofCriteria || !found) return ofGate
  const named = evaluation?.requirements.find(({ pass = 'none' }) => pass !== 'none' && pass !== 'unknown')
  // The id is a pass: no proof has it.
  if (named && isOfId(proofCriteria))
    return [{ ...explainGuestList({ ...named, id: 'criteria', isOptional: false }), verifierIds: [] }, ...ofGate]
  const asked = {
    id: 'criteria',
    proofCriteria,
    isOptional: false,
    needed: minCount,
    matched: found.matches.length,
    isComplete: found.isComplete,
    since,
    only: qHash,
  }
  return [await explain(tools, viewer, asked), ...ofGate]
}
