/**
 * A value of a row or of a condition, with the forms in which values are compared. Each form is made once. So a check's
 * cost does not grow with the product of rows and conditions.
 */
import { parseDomain } from '../verifiers/domain.ts'

export type Comparison = 'text' | 'number' | 'amount' | 'domain'

/** A domain has at most 253 characters in ASCII form. Decomposed characters (UAX #15) are up to four times as many. */
const longestDomainText = 1_016

export class ComparableValue {
  #text: string | undefined
  #domain: string | undefined
  /** null: the value is no such number. */
  #decimal: Decimal | null | undefined
  #whole: bigint | null | undefined

  constructor(readonly raw: unknown) {}

  /** Undefined when the value is not a text. */
  toText(compare: Comparison): string | undefined {
    if (typeof this.raw !== 'string') return undefined
    if (compare === 'domain') {
      this.#domain ??= makeComparable(this.raw, compare)
      return this.#domain
    }
    this.#text ??= makeComparable(this.raw, compare)
    return this.#text
  }

  /** Work of the next toText(), in units of check-work.ts. */
  priceText(compare: Comparison): number {
    if (typeof this.raw !== 'string' || (compare === 'domain' ? this.#domain : this.#text) !== undefined) return 0
    return priceText(this.raw, compare)
  }

  toDecimal(): Decimal | undefined {
    if (this.#decimal === undefined) this.#decimal = parseDecimal(this.raw) ?? null
    return this.#decimal ?? undefined
  }

  toWhole(): bigint | undefined {
    if (this.#whole === undefined) this.#whole = parseWhole(this.raw) ?? null
    return this.#whole ?? undefined
  }
}

/**
 * Punycode (RFC 3492) takes quadratic time. Everything else is linear. It is slow when other scripts keep the engine
 * from lowercasing the whole text at once.
 */
export const priceText = (text: string, compare: Comparison): number =>
  compare === 'domain'
    ? 500 + Math.min(text.length, longestDomainText) ** 2 * 0.6
    : Math.ceil(isAscii(text) ? text.length / 8 : text.length * 8)

/** Two texts count as equal when this form of them is the same. */
export function makeComparable(text: string, compare: Comparison): string {
  if (compare === 'domain' && text.length <= longestDomainText) {
    const named = parseDomain(text)
    if ('domain' in named) return named.domain
  }
  return text.startsWith('0x') || text.length > 20 || compare === 'domain' ? lowerAscii(text) : text
}

/** A to Z only: toLowerCase() makes a k of the Kelvin sign, and then two names would be one. */
function lowerAscii(text: string): string {
  if (!/[A-Z]/.test(text)) return text
  return isAscii(text) ? text.toLowerCase() : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

const isAscii = (text: string): boolean => !/[\u0080-\uffff]/.test(text)

function parseWhole(value: unknown): bigint | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value)
  return text.length <= 78 && /^([0-9]{1,78}|0x[0-9a-fA-F]{1,64})$/.test(text) ? BigInt(text) : undefined
}

/** A decimal number without leading and trailing zeros. */
export interface Decimal {
  readonly isNegative: boolean
  readonly whole: string
  readonly fraction: string
}

/** A sign, 400 digits, a point and 400 digits. */
const longestDecimal = 802

function parseDecimal(value: unknown): Decimal | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  // JavaScript writes great numbers as 1e21.
  const text = typeof value === 'number' && Number.isInteger(value) ? BigInt(value).toString() : String(value)
  if (text.length > longestDecimal) return undefined
  const [, sign = '', digits = '', decimals = ''] = /^(-?)([0-9]{1,400})(?:\.([0-9]{1,400}))?$/.exec(text) ?? []
  if (digits === '') return undefined
  const whole = digits.replace(/^0+/, '')
  const fraction = trimTrailingZeros(decimals)
  return { isNegative: sign === '-' && whole + fraction !== '', whole, fraction }
}

/** A pattern such as /0+$/ takes quadratic time on zeros that are followed by another digit. */
function trimTrailingZeros(digits: string): string {
  let end = digits.length
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end--
  return digits.slice(0, end)
}

/**
 * Exactly, digit by digit: floats would let 0.99999999999999999 pass for 1. Undefined when one of the two is no decimal
 * number.
 */
export const compareDecimals = (left: unknown, right: unknown): Order | undefined =>
  compareValues(new ComparableValue(left), new ComparableValue(right))

type Order = -1 | 0 | 1

/** Compares two values as decimal numbers. Undefined when one of them is not a number. */
export function compareValues(left: ComparableValue, right: ComparableValue): Order | undefined {
  const [a, b] = [left.toDecimal(), right.toDecimal()]
  if (!a || !b) return undefined
  if (a.isNegative !== b.isNegative) return a.isNegative ? -1 : 1
  const order = compareMagnitudes(a, b)
  return a.isNegative ? ((-order || 0) as Order) : order
}

function compareMagnitudes(a: Decimal, b: Decimal): Order {
  if (a.whole.length !== b.whole.length) return a.whole.length < b.whole.length ? -1 : 1
  if (a.whole !== b.whole) return a.whole < b.whole ? -1 : 1
  if (a.fraction === b.fraction) return 0
  return a.fraction < b.fraction ? -1 : 1
}
