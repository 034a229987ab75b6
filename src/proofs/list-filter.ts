/** The filters of a list of proofs, and the test of one record against them. */
import { noApp } from '../http/client-app.ts'
import type { ProofRecord } from './record.ts'

export interface ProofFilter {
  readonly includeHistory?: boolean | undefined
  readonly qHash?: string | undefined
  /** The beginning of an id, in lower case. */
  readonly qHashPrefix?: string | undefined
  readonly status?: string | undefined
  /** Any of these. */
  readonly verifierIds?: readonly string[] | undefined
  /** All of these. */
  readonly tags?: readonly string[] | undefined
  readonly tagPrefix?: string | undefined
  readonly tagContains?: string | undefined
  /** For each of these some tag begins with it. */
  readonly tagPrefixesAll?: readonly string[] | undefined
  readonly privacyLevel?: string | undefined
  /** Text in the title, the description or a tag; for the owner also in what was found. */
  readonly text?: string | undefined
  readonly chainId?: number | undefined
  readonly chainCoverage?: string | undefined
  /** The app that proofs were made through, or `none`. */
  readonly appId?: string | undefined
  /** Unix milliseconds of the creation: at this time or later. */
  readonly from?: number | undefined
  /** Unix milliseconds of the creation: earlier than this. */
  readonly before?: number | undefined
}

/** Whether a caller asked for some of the list only. */
export const isFiltered = ({ includeHistory: _, ...narrowing }: ProofFilter): boolean =>
  Object.values(narrowing).some((value) => value !== undefined)

/**
 * The app whose index leads to the proofs. Undefined when an id leads to one of them, or when proofs without an app are
 * wanted.
 */
export const findWalkedApp = ({ appId, qHash, qHashPrefix }: ProofFilter): string | undefined =>
  appId === noApp || qHash !== undefined || qHashPrefix !== undefined ? undefined : appId

export const showsHistory = ({ includeHistory, status }: ProofFilter): boolean =>
  includeHistory === true || status === 'revoked'

/** Whether a public list includes expired proofs: only on request. */
export const showsExpired = (filter: ProofFilter): boolean => showsHistory(filter) || filter.status === 'expired'

export interface RecordTest {
  /** Tells by the JSON of a record whether the record is in the list. */
  readonly accepts: (recordText: string) => boolean
  /** In lower case (A to Z): only records whose JSON holds it in any case can be accepted. */
  readonly needle: string | undefined
  /** How many times over the bytes of a record count: each prefix is compared with each tag. */
  readonly weight: number
}

const prefixesPerWeight = 8

/**
 * The test of a record, or undefined when no filter reads records. Each record is parsed once, for any number of
 * filters. It is not parsed when its text already fails a filter.
 */
export function buildRecordTest(filter: ProofFilter, isOwner: boolean): RecordTest | undefined {
  const { verifierIds, tagPrefix, tagContains, tagPrefixesAll = [], text, chainCoverage } = filter
  const tags = [...new Set(filter.tags)]
  const prefixes = [...new Set([...tagPrefixesAll, ...(tagPrefix === undefined ? [] : [tagPrefix])])]
  const needle = text === undefined ? undefined : lowerAscii(text)
  const tests: ((record: ProofRecord) => boolean)[] = []
  const required: string[] = []

  if (verifierIds !== undefined) {
    const wanted = new Set(verifierIds)
    tests.push(({ rows }) => rows.some(({ verifierId }) => wanted.has(verifierId)))
  }
  if (tags.length > 0) {
    tests.push(({ meta }) => {
      const held = new Set(meta.tags)
      return tags.every((tag) => held.has(tag))
    })
    required.push(...tags)
  }
  if (prefixes.length > 0) {
    tests.push(({ meta: { tags: held = [] } }) =>
      prefixes.every((prefix) => held.some((tag) => tag.startsWith(prefix))),
    )
    required.push(...prefixes)
  }
  if (tagContains !== undefined) {
    tests.push(({ meta }) => meta.tags?.some((tag) => tag.includes(tagContains)) ?? false)
    required.push(tagContains)
  }
  if (chainCoverage !== undefined) {
    const wantsCopies = chainCoverage !== 'hub-only'
    tests.push(({ publishing }) => (publishing?.targetChains.length ?? 0) > 0 === wantsCopies)
  }
  if (needle !== undefined) tests.push((record) => holdsText(record, needle, isOwner))
  if (tests.length === 0) return undefined

  const literal = required.filter(isPlain)
  const lowered = needle !== undefined && isPlain(needle) ? needle : undefined
  const accepts = (recordText: string): boolean => {
    if (!literal.every((part) => recordText.includes(part))) return false
    const record = JSON.parse(recordText) as ProofRecord
    return tests.every((test) => test(record))
  }
  return { accepts, needle: lowered, weight: 1 + Math.floor(prefixes.length / prefixesPerWeight) }
}

/** Whether JSON writes a text as it is, so that a record can be searched for it without parsing. */
const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text) && !/["\\]/.test(text)

/** A to Z only: the longer rules of Unicode depend on neighbors, and a text must always find itself. */
const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Strangers do not see all evidence, so they cannot search it either. `hidden` cannot be searched at all. */
function holdsText({ meta, rows }: ProofRecord, needle: string, isOwner: boolean): boolean {
  const { title, description, tags = [] } = meta
  const holds = (value: unknown): boolean => typeof value === 'string' && lowerAscii(value).includes(needle)
  return [title, description, ...tags].some(holds) || (isOwner && rows.some(({ data }) => hasText(data, needle)))
}

/** Whether a value of the evidence holds the text, as JSON writes it; names of members do not count. */
function hasText(value: unknown, needle: string): boolean {
  if (typeof value === 'string') return lowerAscii(value).includes(needle)
  if (value === null || typeof value !== 'object') return value !== null && String(value).includes(needle)
  return Object.values(value).some((member) => hasText(member, needle))
}
