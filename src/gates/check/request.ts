/** Reads a gate check: its parameters, in a query or as an entry of a list, and their meaning. */
import { suggestNearest } from '../../config/suggest.ts'
import { AppError } from '../../errors.ts'
import { isSet } from '../../http/describe.ts'
import { nameMember } from '../../member-name.ts'
import type { Parts } from '../../parts.ts'
import { type Condition, makeCondition } from '../../proofs/condition.ts'
import type { ProofCriteria } from '../../proofs/proof-criteria.ts'
import { explainExpectation, type ShapeFault } from '../../shape.ts'
import type { CheckParameter } from '../../verifiers/check-parameter.ts'
import { stripVersion } from '../../verifiers/id.ts'
import type { Catalog } from '../../verifiers/index.ts'
import { makeVerifierNotFound } from '../../verifiers/not-found.ts'
import { explainNoAccount, type NamedAccount, readNamedAccount } from '../../wallet/account.ts'
import { explainForeignName, isShortName } from '../../wallet/foreign-name.ts'
import { requireMilliseconds } from '../../wallet/unix-milliseconds.ts'
import { takesAccountId } from '../definition/named-accounts.ts'
import { readConditions } from './evaluate.ts'
import type { MatchTools } from './find-matches.ts'
import { requireKnownNames, takeBrandedNames, takeOtherNames } from './known-parameters.ts'
import { type CheckQuery, readKnownParameters } from './parameters.ts'

export interface CheckRequest {
  /** Undefined where the parameters leave it open. */
  readonly named: NamedAccount | undefined
  readonly isAboutCaller: boolean
  readonly gateId: string | undefined
  readonly qHash: string | undefined
  /** Undefined when only a gate was named. */
  readonly proofCriteria: ProofCriteria | undefined
  readonly minCount: number
  /** Unix milliseconds. */
  readonly since: number
  readonly limit: number
  readonly select: readonly string[]
  readonly wantsPrivate: boolean
  readonly includeQHashes: boolean
  readonly explain: boolean
  /** The requested criteria, for the answer. */
  readonly criteria: Readonly<Record<string, unknown>>
}

/** The parameters of a check, as a query spells them; a tool gives lists, flags and numbers as they are. */
export interface CheckTerms
  extends Pick<
    CheckQuery,
    'address' | 'subject' | 'gateId' | 'qHash' | 'verifierId' | 'tag' | 'traitPath' | 'traitGte' | 'explain'
  > {
  readonly verifierIds?: string | readonly string[]
  readonly requireAll?: string | boolean
  readonly minCount?: string | number
  readonly includePrivate?: string | boolean
  readonly includeQHashes?: string | boolean
  readonly [parameter: string]: string | readonly string[] | number | boolean | undefined
}

export const defaultLimit = 1_000
const maxWords = 32
const dayMs = 86_400_000

/** Errors: VALIDATION_ERROR, INVALID_WALLET_ADDRESS, VERIFIER_NOT_FOUND; `at` is put before their path. */
export function checkRequest(
  query: CheckTerms,
  tools: Pick<Parts, 'now' | 'verifierSettings' | 'catalog' | 'config'>,
  at = '',
): CheckRequest {
  const refuse = (name: string, message: string): AppError =>
    new AppError('VALIDATION_ERROR', message, { path: `${at}/${name}` })
  const readWhole = (name: string, least: number, most: number): number | undefined => {
    if (!query[name]) return undefined
    const value = Number(query[name])
    if (value < least || value > most) throw refuse(name, `${name} is ${value} and must be ${least} to ${most}`)
    return value
  }
  const readWords = (name: string): readonly string[] => {
    if (query[name] === undefined) return []
    const found = [query[name]].flat().flatMap((text) =>
      String(text)
        .split(',')
        .map((part) => part.trim()),
    )
    const list = [...new Set(found.filter(Boolean))]
    if (list.length === 0) throw refuse(name, `${name} is empty: give a value, or leave it out`)
    if (list.length > maxWords)
      throw refuse(name, `${name} names ${list.length} words, and the limit is ${maxWords}: give fewer`)
    return list
  }

  const verifierIds = listUnique([...readWords('verifierIds'), query.verifierId].map((id) => id && stripVersion(id)))
  requireKnownVerifiers(verifierIds, tools.catalog, `${at}/${query.verifierIds?.length ? 'verifierIds' : 'verifierId'}`)
  const tags = listUnique([...readWords('tags'), query.tag])
  const conditions = readAllConditions(query, tools, { words: readWords, whole: readWhole, refuse }, at)
  const qHash = query.qHash?.toLowerCase()
  const hasCriteria = verifierIds.length + tags.length + conditions.length > 0 || qHash !== undefined
  if (!hasCriteria && !query.gateId)
    throw refuse('gateId', 'the check has no criteria: give gateId, qHash, verifierIds, tags or a value to match')

  const select = readWords('select')
  const unknown = select.find((name) => !/^(handle|provider|profileUrl|traits\.[A-Za-z0-9_-]{1,64})$/.test(name))
  if (unknown !== undefined) throw refuse('select', 'select takes handle, provider, profileUrl and traits.<name>')
  const sinceDays = readWhole('sinceDays', 1, 3650)
  const minCount = readWhole('minCount', 1, 1000) ?? 1
  const limit = readWhole('limit', 1, 1000) ?? defaultLimit
  const since = readWhole('since', 0, 8_640_000_000_000_000) ?? 0
  requireMilliseconds(since, 'since', `${at}/since`)
  const isAboutCaller = query.subject === 'me'
  if (!query.address && !isAboutCaller && qHash === undefined)
    throw refuse('address', 'address is missing: give the wallet that is to be checked')
  return {
    named: query.address ? requireNamed(query.address, tools, `${at}/address`) : undefined,
    isAboutCaller,
    gateId: query.gateId,
    qHash,
    proofCriteria: hasCriteria ? { verifierIds, requireAll: isTrue(query.requireAll), conditions, tags } : undefined,
    minCount,
    since: Math.max(since, sinceDays === undefined ? 0 : tools.now() - sinceDays * dayMs),
    limit,
    select,
    wantsPrivate: isTrue(query.includePrivate),
    includeQHashes: isTrue(query.includeQHashes),
    explain: isSet(query.explain),
    criteria: readCriteria(query, readKnownParameters(tools).names),
  }
}

const isTrue = (value: string | boolean | undefined): boolean => (typeof value === 'boolean' ? value : isSet(value))

const listUnique = (words: readonly (string | undefined)[]): string[] =>
  [...new Set(words.filter((word) => !!word))] as string[]

/** Errors: VERIFIER_NOT_FOUND. A disabled verifier is known: its earlier proofs still count. */
function requireKnownVerifiers(ids: readonly string[], catalog: Catalog, path: string): void {
  const unknown = ids.find((id) => !catalog.known.has(id))
  if (unknown === undefined) return
  throw makeVerifierNotFound([unknown], catalog, {
    path,
    nearest: suggestNearest(unknown, [...catalog.known.keys()]),
  })
}

/** Errors: INVALID_WALLET_ADDRESS. */
export function requireNamed(identifier: string, { config }: Pick<Parts, 'config'>, path: string): NamedAccount {
  const named = readNamedAccount(identifier, config.signing.hubChainId)
  if (named) return named
  throw new AppError(
    'INVALID_WALLET_ADDRESS',
    `${path.slice(path.lastIndexOf('/') + 1)} is ${explainNoAccount(identifier)}`,
    { path },
  )
}

/**
 * A value that cannot be compared would silently match nothing: a name, one with a chain, or a cut EVM address. Some
 * other chains write an address as 0x and 64 digits. Errors: INVALID_WALLET_ADDRESS.
 */
function requireComparable(name: string, value: string, advice: string | undefined, path: string): void {
  const fault = advice === undefined ? findAccountFault(value) : findBareFault(value, advice)
  if (fault !== undefined) throw new AppError('INVALID_WALLET_ADDRESS', `${name} ${fault}`, { path })
}

const isCutAddress = (value: string): boolean => /^0x/i.test(value) && !/^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(value)
const cutFault = 'begins as an EVM address and is not one: that is 0x and 40 hexadecimal digits'

function findAccountFault(value: string): string | undefined {
  if (isCutAddress(value)) return cutFault
  if (/^0x/i.test(value)) return undefined
  return readNamedAccount(value, 0) === undefined ? `is ${explainNoAccount(value)}` : undefined
}

function findBareFault(value: string, advice: string): string | undefined {
  if (isCutAddress(value)) return cutFault
  if (value.includes(':') && !value.startsWith('ed25519:'))
    return `is compared as an address without a chain: ${advice}`
  if (isShortName(value)) return `is a short name and no address: ${advice}`
  const fault = explainForeignName(value)
  return fault === undefined ? undefined : `is ${fault}`
}

interface Readers {
  readonly words: (name: string) => readonly string[]
  readonly whole: (name: string, least: number, most: number) => number | undefined
  readonly refuse: (name: string, message: string) => AppError
}

function readAllConditions(
  query: CheckTerms,
  tools: Pick<MatchTools, 'catalog' | 'verifierSettings'>,
  readers: Readers,
  at: string,
): Condition[] {
  const conditions: Condition[] = []
  for (const [name, parameter] of readKnownParameters(tools).conditions)
    if (query[name] !== undefined) conditions.push(...readParameter(name, parameter, query, tools, readers, at))
  const { traitPath, traitGte } = query
  if (!traitPath !== !traitGte)
    throw readers.refuse(traitPath ? 'traitGte' : 'traitPath', 'traitPath and traitGte belong together: give both')
  if (traitPath && traitGte)
    conditions.push(makeCondition(`traits.${traitPath}`, [traitGte], 'gte', [`traits.${traitPath}`, traitPath]))
  return conditions
}

/** The condition that a parameter of a verifier expresses. Errors: INVALID_WALLET_ADDRESS, VALIDATION_ERROR. */
function readParameter(
  name: string,
  { kind, range, bareAdvice, member = name, op }: CheckParameter,
  query: CheckTerms,
  tools: Pick<MatchTools, 'catalog' | 'verifierSettings'>,
  { words, whole }: Readers,
  at: string,
): Condition[] {
  const value = query[name]
  if (kind === 'allOf') return words(name).map((one) => makeCondition(member, [one]))
  if (kind === 'anyOf') {
    const values = words(name)
    return values.length > 0 ? [makeCondition(member, values)] : []
  }
  if (typeof value !== 'string' || value === '') return []
  if (range) whole(name, ...range)
  if (takesAccountId(name) || bareAdvice !== undefined) requireComparable(name, value, bareAdvice, `${at}/${name}`)
  return readConditions(member, kind === 'flag' ? String(isSet(value)) : value, op ?? 'eq', tools)
}

/** The parameters that were understood, as they came. */
function readCriteria(query: CheckTerms, names: readonly string[]): Record<string, unknown> {
  const criteria: Record<string, unknown> = {}
  for (const name of names) if (query[name]) criteria[name] = query[name]
  return criteria
}

/** An entry of a list, whose values may be numbers, booleans and lists. Errors: as checkRequest. */
export function readParameters(
  entry: Readonly<Record<string, unknown>>,
  tools: Pick<MatchTools, 'catalog' | 'verifierSettings'>,
  at: string,
): CheckQuery {
  const known = readKnownParameters(tools)
  requireKnownNames(Object.keys(entry), known, at)
  const query = Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, readPlainText(value)]))
  takeBrandedNames(query, known, at)
  takeOtherNames(query)
  if (known.check.Check(query)) return query as CheckQuery
  const fault = dropKind(known.check.Errors(query).First())
  const path = `${at}${fault?.path ?? ''}`
  throw new AppError('VALIDATION_ERROR', `body ${nameMember(path)}: ${explainExpectation(fault)}`, { path })
}

/** A value may be a text, a number or a boolean, so where the shape has a rule, the rule alone says what is wanted. */
function dropKind(fault: ShapeFault | undefined): ShapeFault | undefined {
  const { pattern, enum: words } = (fault?.schema ?? {}) as { readonly pattern?: unknown; readonly enum?: unknown }
  const hasRule = pattern !== undefined || words !== undefined
  return fault && hasRule && typeof fault.value !== 'string' ? { ...fault, value: undefined } : fault
}

/** The value as a query would spell it. Other values stay unchanged, and the shape refuses them. */
function readPlainText(value: unknown): unknown {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(',')
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}
