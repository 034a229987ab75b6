/**
 * One thing that is asked of the data of a verified row: where it stands, and what it must be. Paths and comparisons are
 * those of gate requirements and of the parameters of a gate check. Knows nothing of proofs.
 */
import { domainIn } from '../verifiers/domain.ts'
import type { Evidence } from '../verifiers/verifier.ts'

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
  /** What a row says that does not say it itself. */
  readonly byDefault?: { readonly verifierId: string; readonly value: string }
}

type Comparison = 'text' | 'number' | 'amount' | 'domain'

/** Names that stand for members of another name. A word that is not here is looked up in `input`, then in the data. */
const pathsOfName: Readonly<Record<string, readonly string[]>> = {
  ownerAddress: ['input.ownerAddress', 'ownerAddress', 'owner', 'input.walletAddress', 'walletAddress'],
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

export const pathsOf = (name: string): readonly string[] =>
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

export function condition(
  name: string,
  values: readonly string[],
  op: Operator = 'eq',
  paths: readonly string[] = pathsOf(name),
): Condition {
  const last = lastOf(name)
  return { name, paths, op, values, compare: (Object.hasOwn(comparisons, last) && comparisons[last]) || 'text' }
}

/** Whether the condition is about this member, wherever it stands. */
export const asksAbout = ({ name, paths }: Condition, member: string): boolean =>
  lastOf(name) === member || paths.some((path) => lastOf(path) === member)

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

/** What stands in the data at the first of the paths that leads somewhere. Inherited members are none. */
export function valueIn(data: Evidence, paths: readonly string[]): unknown {
  for (const path of paths) {
    const value = at(data, path)
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

function at(data: Evidence, path: string): unknown {
  if (!path.includes('.')) return Object.hasOwn(data, path) ? data[path] : undefined
  let value: unknown = data
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[step]
  }
  return value
}

export const meets = (found: unknown, { op, values, compare }: Condition): boolean =>
  values.some((wanted) => isMet(found, wanted, op, compare))

function isMet(found: unknown, wanted: string, op: Operator, compare: Comparison): boolean {
  if (op !== 'eq' || compare === 'amount') {
    const order = compareDecimals(found, wanted)
    // A proof of 200 proves 100 as well: an amount that is asked for is the least.
    return order !== undefined && (op === 'lte' ? order <= 0 : order >= 0)
  }
  if (typeof found === 'boolean') return wanted === String(found) || wanted === (found ? '1' : '0')
  if (compare === 'number') {
    const [left, right] = [wholeIn(found), wholeIn(wanted)]
    if (left !== undefined || right !== undefined) return left === right
  }
  if (typeof found === 'number') return compareDecimals(found, wanted) === 0
  return typeof found === 'string' && comparable(found, compare) === comparable(wanted, compare)
}

/** Two texts count as equal when this form of them is the same. */
export function comparable(text: string, compare: Comparison): string {
  if (compare === 'domain') {
    const named = domainIn(text)
    if ('domain' in named) return named.domain
  }
  return text.startsWith('0x') || text.length > 20 || compare === 'domain' ? inLowerCase(text) : text
}

/** A to Z only: toLowerCase() makes a k of the Kelvin sign, and then two names would be one. */
const inLowerCase = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

function wholeIn(value: unknown): bigint | undefined {
  const text = String(value)
  const isText = typeof value === 'string' || typeof value === 'number'
  return isText && /^([0-9]{1,78}|0x[0-9a-fA-F]{1,64})$/.test(text) ? BigInt(text) : undefined
}

/**
 * Exactly, digit by digit: floats would let 0.99999999999999999 pass for 1. Undefined when one of the two is no decimal
 * number.
 */
export function compareDecimals(left: unknown, right: unknown): -1 | 0 | 1 | undefined {
  const [a, b] = [decimalIn(left), decimalIn(right)]
  if (!a || !b) return undefined
  const digits = Math.max(a.fraction.length, b.fraction.length)
  const [x, y] = [scaled(a, digits), scaled(b, digits)]
  if (x === y) return 0
  return x < y ? -1 : 1
}

interface Decimal {
  readonly sign: string
  readonly whole: string
  readonly fraction: string
}

function decimalIn(value: unknown): Decimal | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  // 1e21 is how JavaScript writes a great number.
  const text = typeof value === 'number' && Number.isInteger(value) ? BigInt(value).toString() : String(value)
  const [, sign = '', whole = '', fraction = ''] = /^(-?)([0-9]{1,400})(?:\.([0-9]{1,400}))?$/.exec(text) ?? []
  return whole === '' ? undefined : { sign, whole, fraction }
}

const scaled = ({ sign, whole, fraction }: Decimal, digits: number): bigint =>
  BigInt(`${sign}${whole}${fraction.padEnd(digits, '0')}`)
