/** Checks the data of an owner action before it is signed, so that no wallet signs a useless text. */

import { type OwnerActionName, ownerActions } from '../auth/owner-action.ts'
import { suggestNearest } from '../config/suggest.ts'
import { AppError } from '../errors.ts'
import { ownerActionVerifierId } from '../verifiers/roles.ts'
import { areSameAddress, explainNoAccount, readNamedAccount } from '../wallet/account.ts'

/** A refusal repeats no more of a text than this. */
const longestShown = 160

interface MemberRule {
  /** Follows "must be". */
  readonly wanted: string
  isGood(value: unknown, signer: string): boolean
  /** The fault of a text, where it can be told more exactly. */
  explain?(text: string): string
}

const matchPattern = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)
const matchCount = (least: number, most: number) => (value: unknown) =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most

type MemberName = (typeof ownerActions)[OwnerActionName]['members'][number]

const rules: Readonly<Record<MemberName, MemberRule>> = {
  qHash: { wanted: 'the id of a proof, 0x and 64 hexadecimal digits', isGood: matchPattern(/^0x[a-fA-F0-9]{64}$/) },
  walletAddress: {
    wanted: 'the wallet that signs, as walletAddress beside data names it',
    isGood: (value, signer) => typeof value === 'string' && areSameAddress(value, signer),
  },
  viewerWallet: {
    wanted: 'a wallet address, a did:pkh or a CAIP-10 account',
    isGood: (value) => typeof value === 'string' && value.length <= 160 && readNamedAccount(value, 0) !== undefined,
    explain: (text) => `is ${explainNoAccount(text)}`,
  },
  expiresInSeconds: {
    wanted: 'a whole number from 60 to 31536000, or null for no end',
    isGood: (value) => value === null || matchCount(60, 31_536_000)(value),
  },
  gateId: {
    wanted: 'the id of a gate, 1 to 80 characters of a-z A-Z 0-9 : _ -',
    isGood: matchPattern(/^[\w:-]{1,80}$/),
  },
  digest: {
    wanted: '0x and the SHA-256 of the canonical JSON of definition, 64 hexadecimal digits in lower case',
    isGood: matchPattern(/^0x[a-f0-9]{64}$/),
  },
  version: { wanted: 'the number of a version, from 1', isGood: matchCount(1, 1_000_000) },
  status: { wanted: '"active", "paused" or "draft"', isGood: matchPattern(/^(active|paused|draft)$/) },
  visibility: {
    wanted: '"private", "unlisted" or "listed"',
    isGood: matchPattern(/^(private|unlisted|listed)$/),
  },
  archived: { wanted: 'true or false', isGood: (value) => typeof value === 'boolean' },
  identity: { wanted: 'a payment as the list of unmatched payments names it', isGood: matchPattern(/^[^<>]{1,400}$/) },
  transactionHash: { wanted: '0x and 64 hexadecimal digits', isGood: matchPattern(/^0x[a-fA-F0-9]{64}$/) },
}

/** A signature over other members is accepted nowhere. Errors: VALIDATION_ERROR, with the first invalid member. */
export function requireActionMembers(action: OwnerActionName, data: object, signer: string): void {
  const row: { readonly members: readonly MemberName[]; readonly optional?: readonly string[] } = ownerActions[action]
  const values: ReadonlyMap<string, unknown> = new Map(Object.entries(data))
  const missing = row.members.filter((member) => !values.has(member) && !row.optional?.includes(member))
  if (missing.length > 0) throw makeMissingError(action, missing)
  for (const member of row.members) {
    if (!values.has(member)) continue
    const { wanted, isGood, explain } = rules[member]
    const value = values.get(member)
    if (isGood(value, signer)) continue
    const told = typeof value === 'string' && value.length <= longestShown ? explain?.(value) : undefined
    throw makeWrongError(action, member, told ?? `of the action ${action} must be ${wanted}`)
  }
  const known: readonly string[] = ['action', 'audience', ...row.members]
  const unknown = Object.keys(data).find((member) => !known.includes(member))
  if (unknown !== undefined)
    throw makeWrongError(
      action,
      unknown.slice(0, 80),
      `is no member of the action ${action}, which has ${row.members.join(', ')}: leave it out`,
    )
}

function makeMissingError(action: OwnerActionName, missing: readonly MemberName[]): AppError {
  const [first, ...more] = missing.map((member) => `data.${member}`)
  const wanted = missing.map((member) => `data.${member}: ${rules[member].wanted}`)
  const told =
    more.length === 0
      ? `${first} is missing in the action ${action}: give ${rules[missing[0]!].wanted}`
      : `${[first, ...more.slice(0, -1)].join(', ')} and ${more.at(-1)} are missing in the action ${action} (${wanted.join('; ')})`
  return new AppError('VALIDATION_ERROR', told, { path: `/data/${missing[0]}`, action })
}

const makeWrongError = (action: OwnerActionName, member: string, fault: string): AppError =>
  new AppError('VALIDATION_ERROR', `data.${member} ${fault}`, { path: `/data/${member}`, action })

/** For data that is no claim either, because it names no owner. */
export function makeUnknownActionError(action: unknown): AppError {
  const names = Object.keys(ownerActions)
  const told = JSON.stringify(typeof action === 'string' ? action.slice(0, 60) : action)?.slice(0, 80)
  const near = typeof action === 'string' ? findNearest(action.slice(0, 60), names) : []
  const hint = near.length > 0 ? `the nearest is ${near.join(' or ')}` : `there are ${names.join(', ')}`
  return new AppError(
    'INVALID_VERIFIER_DATA',
    `there is no owner action ${told}: ${hint}. A claim of ownership-basic needs data.owner`,
    { verifierId: ownerActionVerifierId, path: '/action', actions: names },
  )
}

/** The name that was mistyped, or else the names that share the most words with it. */
function findNearest(typed: string, names: readonly string[]): readonly string[] {
  const one = suggestNearest(typed, names)
  if (one !== undefined) return [one]
  const words = new Set(typed.toLowerCase().split(/[^a-z0-9]+/))
  const shared = names.map((name) => ({ name, count: name.split('_').filter((word) => words.has(word)).length }))
  const most = Math.max(...shared.map(({ count }) => count))
  return most === 0 ? [] : shared.filter(({ count }) => count === most).map(({ name }) => name)
}
