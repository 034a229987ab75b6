/** A gate as the builder holds it: the definition of the API, finished or not, and how it is changed. */
import type { FindingCode } from '../../../../gates/definition/finding-codes.ts'
import { nameRequirement, type RuleNode } from '../../../../gates/definition/rule.ts'

/** A text is what was typed instead of a number. It is kept, and the server refuses it. */
export type TypedNumber = number | string

export interface MatchRow {
  readonly path: string
  readonly op: 'eq' | 'gte' | 'lte'
  readonly value: string
}

export interface Requirement {
  readonly id?: string
  readonly verifierId: string
  readonly match?: readonly MatchRow[]
  readonly optional?: boolean
  readonly minCount?: TypedNumber
  readonly maxAgeMs?: TypedNumber
  readonly final?: boolean
  readonly recheck?: boolean
}

export type RewardKind = 'access_granted' | 'redirect' | 'download' | 'reveal'
export interface Reward {
  readonly kind: RewardKind
  readonly value?: string
  /** Replaces a value that the page never shows: the place where the server keeps it. */
  readonly valueFrom?: { readonly version: number; readonly reward: number }
  readonly label?: string
  readonly message?: string
}

/** A payment method, as the interface names it. */
export type Method = string
export type RewardMoment = 'first_block' | 'confirmations' | 'final'
export interface Price {
  readonly amountUsd: string
  readonly methods: readonly Method[]
  readonly recipient?: string
  readonly label?: string
  readonly executionOrder?: 'verifyThenCharge' | 'chargeThenVerify'
  readonly refundThresholdPercent?: TypedNumber
  readonly rewardAfter?: RewardMoment
}

export interface Definition {
  readonly gateId: string
  readonly name: string
  readonly description?: string
  readonly status?: 'draft' | 'active' | 'paused'
  readonly requirements: readonly Requirement[]
  readonly rule?: RuleNode
  readonly policy?: {
    readonly visibility?: 'public' | 'unlisted' | 'private'
    readonly gateFreshnessHours?: TypedNumber
  }
  readonly schedule?: { readonly startsAt?: string; readonly endsAt?: string }
  readonly supply?: TypedNumber
  readonly perWallet?: TypedNumber
  readonly price?: Price
  readonly rewards?: readonly Reward[]
  readonly listing?: { readonly label: string; readonly tags?: readonly string[] }
  readonly successReturnUrl?: string
}

export const blankGate: Definition = { gateId: '', name: '', requirements: [], rewards: [] }

export type GateStatus = 'draft' | 'active' | 'paused' | 'deleted'

export interface OwnGate {
  readonly gateId: string
  readonly name: string
  readonly status: GateStatus
  readonly version: number
  readonly fulfilledCount: number
  /** Wallets on its guest list. */
  readonly guestCount: number
  /** Out of the default list. It changes nothing else. */
  readonly archived: boolean
  readonly definition: Definition
  /** The definition is shortened: it must not be changed and published. */
  readonly truncated?: boolean
  readonly findings: readonly Finding[]
  readonly createdAt: number
  readonly updatedAt: number
}

export interface Finding {
  readonly path: string
  readonly code: FindingCode
  readonly values: Readonly<Record<string, string | number>>
  readonly level: 'error' | 'warning'
  readonly line?: number
}

/** Each given member replaces the former value; an undefined one is removed. */
export function changeMembers<T extends object>(
  value: T,
  changes: { readonly [Name in keyof T]?: T[Name] | undefined },
): T {
  const next = { ...value, ...changes }
  for (const name of Object.keys(changes) as (keyof T)[]) if (next[name] === undefined) delete next[name]
  return next as T
}

export const replaceAt = <T>(list: readonly T[], at: number, value: T): T[] =>
  list.map((one, index) => (index === at ? value : one))
export const removeAt = <T>(list: readonly T[], at: number): T[] => list.filter((_, index) => index !== at)

/** Addresses, downloads and texts cannot be taken back once they were shown. Access can be. */
export const isKeptForGood = ({ kind }: Reward): boolean => kind !== 'access_granted'

/** The default moment for new rewards, until the owner chooses another one. */
export const chooseUsualMoment = (rewards: readonly Reward[]): RewardMoment =>
  rewards.some(isKeptForGood) ? 'final' : 'confirmations'

/** Adapts the moment after rewards changed: a default follows them, a chosen moment stays. */
export function adaptMoment(definition: Definition, before: readonly Reward[]): Definition {
  const { price, rewards = [] } = definition
  const isUsual = price?.rewardAfter === chooseUsualMoment(before)
  return price && isUsual ? { ...definition, price: { ...price, rewardAfter: chooseUsualMoment(rewards) } } : definition
}

/** The definition of a version, ready to be edited: hidden values keep a reference to their place. */
export const makeEditable = (definition: Definition, status: GateStatus, version: number): Definition => ({
  ...definition,
  ...(status === 'deleted' ? {} : { status }),
  ...(definition.rewards
    ? {
        rewards: definition.rewards.map((reward, at) =>
          reward.kind === 'access_granted' ? reward : { ...reward, valueFrom: { version, reward: at } },
        ),
      }
    : {}),
})

/** Returns an id that no other requirement has. */
export function freeId(requirements: readonly Requirement[]): string {
  const taken = new Set(requirements.map(nameRequirement))
  for (let at = requirements.length + 1; ; at++) if (!taken.has(`r${at}`)) return `r${at}`
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): boolean => typeof value === 'string'
const isList = (value: unknown, fits: (one: unknown) => boolean): boolean => Array.isArray(value) && value.every(fits)
const isNoneOr = (value: unknown, fits: (one: unknown) => boolean): boolean => value === undefined || fits(value)

/** Whether the forms can show the definition. The server reports its other faults. */
export function isDrawable(value: unknown): value is Definition {
  return (
    isObject(value) &&
    isText(value.gateId) &&
    isText(value.name) &&
    isNoneOr(value.description, isText) &&
    isList(
      value.requirements,
      (one) =>
        isObject(one) &&
        isText(one.verifierId) &&
        isNoneOr(one.id, isText) &&
        isNoneOr(one.match, (rows) =>
          isList(rows, (row) => isObject(row) && isText(row.path) && isText(row.op) && isText(row.value)),
        ),
    ) &&
    isNoneOr(value.rewards, (rewards) =>
      isList(rewards, (one) => isObject(one) && isText(one.kind) && isNoneOr(one.value, isText)),
    ) &&
    isNoneOr(value.price, (price) => isObject(price) && isText(price.amountUsd) && isList(price.methods, isText)) &&
    ['policy', 'schedule', 'listing'].every((name) => isNoneOr(value[name], isObject)) &&
    isNoneOr(value.rule, isDrawableRule)
  )
}

const isDrawableRule = (node: unknown): boolean =>
  isText(node) || (isObject(node) && (isList(node.all, isDrawableRule) || isList(node.any, isDrawableRule)))
