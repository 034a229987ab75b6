/**
 * Explains why criteria are met or not: the checked proofs, the closest one, and the remedy. It reveals no more than
 * reading the proofs. Strangers see public proofs only, and their public evidence.
 */

import { type Static, Type } from '@sinclair/typebox'
import { mapInOrder } from '../../in-order.ts'
import { finalities } from '../../proofs/finality.ts'
import { isCurrent, listShortfalls, type Shortfall } from '../../proofs/match.ts'
import { type ProofRow, readStatus } from '../../proofs/proof.ts'
import type { ProofCriteria } from '../../proofs/proof-criteria.ts'
import { isGuestList, notListed } from '../guests/guest-list.ts'
import type { GateEvaluation, RequirementResult } from './evaluate.ts'
import {
  findMatches,
  isNameable,
  judgeAge,
  listFacts,
  type MatchTools,
  makeRowReader,
  makeSharedSearch,
  readProofTime,
  readShared,
  type Viewer,
} from './find-matches.ts'

const Failed = Type.Object({
  code: Type.String({ description: 'What is wrong with it.' }),
  verifierId: Type.Optional(Type.String()),
  path: Type.Optional(Type.String({ description: 'The parameter, or the path of the match row.' })),
  op: Type.Optional(Type.String()),
  wanted: Type.Optional(Type.String()),
  found: Type.Optional(
    Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
      description: 'Absent when the proof says nothing of it.',
    }),
  ),
  unchecked: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Of NOT_CHECKED: what nobody looked at. sanctions, activity, poisoning, or a category of content.',
    }),
  ),
})

export const Explanation = Type.Object({
  id: Type.String({ description: 'Id of the requirement; criteria, schedule.' }),
  verifierIds: Type.Array(Type.String()),
  isOptional: Type.Boolean(),
  isSatisfied: Type.Boolean(),
  needed: Type.Integer(),
  matched: Type.Integer({ description: 'How many different claims match; the count stops at needed for a gate.' }),
  lookedAt: Type.Integer({ description: 'Proofs of the verifiers that the caller may see, the newest 200 at most.' }),
  code: Type.String({
    description:
      'SATISFIED, NO_PROOF, WRONG_VALUE, NOT_CHECKED, MISSING_TAG, TOO_OLD, TIME_TO_COME, NOT_FINAL, TOO_FEW, INCOMPLETE, EXPIRED, REVOKED, REORGANISED, REPLACED, PRIVATE_ONLY, OUTSIDE_SCHEDULE, PAST_BLOCK, OTHER_SUBJECT, RISK_POLICY, NOT_VERIFIED, NOT_ON_LIST, PASS_WITHDRAWN, OTHER_GATE, NO_PASS.',
  }),
  message: Type.String({ description: 'The same as a sentence, and what would help.' }),
  nearest: Type.Union(
    [
      Type.Object({
        qHash: Type.Union([Type.String(), Type.Null()], {
          description: 'null for an unlisted proof, unless its owner asks or the check names it.',
        }),
        status: Type.String(),
        createdAt: Type.Integer({ description: 'Unix milliseconds.' }),
        failed: Type.Array(Failed),
      }),
      Type.Null(),
    ],
    { description: 'The proof that lacks least.' },
  ),
})
export type Explanation = Static<typeof Explanation>
type FailedPart = Static<typeof Failed>

export interface Asked {
  readonly id: string
  readonly proofCriteria: ProofCriteria
  readonly isOptional: boolean
  readonly needed: number
  readonly matched: number
  /** False when not all proofs were read. */
  readonly isComplete: boolean
  /** Unix milliseconds. */
  readonly since: number
  /** Only this proof was asked about. */
  readonly only?: string | undefined
  /** Only proofs whose blocks are final count. */
  readonly isFinalAsked?: boolean
}

const explainLimit = 200

type Tools = MatchTools

export async function explain(tools: Tools, viewer: Viewer, asked: Asked): Promise<Explanation> {
  const { id, proofCriteria, isOptional, needed, matched } = asked
  const { lookedAt, nearest } = await findNearest(tools, viewer, asked)
  const isSatisfied = matched >= needed
  const code = isSatisfied ? 'SATISFIED' : await chooseCode(tools, viewer, asked, nearest)
  const what = proofCriteria.verifierIds.join(proofCriteria.requireAll ? ' and ' : ' or ') || 'any verifier'
  return {
    id,
    verifierIds: [...proofCriteria.verifierIds],
    isOptional,
    isSatisfied,
    needed,
    matched,
    lookedAt,
    code,
    message: `${writeSentence(code, what, asked, nearest)}${isSatisfied ? '' : describeAbsence(proofCriteria.verifierIds, tools)}`,
    nearest: nearest ?? null,
  }
}

/** A new proof is no remedy when none can be made here. */
const describeAbsence = (verifierIds: readonly string[], { catalog }: Tools): string =>
  verifierIds
    .filter((id) => catalog.known.has(id) && !catalog.enabled.has(id))
    .map((id) => `. No new proof can be made here: ${catalog.absence(id)}`)
    .join('')

/** Every requirement of a gate, and its schedule where that is in the way. */
export async function explainGate(
  tools: Tools,
  viewer: Viewer,
  { requirements, state }: GateEvaluation,
  only?: string,
): Promise<Explanation[]> {
  const closed: Explanation = {
    id: 'schedule',
    verifierIds: [],
    isOptional: false,
    isSatisfied: false,
    needed: 0,
    matched: 0,
    lookedAt: 0,
    code: 'OUTSIDE_SCHEDULE',
    message: state === 'ended' ? 'the gate has ended' : 'the gate has not started yet: try again when it opens',
    nearest: null,
  }
  return [
    ...(state === 'open' ? [] : [closed]),
    ...(await mapInOrder(requirements, async ({ matches, ...requirement }) =>
      isGuestList(requirement)
        ? explainGuestList(requirement)
        : explain(tools, viewer, { ...requirement, matched: matches.length, only }),
    )),
  ]
}

/** Says of one wallet whether it is listed, and nothing of the list. */
export function explainGuestList(result: Omit<RequirementResult, 'matches'>): Explanation {
  const { id, verifierId, isOptional, isSatisfied } = result
  const code = chooseListCode(result)
  return {
    id,
    verifierIds: [verifierId],
    isOptional,
    isSatisfied,
    needed: 1,
    matched: isSatisfied ? 1 : 0,
    lookedAt: 0,
    code,
    message: listSentences[code],
    nearest: null,
  }
}

/** In the order in which they matter. */
function chooseListCode({ isSatisfied, isListed = false, pass = 'none' }: Partial<RequirementResult>): ListCode {
  if (isSatisfied) return 'SATISFIED'
  if (pass === 'of another gate') return 'OTHER_GATE'
  if (pass === 'withdrawn') return 'PASS_WITHDRAWN'
  if (pass === 'unknown') return 'NO_PASS'
  if (!isListed) return 'NOT_ON_LIST'
  return pass === 'of another wallet' ? 'OTHER_SUBJECT' : 'NO_PASS'
}

type ListCode = keyof typeof listSentences
const listSentences = {
  SATISFIED: 'This wallet is on the list',
  NOT_ON_LIST: `${notListed}. There is nothing to prove`,
  PASS_WITHDRAWN: `This pass is withdrawn. ${notListed} any more. There is nothing to prove`,
  OTHER_GATE: 'This is a pass of another gate: take the pass of this one',
  OTHER_SUBJECT: 'This pass belongs to another wallet: name the pass of this one, or leave qHash out',
  NO_PASS: 'The qHash is no pass of this gate, and no proof that it asks for: name the pass, or leave qHash out',
} as const

type Nearest = NonNullable<Explanation['nearest']>

async function findNearest(tools: Tools, viewer: Viewer, { proofCriteria, since, only, isFinalAsked = false }: Asked) {
  const now = tools.now()
  const { work } = viewer
  if (work.isSpent()) return { lookedAt: 0, nearest: undefined }
  const reader = makeRowReader(viewer, tools)
  // By the verifiers alone: the values are what may be wrong.
  const ofVerifiers = { ...proofCriteria, conditions: [], tags: [] }
  const search = makeSharedSearch(tools, viewer, 'ended too', {
    facts: listFacts(ofVerifiers, viewer, tools),
    accepts: ({ isSuperseded }) => !isSuperseded || only !== undefined,
    limit: explainLimit,
    enough: explainLimit,
    only,
  })
  let lookedAt = 0
  let best: { proof: ProofRow; failed: FailedPart[] } | undefined
  for await (const proof of readShared(search)) {
    if (work.isSpent()) break
    lookedAt++
    const failed = [
      ...describeLife(proof, { since, isFinalAsked }, tools),
      ...listShortfalls(proof, proofCriteria, reader, work).map(showShortfall),
    ]
    if (best && best.failed.length <= failed.length) continue
    best = { proof, failed }
  }
  if (!best) return { lookedAt, nearest: undefined }
  const { proof, failed } = best
  const qHash = isNameable(proof, viewer, only) ? proof.qHash : null
  const nearest: Nearest = { qHash, status: readStatus(proof, now), createdAt: proof.createdAt, failed }
  return { lookedAt, nearest: work.takeAnswerBytes(JSON.stringify(nearest).length) ? nearest : undefined }
}

function describeLife(
  proof: ProofRow,
  { since, isFinalAsked }: { readonly since: number; readonly isFinalAsked: boolean },
  tools: Tools,
): FailedPart[] {
  const { finality } = proof
  const now = tools.now()
  const age = judgeAge(proof, since, tools)
  const found = proof.createdAt
  const madeAt = readProofTime(proof, tools)
  const path = madeAt < found ? 'signedTimestamp' : 'createdAt'
  return [
    ...(isCurrent(proof, now) ? [] : [{ code: findEndReason(proof) }]),
    ...(isFinalAsked && finality !== finalities.final
      ? [{ code: 'NOT_FINAL', path: 'final', op: 'eq', wanted: 'true', ...(finality === null ? {} : { found: false }) }]
      : []),
    ...(age === 'too old' ? [{ code: 'TOO_OLD', path, op: 'gte', wanted: String(since), found: madeAt }] : []),
    ...(age === 'to come' ? [{ code: 'TIME_TO_COME', path: 'createdAt', op: 'lte', wanted: String(now), found }] : []),
  ]
}

function findEndReason({ finality, revokedAt, isSuperseded }: ProofRow): string {
  if (finality === finalities.replaced) return 'REORGANISED'
  if (revokedAt !== null) return 'REVOKED'
  return isSuperseded ? 'REPLACED' : 'EXPIRED'
}

const longestFound = 256

/** Without what is no plain value, and not longer than a line. */
function showShortfall({ found, unchecked, ...shortfall }: Shortfall): FailedPart {
  const { wanted } = shortfall
  const rest = {
    ...shortfall,
    ...(wanted === undefined ? {} : { wanted: wanted.slice(0, longestFound) }),
    ...(unchecked === undefined ? {} : { unchecked: unchecked.map((one) => one.slice(0, longestFound)) }),
  }
  if (typeof found === 'string') return { ...rest, found: found.slice(0, longestFound) }
  return typeof found === 'number' || typeof found === 'boolean' ? { ...rest, found } : rest
}

async function chooseCode(tools: Tools, viewer: Viewer, asked: Asked, nearest: Nearest | undefined): Promise<string> {
  if (viewer.work.wasStopped && (!asked.isComplete || !nearest)) return 'INCOMPLETE'
  if (viewer.isOwner && (await canPassInPrivate(tools, viewer, asked))) return 'PRIVATE_ONLY'
  if (asked.matched > 0) return 'TOO_FEW'
  const code = nearest?.failed[0]?.code
  return code === undefined || code === 'NO_ROW' ? 'NO_PROOF' : code
}

const canPassInPrivate = async (
  tools: Tools,
  viewer: Viewer,
  { proofCriteria, since, needed, only, isFinalAsked = false }: Asked,
): Promise<boolean> =>
  !viewer.withPrivate &&
  (
    await findMatches(
      tools,
      { ...viewer, withPrivate: true, listedOnly: false },
      { proofCriteria, since, enough: needed, limit: explainLimit, only, isFinalAsked },
    )
  ).matches.length >= needed

function writeSentence(
  code: string,
  what: string,
  { needed, matched, since }: Asked,
  nearest: Nearest | undefined,
): string {
  const part = nearest?.failed.find((one) => one.code === code)
  switch (code) {
    case 'SATISFIED':
      return `met by ${matched} ${matched === 1 ? 'proof' : 'proofs'}`
    case 'NO_PROOF':
      return `there is no proof of ${what} that counts here: make one`
    case 'INCOMPLETE':
      return 'the check stopped at its limit of work before it had looked at every proof: ask for less in one request, or name a proof with qHash'
    case 'TOO_FEW':
      return `${matched} of ${needed} different claims match: make proofs of ${needed - matched} more`
    case 'PRIVATE_ONLY':
      return 'your private proofs would meet it: ask with includePrivate=true'
    case 'TOO_OLD':
      return `the nearest proof is too old: make a new one, not before ${new Date(since).toISOString()}`
    case 'TIME_TO_COME':
      return 'the nearest proof was made while the clock of this server was wrong, and has a time to come: make a new one'
    case 'NOT_FINAL':
      return part?.found === false
        ? 'the block of the nearest proof is not final yet: ask again in some minutes'
        : `nobody followed the block of the nearest proof until it was final: make a new proof of ${what}`
    case 'REORGANISED':
      return `the block of the nearest proof was replaced, and its claim did not hold again: make a new proof of ${what}`
    case 'EXPIRED':
      return `the nearest proof has expired: make a new proof of ${what}`
    case 'REVOKED':
      return `the nearest proof was revoked by its owner: make a new proof of ${what}`
    case 'REPLACED':
      return 'a newer proof of the same claim takes the place of this one: ask about that'
    case 'MISSING_TAG':
      return `the nearest proof lacks the tag "${part?.wanted}"`
    case 'PAST_BLOCK':
      return `the nearest proof is about a past block and says nothing of now: prove it without blockNumber, or ask for that block (blockNumber=${part?.found})`
    case 'OTHER_SUBJECT':
      return `the nearest proof is about another wallet than the one that signed it: prove it for the signing wallet, or ask for that wallet (subjectWallet=${part?.found})`
    case 'RISK_POLICY':
      return 'the risk check of the nearest proof did not meet the policy of this server'
    case 'NOT_CHECKED':
      return `the nearest proof cannot show that ${part?.path} is ${wordFor[part?.op ?? ''] ?? ''}${part?.wanted}, because nobody who judged it looked at ${(part?.unchecked ?? []).map(writeTopic).join(' and ')}: make a new one, on a server whose providers do (its evidence lists under checked what was looked at)`
    case 'NOT_VERIFIED':
      return `the claim of ${part?.verifierId} in the nearest proof did not hold: prove it again`
    default:
      return part?.path === undefined
        ? 'the nearest proof does not match'
        : `${part.path} must be ${wordFor[part.op ?? ''] ?? ''}${part.wanted}${part.found === undefined ? ', and the nearest proof says nothing of it' : `; in the nearest proof it is ${part.found}`}`
  }
}

/** `activity (what the wallet did)`: the word of the evidence, and what it means. */
const writeTopic = (topic: string): string =>
  Object.hasOwn(topicMeaning, topic) ? `${topic} (${topicMeaning[topic]})` : topic

const topicMeaning: Readonly<Record<string, string>> = {
  sanctions: 'lists of sanctioned wallets',
  activity: 'what the wallet did',
  poisoning: 'dust of imitators',
}

const wordFor: Readonly<Record<string, string>> = { gte: 'at least ', lte: 'at most ' }
