/**
 * Whether a wallet meets the requirements of a gate, from stored proofs. Says nothing of payment, supply or what was
 * handed out before, and whether the gate may be seen is access.ts.
 */
import { isSomeInOrder, mapInOrder } from '../../in-order.ts'
import { nobody } from '../../proofs/account-store.ts'
import { CheckWork, workPrices } from '../../proofs/check-work.ts'
import { priceText } from '../../proofs/comparable-value.ts'
import { type Condition, listPaths, makeCondition } from '../../proofs/condition.ts'
import type { ProofCriteria } from '../../proofs/proof-criteria.ts'
import { isEvmAddress } from '../../wallet/account.ts'
import { splitAccount, takesAccountId } from '../definition/named-accounts.ts'
import { chooseRule, isRuleMet, listRuleIds, nameRequirement } from '../definition/rule.ts'
import type { Gate, GateRequirement, KeptDefinition } from '../gate.ts'
import { isGuestList } from '../guests/guest-list.ts'
import { findGateOfPass } from '../guests/pass-store.ts'
import { isOnList } from '../guests/store.ts'
import { type GateState, judgeGate } from '../schedule.ts'
import { findMatches, type MatchTools, type Match as ProofMatch, type Viewer } from './find-matches.ts'
import { readKnownParameters } from './parameters.ts'

export interface GateQuestion extends Omit<Viewer, 'work'> {
  /** The budget of the request. Default: one of its own. */
  readonly work?: CheckWork | undefined
  /** Looks at this proof alone: which requirements does it meet? */
  readonly only?: string | undefined
  /** Unix milliseconds: older proofs do not count, however long the gate lets them. */
  readonly since?: number | undefined
  /** Proofs that do not count, by the id of the requirement. */
  readonly without?: ReadonlyMap<string, ReadonlySet<string>> | undefined
  /** The pass that a purchase names in place of a proof: it meets the guest list of its wallet. */
  readonly pass?: string | undefined
}

export interface RequirementResult {
  /** The id that `rule` names it by. */
  readonly id: string
  readonly verifierId: string
  readonly isOptional: boolean
  readonly isSatisfied: boolean
  /** The newest proofs that meet it, at most `needed`. */
  readonly matched: readonly string[]
  readonly matches: readonly ProofMatch[]
  readonly needed: number
  /** Unix milliseconds: older proofs do not count. */
  readonly since: number
  readonly proofCriteria: ProofCriteria
  readonly isFinalAsked: boolean
  /** Its claims are read again before the gate is fulfilled. */
  readonly isRechecked: boolean
  /** False when the proofs that were read do not satisfy it, and there are more. */
  readonly isComplete: boolean
  /** Of a guest list: whether the wallet is on it, whatever id was asked about. */
  readonly isListed?: boolean
  /** Of a guest list: the id that was asked about, as a pass. */
  readonly pass?: PassState
}

/**
 * valid, withdrawn: its wallet is on the list, or left it. none: the id is no pass, and a proof may have it. unknown: no
 * wallet was named, and the id does not name one here.
 */
export type PassState = 'valid' | 'withdrawn' | 'of another gate' | 'of another wallet' | 'none' | 'unknown'

export interface GateEvaluation {
  /** By its requirements alone: admission also needs `state` to be open. */
  readonly isSatisfied: boolean
  readonly state: GateState
  readonly requirements: readonly RequirementResult[]
  /** Requirements that stand in the way. Empty when the gate is satisfied. */
  readonly missing: readonly RequirementResult[]
}

/**
 * The number of proofs that one requirement reads. Proofs that its match rows name by a subject are found among any
 * number.
 */
export const requirementLimit = 1_000

/** `id` is missing for a gate that is not published: it has no list yet. */
export type TriedGate = Pick<Gate, 'definition'> & Partial<Pick<Gate, 'id' | 'status'>>

export async function evaluateGate(
  tools: MatchTools,
  { id: gate, status, definition }: TriedGate,
  { work = new CheckWork(), ...asked }: GateQuestion,
): Promise<GateEvaluation> {
  const question = { ...asked, work }
  const results = await mapInOrder(definition.requirements, (requirement, at) => {
    const id = nameRequirement(requirement, at)
    return isGuestList(requirement)
      ? evaluateGuestList(tools, requirement, id, gate, question)
      : evaluateRequirement(tools, requirement, id, definition, question)
  })
  const requirements = results.some(({ matches }) => matches.length > 0) ? results : results.map(refuseOther)
  const rule = chooseRule(definition)
  const satisfied = new Set(requirements.flatMap(({ id, isSatisfied }) => (isSatisfied ? [id] : [])))
  const isSatisfied = isRuleMet(rule, satisfied)
  const named = listRuleIds(rule)
  return {
    isSatisfied,
    state: judgeGate({ status, definition }, tools.now()),
    requirements,
    missing: isSatisfied ? [] : requirements.filter((one) => named.has(one.id) && !one.isSatisfied),
  }
}

/** A listed wallet does not pass by an id that means nothing to the gate. */
const refuseOther = (result: RequirementResult): RequirementResult =>
  result.pass === 'none' ? { ...result, isSatisfied: false } : result

/** One look-up for each account that is meant, and one for the pass that is named. It reads no proof, so neither age nor visibility matters. */
async function evaluateGuestList(
  { db, verifierSettings }: MatchTools,
  { verifierId, optional = false }: GateRequirement,
  id: string,
  gate: number | undefined,
  { holder, work, pass, only }: Viewer & Pick<GateQuestion, 'pass' | 'only'>,
): Promise<RequirementResult> {
  const isComplete = !work.isSpent()
  work.spent += workPrices.query
  const named = isComplete && only !== undefined ? await findGateOfPass(db, only) : undefined
  if (only !== undefined) work.spent += workPrices.query
  // Without an address, the pass says whose it is. Its id is a secret of its wallet.
  const accounts = holder === nobody && named?.gate === gate ? [named?.wallet ?? ''] : holder.either
  const isListed =
    isComplete &&
    gate !== undefined &&
    (await isSomeInOrder(accounts, (account) => isOnList(db, gate, account, verifierSettings.hubChainId)))
  const state =
    only === undefined ? undefined : judgePass(named, { gate, accounts, isListed, isUnnamed: holder === nobody })
  const isSatisfied = isListed && (state === undefined || state === 'valid' || state === 'none')
  return {
    id,
    verifierId,
    isOptional: optional,
    isSatisfied,
    isListed,
    ...(state === undefined ? {} : { pass: state }),
    matched: isSatisfied && pass !== undefined ? [pass] : [],
    matches: [],
    needed: 1,
    since: 0,
    proofCriteria: { verifierIds: [verifierId], requireAll: true, conditions: [], tags: [] },
    isFinalAsked: false,
    isRechecked: false,
    isComplete,
  }
}

function judgePass(
  named: { readonly gate: number; readonly wallet: string } | undefined,
  {
    gate,
    accounts,
    isListed,
    isUnnamed,
  }: {
    readonly gate: number | undefined
    readonly accounts: readonly string[]
    readonly isListed: boolean
    readonly isUnnamed: boolean
  },
): PassState {
  if (!named) return isUnnamed ? 'unknown' : 'none'
  if (named.gate !== gate) return 'of another gate'
  if (!accounts.includes(named.wallet)) return 'of another wallet'
  return isListed ? 'valid' : 'withdrawn'
}

async function evaluateRequirement(
  tools: MatchTools,
  requirement: GateRequirement,
  id: string,
  { policy }: KeptDefinition,
  { only, since: asked = 0, without, pass: _, ...viewer }: Viewer & Omit<GateQuestion, keyof Viewer>,
): Promise<RequirementResult> {
  const { verifierId, match = [], optional = false, minCount = 1, maxAgeMs = Infinity } = requirement
  const { final: isFinalAsked = false, recheck: isRechecked = false } = requirement
  const freshMs = (policy?.gateFreshnessHours ?? Infinity) * 3_600_000
  const since = Math.max(asked, tools.now() - Math.min(maxAgeMs, freshMs))
  const proofCriteria: ProofCriteria = {
    verifierIds: [verifierId],
    requireAll: true,
    conditions: match.flatMap(({ path, op, value }) => readConditions(path, value, op, tools)),
    tags: [],
  }
  countConditions(proofCriteria.conditions, viewer.work)
  const question = {
    proofCriteria,
    since,
    enough: minCount,
    limit: requirementLimit,
    only,
    isFinalAsked,
    without: without?.get(id),
  }
  const { matches, isComplete } = await findMatches(tools, viewer, question)
  return {
    id,
    verifierId,
    isOptional: optional,
    isSatisfied: matches.length >= minCount,
    matched: matches.map(({ proof }) => proof.qHash),
    matches,
    needed: minCount,
    since,
    proofCriteria,
    isFinalAsked,
    isRechecked,
    isComplete,
  }
}

/** A value is normalized once for a request, which takes longest for domains. */
export function countConditions(conditions: readonly Condition[], work: CheckWork): void {
  for (const { values, compare } of conditions)
    for (const value of values) work.spent += workPrices.condition + priceText(value, compare)
}

type ConditionTools = Pick<MatchTools, 'catalog' | 'verifierSettings'>

/** The conditions of one name and value: for a wallet with its chain, both. */
export function readConditions(
  name: string,
  value: string,
  op: 'eq' | 'gte' | 'lte',
  tools: ConditionTools,
): Condition[] {
  const asked = op === 'eq' ? splitAccount(name, value) : undefined
  if (asked) return asked.map((one) => makeParameterCondition(one.name, one.value, op, tools))
  const made = makeParameterCondition(name, value, op, tools)
  return [
    takesAccountId(name) && isEvmAddress(value) ? { ...made, hubChainId: tools.verifierSettings.hubChainId } : made,
  ]
}

/** A condition, with the value that a verifier takes for a member which its evidence lacks. */
function makeParameterCondition(name: string, value: string, op: 'eq' | 'gte' | 'lte', tools: ConditionTools) {
  const { branded, defaults } = readKnownParameters(tools)
  // Proofs keep a branded member under one name, so that they outlive a change of the brand.
  const made = makeCondition(name, [value], op, listPaths(branded.get(name) ?? name))
  const byDefault = defaults.get(name)
  return byDefault ? { ...made, byDefault } : made
}
