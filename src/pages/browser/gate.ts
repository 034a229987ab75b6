/** A gate as its checkout shows it: its purpose, its price, and whether it is open. */

import { type Theme, tuneColor } from '../../gates/appearance/color.ts'
import { makeElement, renderButton, renderFacts } from '../../web/ui/dom.ts'
import type { VerifyModel } from '../verify-model.ts'
import { gateHead as words } from '../words/en/checkout.ts'
import { NoAnswer, Refusal } from './json-api.ts'
import { locale } from './locale.ts'
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

type Offer = Pick<VerifyModel, 'offChainMethods' | 'tokens'>

/**
 * The offer, shown as soon as the gate is loaded. `needs`: what it asks for. Payments on no chain give the reward at
 * once.
 */
export function renderOffer(gate: Gate, { offChainMethods, tokens = [] }: Offer, needs?: HTMLElement): HTMLElement {
  const { charge } = gate.monetization
  const reward = gate.artifact
  return makeElement(
    'div',
    {},
    makeElement(
      'p',
      { class: 'price' },
      makeElement('span', { class: 'visually-hidden' }, `${words.price} `),
      makeElement('strong', {}, charge ? prices.format(charge.amountUsd) : words.free),
      charge !== null && makeElement('span', { class: 'quiet' }, charge.label ?? words.once),
    ),
    gate.checkout.description !== null && makeElement('p', { class: 'lead said' }, gate.checkout.description),
    makeElement(
      'section',
      {},
      makeElement('h2', {}, words.reward),
      makeElement(
        'ul',
        { class: 'gets' },
        makeElement(
          'li',
          {},
          makeElement('bdi', {}, reward?.label ?? findText(words.rewards, reward?.type ?? 'access_granted')),
        ),
      ),
    ),
    needs && makeElement('section', {}, makeElement('h2', {}, words.needs), needs),
    renderFacts([
      charge !== null && [words.payBy, listWays(charge.methods, offChainMethods, tokens)],
      charge?.rewardAfter !== undefined &&
        charge.methods.some((method) => !offChainMethods.includes(method)) && [
          words.when,
          findText(words.moments, charge.rewardAfter),
        ],
      gate.supply.left !== null && [words.left, writeLeft(gate.supply.left, gate.supply.held ?? 0)],
      gate.schedule.startsAt !== null && [words.opens, formatMoment(gate.schedule.startsAt)],
      gate.schedule.endsAt !== null && [words.closes, formatMoment(gate.schedule.endsAt)],
    ]),
  )
}

/** `USDC on Base, Card`. */
function listWays(
  methods: readonly string[],
  offChainMethods: readonly string[],
  tokens: NonNullable<Offer['tokens']>,
): string {
  const isOffChain = (method: string): boolean => offChainMethods.includes(method)
  const onChain = methods.every(isOffChain) ? [] : tokens.map(({ symbol, network }) => words.token(symbol, network))
  return [...new Set([...onChain, ...(methods.some(isOffChain) ? [words.card] : [])])].join(', ') || methods.join(', ')
}

/** A newer server may know more names. */
const findText = (texts: Readonly<Record<string, string>>, name: string): string => texts[name] ?? name

/** A reserved place may belong to this reader, so reservations do not send anybody away. */
function writeLeft(left: number, held: number): string {
  if (held === 0) return String(left)
  return left === 1 ? words.heldLast : words.held(left, held)
}

const prices = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
  maximumFractionDigits: 8,
})
const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const formatMoment = (iso: string): string => moments.format(new Date(iso))

/** Describes errors that end the checkout. */
export function describeGateError(error: unknown): string {
  if (error instanceof NoAnswer && !error.mayHaveHappened) return words.noAnswer
  if (error instanceof Refusal && error.code === 'GATE_NOT_FOUND') return words.notFound
  return describeError(error)
}

/** Explains a closed gate: paused, not started, ended, or sold out. `state` is that of a gate check. */
export function writeClosed(gate: Gate, state: string): string | undefined {
  const { startsAt, endsAt } = gate.schedule
  if (gate.status === 'draft') return words.draft
  if (gate.status !== 'active') return words.paused
  if (state === 'not_started') return words.notStarted(startsAt === null ? undefined : formatMoment(startsAt))
  if (state === 'ended') return words.ended(endsAt === null ? undefined : formatMoment(endsAt))
  if (gate.supply.left === 0) return words.soldOut(gate.supply.total ?? 0)
  return undefined
}

/**
 * Why nobody gets in now, for a reader who is not signed in. `now` is the server's time in Unix milliseconds. Signing in
 * shows what was bought before.
 */
export function renderClosed(gate: Gate, now: number, signIn: () => void): HTMLElement | undefined {
  const closed = writeClosed(gate, readState(gate.schedule, now))
  return closed === undefined
    ? undefined
    : makeElement(
        'div',
        { class: 'closed' },
        makeElement('p', { class: 'notice warning' }, closed),
        makeElement('p', {}, words.passedBefore),
        makeElement('div', { class: 'actions' }, renderButton(words.signInAgain, signIn, 'secondary')),
      )
}

function readState({ startsAt, endsAt }: Gate['schedule'], now: number): string {
  if (startsAt !== null && now < Date.parse(startsAt)) return 'not_started'
  return endsAt !== null && now >= Date.parse(endsAt) ? 'ended' : 'active'
}

const writeRule = (color: string, theme: Theme): string => {
  const { accent, accentDeep, onAccent } = tuneColor(color, theme)
  return `.checkout { --accent: ${accent}; --accent-deep: ${accentDeep}; --on-accent: ${onAccent} }`
}

/** The brand color of the owner, by a sheet of the script: the pages allow no inline styles. */
export function showBrandColor(color: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`${writeRule(color, 'light')} @media (prefers-color-scheme: dark) { ${writeRule(color, 'dark')} }`)
  document.adoptedStyleSheets.push(sheet)
}
