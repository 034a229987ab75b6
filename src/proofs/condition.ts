/**
 * One thing that is asked of the data of a verified row: where it stands, and what it must be. Paths and comparisons are
 * those of gate requirements and of the parameters of a gate check. Knows nothing of proofs.
 */
import type { Evidence } from '../verifiers/verifier.ts'
import { ComparableValue, type Comparison, compareValues } from './comparable-value.ts'

export { compareDecimals, makeComparable } from './comparable-value.ts'

export type Operator = 'eq' | 'gte' | 'lte'

export interface Condition {
  /** As the caller named it: a parameter, or the path of a match row. */
  readonly name: string
  /** The first that leads to a value decides. */
  readonly paths: readonly string[]
  readonly op: Operator
  /** Any of these. */
  readonly values: readonly string[]
  readonly compare: Comparison
  /** Last names of the paths. */
  readonly members: ReadonlySet<string>
  /** Work of one comparison with a row, in units of check-work.ts. */
  readonly cost: number
  /** The value is a bare address: the key, or the contract on this chain. */
  readonly hubChainId?: number
  /** The value for a row that does not state it. */
  readonly byDefault?: { readonly verifierId: string; readonly value: string }
}

/** Names that stand for members of another name. A word that is not here is looked up in `input`, then in the data. */
const pathsOfName: Readonly<Record<string, readonly string[]>> = {
  ownerAddress: ['input.ownerAddress', 'ownerAddress', 'owner', 'input.walletAddress', 'walletAddress'],
  // The subject of the claim, whoever signed. It begins with another path than ownerAddress, which evidence of
  // verifiers without a subject has too. Conditions are looked up by their first path (facts.ts).
  subjectWallet: ['input.walletAddress', 'input.ownerAddress', 'walletAddress'],
  minBalance: ['input.minBalance', 'onChainData.requiredMinBalance', 'minBalance'],
  handle: ['handle', 'pseudonymId'],
  contentHash: ['contentHash', 'verifierContentHash'],
  content: ['reference.id', 'content'],
  referenceType: ['reference.type'],
  referenceId: ['reference.id'],
  delegationScope: ['scope'],
  'claims.age_min': ['claims.age_min', 'claims.ageMin'],
  'claims.sanctions_passed': ['claims.sanctions_passed', 'claims.sanctionsPassed', 'sanctionsPassed'],
}

export const listPaths = (name: string): readonly string[] =>
  // A name may be that of a member of Object.prototype.
  (Object.hasOwn(pathsOfName, name) ? pathsOfName[name] : undefined) ??
  (name.includes('.') ? [name] : [`input.${name}`, name])

const comparisons: Readonly<Record<string, Comparison>> = {
  chainId: 'number',
  tokenId: 'number',
  minBalance: 'amount',
  requiredMinBalance: 'amount',
  domain: 'domain',
}

export function makeCondition(
  name: string,
  values: readonly string[],
  op: Operator = 'eq',
  paths: readonly string[] = listPaths(name),
): Condition {
  const last = readLastMember(name)
  const compare = (Object.hasOwn(comparisons, last) && comparisons[last]) || 'text'
  const members = new Set([name, ...paths].map(readLastMember))
  return { name, paths, op, values, compare, members, cost: computeCost(paths, values) }
}

/** Steps of the paths, values, and the bytes that a comparison may read. */
const computeCost = (paths: readonly string[], values: readonly string[]): number =>
  8 +
  paths.reduce((sum, path) => sum + Math.ceil(path.length / 4), 0) +
  values.reduce((sum, { length }) => sum + 1 + Math.ceil(length / 128), 0)

/** Whether the condition is about this member, wherever it stands. */
export const needsMember = ({ members }: Condition, member: string): boolean => members.has(member)

const readLastMember = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

/** The value in the data at the first path that exists. Inherited members do not count. */
export function findValue(data: Evidence, paths: readonly string[]): unknown {
  for (const path of paths) {
    const value = readPath(data, path)
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

function readPath(data: Evidence, path: string): unknown {
  if (!path.includes('.')) return Object.hasOwn(data, path) ? data[path] : undefined
  let value: unknown = data
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[step]
  }
  return value
}

/** The values of one row by path, each looked up once. */
export class RowValues {
  readonly #found = new Map<string, ComparableValue | undefined>()

  constructor(readonly evidence: Evidence) {}

  find(paths: readonly string[]): ComparableValue | undefined {
    for (const path of paths) {
      const value = this.#at(path)
      if (value !== undefined) return value
    }
    return undefined
  }

  #at(path: string): ComparableValue | undefined {
    const known = this.#found.get(path)
    if (known !== undefined || this.#found.has(path)) return known
    const raw = readPath(this.evidence, path)
    const value = raw === undefined || raw === null ? undefined : new ComparableValue(raw)
    this.#found.set(path, value)
    return value
  }
}

/** Evidence is never changed after it was read, so its values stay right as long as it lives. */
const valuesByEvidence = new WeakMap<Evidence, RowValues>()

export function readRowValues(evidence: Evidence): RowValues {
  const known = valuesByEvidence.get(evidence)
  if (known) return known
  const made = new RowValues(evidence)
  valuesByEvidence.set(evidence, made)
  return made
}

/** The values of a condition, each normalized once for all rows. */
const wantedByValues = new WeakMap<readonly string[], readonly ComparableValue[]>()

function readWanted(values: readonly string[]): readonly ComparableValue[] {
  const known = wantedByValues.get(values)
  if (known) return known
  const made = values.map((value) => new ComparableValue(value))
  wantedByValues.set(values, made)
  return made
}

export function meets(found: unknown, { op, values, compare }: Pick<Condition, 'op' | 'values' | 'compare'>): boolean {
  const value = found instanceof ComparableValue ? found : new ComparableValue(found)
  return readWanted(values).some((wanted) => isMet(value, wanted, op, compare))
}

function isMet(found: ComparableValue, wanted: ComparableValue, op: Operator, compare: Comparison): boolean {
  if (op !== 'eq' || compare === 'amount') {
    const order = compareValues(found, wanted)
    // A proof of 200 proves 100 as well: an amount that is asked for is the least.
    return order !== undefined && (op === 'lte' ? order <= 0 : order >= 0)
  }
  const { raw } = found
  if (typeof raw === 'boolean') return wanted.raw === String(raw) || wanted.raw === (raw ? '1' : '0')
  if (compare === 'number') {
    const [left, right] = [found.toWhole(), wanted.toWhole()]
    if (left !== undefined || right !== undefined) return left === right
  }
  if (typeof raw === 'number') return compareValues(found, wanted) === 0
  return typeof raw === 'string' && found.toText(compare) === wanted.toText(compare)
}
