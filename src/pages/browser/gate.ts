/** A gate as its checkout shows it: its purpose, its price, and whether it is open. */

import { makeElement, renderFacts } from '../../web/ui/dom.ts'
import { NoAnswer, Refusal } from './json-api.ts'
import { repeatRead } from './server-return.ts'
import type { Desk } from './step.ts'
import { describeError } from './words.ts'

export interface Gate {
  readonly gateId: string
  readonly name: string
  readonly status: string
  readonly requirements: readonly Requirement[]
  readonly rule: unknown
  readonly monetization: {
    readonly charge: {
      readonly amountUsd: number
      readonly label: string | null
      readonly methods: readonly string[]
      readonly rewardAfter?: string
    } | null
  }
  readonly checkout: { readonly description: string | null; readonly successReturnUrl: string | null }
  readonly schedule: { readonly startsAt: string | null; readonly endsAt: string | null }
  readonly supply: { readonly total: number | null; readonly left: number | null; readonly held?: number | null }
  readonly artifact: { readonly type: string; readonly label: string | null } | null
}

export interface Requirement {
  readonly id: string
  readonly verifierId: string
  readonly match: readonly { readonly path: string; readonly op: string; readonly value: string }[]
  readonly optional: boolean
  readonly maxAgeMs?: number
  readonly final?: boolean
  readonly recheck?: boolean
}

/** While the page waits for it, a server that does not answer is asked again. */
export async function loadGate({ api, attempts }: Desk, gateId: string): Promise<Gate> {
  const { gate } = await repeatRead(
    attempts,
    () => attempts.isUnderWay,
    () => api.get(`profile/gates/${encodeURIComponent(gateId)}`),
  )
  return gate as Gate
}

/** The head of the page, shown as soon as the gate is loaded. Payments on no chain give the reward at once. */
export function renderGateHead(gate: Gate, offChainMethods: readonly string[]): HTMLElement {
  const { charge } = gate.monetization
  const reward = gate.artifact
  return makeElement(
    'div',
    {},
    gate.checkout.description !== null && makeElement('p', { class: 'lead said' }, gate.checkout.description),
    renderFacts([
      ['Price', charge ? `${writePrice(charge.amountUsd)}${charge.label ? `, ${charge.label}` : ''}` : 'Free'],
      reward !== null && ['You get', reward.label ?? rewardWords[reward.type] ?? reward.type],
      charge?.rewardAfter !== undefined &&
        charge.methods.some((method) => !offChainMethods.includes(method)) && [
          'When',
          momentWords[charge.rewardAfter] ?? charge.rewardAfter,
        ],
      gate.supply.left !== null && ['Left', writeLeft(gate.supply.left, gate.supply.held ?? 0)],
      gate.schedule.startsAt !== null && ['Opens', formatMoment(gate.schedule.startsAt)],
      gate.schedule.endsAt !== null && ['Closes', formatMoment(gate.schedule.endsAt)],
    ]),
  )
}

/** A reserved place may belong to this reader, so reservations do not send anybody away. */
function writeLeft(left: number, held: number): string {
  if (held === 0) return String(left)
  if (held < left) return `${left}, of which ${held} ${held === 1 ? 'is' : 'are'} being paid for right now`
  const free = 'what is not paid is free again in a while'
  return left === 1
    ? `1, which is being paid for right now: ${free}`
    : `${left}, which are all being paid for right now: ${free}`
}

/** Settlement moments of a payment on a chain. */
const momentWords: Readonly<Record<string, string>> = {
  first_block: 'With the first block of a payment on a chain',
  confirmations: 'When a payment on a chain is confirmed',
  final: 'When the chain calls a payment final, mostly within half an hour',
}

const writePrice = (amount: number): string =>
  `${amount.toLocaleString('en', { minimumFractionDigits: Number.isInteger(amount) ? 0 : 2, maximumFractionDigits: 8 })} US dollars`
const formatMoment = (iso: string): string =>
  new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })

const rewardWords: Readonly<Record<string, string>> = {
  access_granted: 'Access',
  redirect: 'A link',
  download: 'A file',
  reveal: 'A text',
}

/** Describes errors that end the checkout. */
export function describeGateError(error: unknown): string {
  if (error instanceof NoAnswer) return 'This server did not answer. Check the connection, then reload this page.'
  if (!(error instanceof Refusal)) return describeError(error)
  if (error.code === 'GATE_NOT_FOUND')
    return 'There is no open gate of this id here. Perhaps it was closed, or it is not published yet: ask whoever gave you the link.'
  return describeError(error)
}

/** Explains a closed gate: paused, not started, ended, or sold out. */
export function writeClosed(gate: Gate, state: string): string | undefined {
  const { startsAt, endsAt } = gate.schedule
  if (gate.status !== 'active') return 'This gate is paused: its owner lets nobody in at the moment.'
  if (state === 'not_started')
    return `This gate opens on ${startsAt === null ? 'a later day' : formatMoment(startsAt)}. Come back then.`
  if (state === 'ended') return `This gate closed on ${endsAt === null ? 'an earlier day' : formatMoment(endsAt)}.`
  if (gate.supply.left === 0)
    return `All ${gate.supply.total} are given out. Nothing was asked of you; ask the owner whether there will be more.`
  return undefined
}
