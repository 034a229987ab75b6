/**
 * Whether one proof meets the criteria. This file is pure. The caller has checked that the proof is current
 * (isCurrent), and that the asker may see it.
 *
 * Only verified rows count, and of these
 * - a row of a verifier with a policy only when the policy was met,
 * - a row about a past block (`input.blockNumber`) only when a condition names blockNumber: it says nothing of today,
 * - a row about another wallet than the signer (`subjectWallet`) only when a condition names the holder. A wallet can
 *   prove the holdings of a stranger. Statements of judged rows count only for checked parts (judged.ts).
 *
 * Every condition must be met by some row, and a contradicting row does not count at all. The contract of one token and
 * the balance of another do not add up.
 */

import type { Evidence, Verifier } from '../verifiers/verifier.ts'
import { type WorkMeter, workPrices } from './check-work.ts'
import { type Condition, meets, needsMember, readRowValues } from './condition.ts'
import { isUnchecked, listJudgedValues } from './judged.ts'
import { accountIdMembers, isContractElsewhere } from './meant-wallet.ts'
import { fullyVerifiedWords, type ProofRow, readEnd } from './proof.ts'
import type { ProofCriteria } from './proof-criteria.ts'
import type { VerifiedRow } from './record.ts'

/** How the rows of proofs are read. */
export interface RowReader {
  /** The evidence that the asker may see: strangers see the public part, and must not infer the rest from answers. */
  readEvidence(row: VerifiedRow): Evidence
  /** Every verifier of this build, by id. */
  readonly verifiers: ReadonlyMap<string, Pick<Verifier, 'judgment' | 'meetsPolicy'>>
}

/** The parts of a proof that are read. Its account tells whether a key or a contract signed. */
type Looked = Pick<ProofRow, 'record'> & Partial<Pick<ProofRow, 'account'>>

/** With what the rows of one proof are compared. */
interface View extends RowReader {
  readonly account: string | undefined
  readonly work: WorkMeter
}

export type ShortfallCode =
  | 'NO_ROW'
  | 'NOT_VERIFIED'
  | 'RISK_POLICY'
  | 'PAST_BLOCK'
  | 'OTHER_SUBJECT'
  | 'WRONG_VALUE'
  | 'NOT_CHECKED'
  | 'MISSING_TAG'

export interface Shortfall {
  readonly code: ShortfallCode
  readonly verifierId?: string
  readonly path?: string
  readonly op?: string
  readonly wanted?: string
  /** Absent when the row says nothing of it. */
  readonly found?: unknown
  /** For NOT_CHECKED: the unchecked parts. */
  readonly unchecked?: readonly string[]
}

/** The rows that meet the criteria, or nothing. `work` counts the comparisons. */
export function findMatchingRows(
  { record, account }: Looked,
  proofCriteria: ProofCriteria,
  reader: RowReader,
  work: WorkMeter = { spent: 0 },
): readonly VerifiedRow[] | undefined {
  const { verifierIds, requireAll, conditions, tags } = proofCriteria
  work.spent += priceDemand(record, proofCriteria)
  if (tags.length > 0 && !tags.every((tag) => readTags(record, work).has(tag))) return undefined
  const counting = record.rows.filter(
    (row) => isAsked(row, verifierIds) && findObstacle(row, record.subjectWallet, conditions, reader) === undefined,
  )
  if (counting.length === 0) return undefined
  const finding =
    conditions.length === 0
      ? { rows: counting, areMet: true }
      : judge(counting, proofCriteria, { account, ...reader, work })
  const { rows, areMet } = finding
  if (!areMet || rows.length === 0) return undefined
  if (requireAll && !verifierIds.every((id) => rows.some(({ verifierId }) => verifierId === id))) return undefined
  return rows
}

/** Names and tags of the demand, each of which is looked for in the record. */
const priceDemand = ({ rows }: ProofRow['record'], { verifierIds, tags }: ProofCriteria): number =>
  workPrices.pair + rows.length * (1 + verifierIds.length * workPrices.name) + tags.length * workPrices.name

const tagSets = new WeakMap<ProofRow['record'], ReadonlySet<string>>()

/** The tags of a record, made into a set once: many demands may name many tags. */
function readTags(record: ProofRow['record'], work: WorkMeter): ReadonlySet<string> {
  const known = tagSets.get(record)
  if (known) return known
  const tags = record.meta.tags ?? []
  work.spent += workPrices.pair + tags.length * workPrices.tag
  const made = new Set(tags)
  tagSets.set(record, made)
  return made
}

/** The rows that no condition contradicts, and whether these meet all conditions. Stops at the first that no row meets. */
function judge(counting: readonly VerifiedRow[], { conditions }: ProofCriteria, view: View) {
  const results: Result[][] = counting.map(() => [])
  for (const one of conditions) {
    let isMet = false
    for (const [at, row] of counting.entries()) {
      const result = compareRow(row, one, view)
      results[at]!.push(result)
      if (result === 'met') isMet = true
    }
    if (!isMet) return { rows: [], areMet: false }
  }
  const kept = results.filter((ofRow) => !ofRow.includes('contradicted'))
  const rows = counting.filter((_, at) => !results[at]!.includes('contradicted'))
  return { rows, areMet: conditions.every((_, at) => kept.some((ofRow) => ofRow[at] === 'met')) }
}

/** Everything that keeps a proof from meeting the demand. Empty when it does. */
export function listShortfalls(
  proof: Looked,
  proofCriteria: ProofCriteria,
  reader: RowReader,
  work: WorkMeter = { spent: 0 },
): readonly Shortfall[] {
  if (findMatchingRows(proof, proofCriteria, reader, work)) return []
  const { record, account } = proof
  const view: View = { account, ...reader, work }
  work.spent += priceDemand(record, proofCriteria)
  const { verifierIds, requireAll, conditions, tags } = proofCriteria
  const asked = record.rows.filter((row) => isAsked(row, verifierIds))
  const absent = verifierIds.filter((id) => !asked.some(({ verifierId }) => verifierId === id))
  const obstacles = asked.flatMap(
    (row) => findObstacle(row, record.subjectWallet, conditions, reader) ?? ([] as readonly Shortfall[]),
  )
  const rows = asked.filter((row) => findObstacle(row, record.subjectWallet, conditions, reader) === undefined)
  const unmet = conditions.flatMap((one): Shortfall[] => {
    const results = rows.map((row) => compareRow(row, one, view))
    const against = rows[results.indexOf('contradicted')]
    if (!against && results.includes('met')) return []
    work.spent += against ? workPrices.contradiction : workPrices.shortfall
    const wanted = one.values.join(' or ')
    const unseen = against ? undefined : rows[results.indexOf('unchecked')]
    if (unseen)
      return [
        { code: 'NOT_CHECKED', path: one.name, op: one.op, wanted, unchecked: listUnchecked(unseen, one, reader) },
      ]
    const found = against && findShownValue(against, one, view)
    return [{ code: 'WRONG_VALUE', path: one.name, op: one.op, wanted, ...(found === undefined ? {} : { found }) }]
  })
  return [
    ...(requireAll || asked.length === 0 ? absent : []).map((verifierId) => ({ code: 'NO_ROW' as const, verifierId })),
    ...obstacles,
    ...(rows.length > 0 ? unmet : []),
    ...tags
      .filter((tag) => !readTags(record, work).has(tag))
      .map((tag) => ({ code: 'MISSING_TAG' as const, wanted: tag })),
  ]
}

const isAsked = ({ verifierId }: VerifiedRow, verifierIds: readonly string[]): boolean =>
  verifierIds.length === 0 || verifierIds.includes(verifierId)

const holderNames = ['ownerAddress', 'walletAddress', 'subjectWallet']

const pastBlock = ['input.blockNumber']
const assetInput = ['input']

/** Why a row does not count, whatever it says. */
function findObstacle(
  { verifierId, verified, data }: VerifiedRow,
  subjectWallet: string | undefined,
  conditions: readonly Condition[],
  { verifiers }: RowReader,
): Shortfall | undefined {
  if (!verified) return { code: 'NOT_VERIFIED', verifierId }
  if (verifiers.get(verifierId)?.meetsPolicy?.(data) === false) return { code: 'RISK_POLICY', verifierId }
  const blockNumber = readRowValues(data).find(pastBlock)?.raw
  if (blockNumber !== undefined && !conditions.some((one) => needsMember(one, 'blockNumber')))
    return { code: 'PAST_BLOCK', verifierId, path: 'input.blockNumber', found: blockNumber }
  if (subjectWallet !== undefined && !conditions.some(namesHolder))
    return { code: 'OTHER_SUBJECT', verifierId, path: 'subjectWallet', found: subjectWallet }
  return undefined
}

/** Being at most somebody names nobody. */
const namesHolder = (one: Condition): boolean => one.op === 'eq' && holderNames.some((name) => needsMember(one, name))

type Result = 'met' | 'contradicted' | 'silent' | 'unchecked'

function listUnchecked(row: VerifiedRow, one: Condition, { readEvidence, verifiers }: RowReader): readonly string[] {
  const judged = listJudgedValues(verifiers.get(row.verifierId)?.judgment, readEvidence(row), one)
  return isUnchecked(judged) ? judged.unchecked : []
}

function findShownValue(row: VerifiedRow, one: Condition, { account, readEvidence, verifiers }: View): unknown {
  const shown = readEvidence(row)
  if (isOtherContract(row, one, account)) return shown[accountIdMembers[one.name]!]
  const judged = listJudgedValues(verifiers.get(row.verifierId)?.judgment, shown, one)
  return Array.isArray(judged) ? judged.join(', ') : readRowValues(shown).find(one.paths)?.raw
}

/**
 * Hidden values support only equality: greater or less would reveal them step by step. A caller who knows the value
 * learns nothing new.
 */
function compareRow(row: VerifiedRow, one: Condition, { account, readEvidence, verifiers, work }: View): Result {
  work.spent += one.cost
  const shown = readEvidence(row)
  const { verifierId, hidden } = row
  const judged = listJudgedValues(verifiers.get(verifierId)?.judgment, shown, one)
  if (isUnchecked(judged)) return 'unchecked'
  if (judged !== undefined) {
    work.spent += judged.length * workPrices.tag
    return judged.some((value) => meets(value, one)) ? 'met' : 'contradicted'
  }
  const found =
    readRowValues(shown).find(one.paths) ??
    (hidden && one.op === 'eq' ? readRowValues(hidden).find(one.paths) : undefined)
  if (found !== undefined) {
    work.spent += found.priceText(one.compare)
    if (meets(found, one)) return isOtherContract(row, one, account) ? 'contradicted' : 'met'
    return isSigningChain(shown, one) ? 'silent' : 'contradicted'
  }
  return one.byDefault?.verifierId === verifierId && meets(one.byDefault.value, one) ? 'met' : 'silent'
}

/** Whether the value is a bare address, and the row has the contract of another chain at it. */
const isOtherContract = (row: VerifiedRow, { name, hubChainId }: Condition, account: string | undefined): boolean =>
  hubChainId !== undefined && isContractElsewhere(row, name, hubChainId, account)

/** Rows that are about no asset carry the chain of the signature under the same name. */
const isSigningChain = (data: Evidence, { name }: Condition): boolean =>
  name === 'chainId' && readRowValues(data).find(assetInput) === undefined

/** Whether a proof counts at all at this time. */
export const isCurrent = (
  proof: Pick<ProofRow, 'status' | 'revokedAt' | 'isSuperseded' | 'expiresAt' | 'finality'>,
  now: number,
): boolean => readEnd(proof, now) === undefined && !proof.isSuperseded && countingWords.has(proof.status)

/** For a partially verified proof the valid rows count. */
const countingWords: ReadonlySet<string> = new Set([...fullyVerifiedWords, 'partially_verified'])
