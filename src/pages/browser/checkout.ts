/**
 * The checkout of a gate: what it asks for, what of that the person has, what is missing, the price, the reward. Whoever
 * goes through it is signed in, so that proofs of theirs count, and the reward is handed to nobody else.
 */
import type { Desk, Step } from './claim-step.ts'
import { button, el, facts } from './dom.ts'
import type { Done } from './journey.ts'
import { type Data, isSessionOver, NoAnswer, Refusal } from './json-api.ts'
import { outcomeOf, sentence } from './outcome.ts'
import { payView } from './pay.ts'
import type { Person } from './person.ts'
import { copyButton, webAddress } from './result.ts'
import { wordsFor } from './words.ts'

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
    } | null
  }
  readonly checkout: { readonly description: string | null; readonly successReturnUrl: string | null }
  readonly schedule: { readonly startsAt: string | null; readonly endsAt: string | null }
  readonly supply: { readonly total: number | null; readonly left: number | null }
  readonly artifact: { readonly type: string; readonly label: string | null } | null
}

interface Requirement {
  readonly id: string
  readonly verifierId: string
  readonly match: readonly { readonly path: string; readonly op: string; readonly value: string }[]
  readonly optional: boolean
  readonly maxAgeMs?: number
}

interface Row {
  readonly id: string
  readonly verifierId: string
  readonly satisfied: boolean
  readonly qHash: string | null
}

interface Checked {
  readonly allRequiredSatisfied: boolean
  readonly state: string
  readonly rows: readonly Row[]
  readonly fulfillments?: readonly { readonly qHash: string }[]
}

export interface Checkout {
  /** A requirement is to be met: the step for it. */
  readonly open: (step: Step) => void
  /** Everything is handed out. */
  readonly ended: (done: readonly Done[], gate: Gate, reward: HTMLElement) => void
  /** The session is over: who it is must be asked again. */
  readonly signedOut: () => void
}

export async function loadGate({ api }: Desk, gateId: string): Promise<Gate> {
  const { gate } = await api.get(`profile/gates/${encodeURIComponent(gateId)}`)
  return gate as Gate
}

/** What the page is for, as soon as it is known. */
export function gateHead(gate: Gate): HTMLElement {
  const { charge } = gate.monetization
  const reward = gate.artifact
  return el(
    'div',
    {},
    gate.checkout.description !== null && el('p', { class: 'lead said' }, gate.checkout.description),
    facts([
      ['Price', charge ? `${priceOf(charge.amountUsd)}${charge.label ? `, ${charge.label}` : ''}` : 'Free'],
      reward !== null && ['You get', reward.label ?? rewardWords[reward.type] ?? reward.type],
      gate.supply.left !== null && ['Left', String(gate.supply.left)],
      gate.schedule.startsAt !== null && ['Opens', momentOf(gate.schedule.startsAt)],
      gate.schedule.endsAt !== null && ['Closes', momentOf(gate.schedule.endsAt)],
    ]),
  )
}

const priceOf = (amount: number): string =>
  `${amount.toLocaleString('en', { minimumFractionDigits: Number.isInteger(amount) ? 0 : 2, maximumFractionDigits: 8 })} US dollars`
const momentOf = (iso: string): string =>
  new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })

const rewardWords: Readonly<Record<string, string>> = {
  access_granted: 'Access',
  redirect: 'A link',
  download: 'A file',
  reveal: 'A text',
}

/** Errors that end the checkout, in words. */
export function gateTrouble(error: unknown): string {
  if (error instanceof NoAnswer) return 'This server did not answer. Check the connection, then reload this page.'
  if (!(error instanceof Refusal)) return wordsFor(error)
  if (error.code === 'GATE_NOT_FOUND')
    return 'There is no open gate of this id here. Perhaps it was closed, or it is not published yet: ask whoever gave you the link.'
  return wordsFor(error)
}

/** Paused, too early, too late, none left. */
function closedWords(gate: Gate, state: string): string | undefined {
  const { startsAt, endsAt } = gate.schedule
  if (gate.status !== 'active') return 'This gate is paused: its owner lets nobody in at the moment.'
  if (state === 'not_started')
    return `This gate opens on ${startsAt === null ? 'a later day' : momentOf(startsAt)}. Come back then.`
  if (state === 'ended') return `This gate closed on ${endsAt === null ? 'an earlier day' : momentOf(endsAt)}.`
  if (gate.supply.left === 0)
    return `All ${gate.supply.total} are given out. Nothing was asked of you; ask the owner whether there will be more.`
  return undefined
}

const fixedOf = ({ match }: Requirement): Readonly<Record<string, string>> =>
  Object.fromEntries(
    match
      .filter(({ op, path }) => op === 'eq' || (op === 'gte' && /(^|\.)minBalance$/.test(path)))
      .map(({ path, value }) => [nameIn(path), value]),
  )

/** Members of evidence by the names that the claim has for them. */
const nameIn = (path: string): string => {
  const name = path.replace(/^input\./, '')
  return name === 'handle' ? 'pseudonymId' : name === 'verificationMethod' ? 'method' : name
}

/** Shows how far the person is, and what comes next. */
export async function showCheckout(desk: Desk, gate: Gate, person: Person, on: Checkout): Promise<void> {
  const { api, attempts, work, model, journey } = desk
  const isCurrent = attempts.begin()
  if (!isCurrent) return
  try {
    attempts.say('Looking at what you have proved already …')
    const query = new URLSearchParams({
      gateId: gate.gateId,
      address: person.address,
      includePrivate: 'true',
      includeQHashes: 'true',
    })
    const checked = (await api.get(`proofs/check?${query}`)).gate as Checked
    if (!isCurrent()) return
    attempts.finish()
    const had = checked.fulfillments?.[0]?.qHash
    const closed = closedWords(gate, checked.state)
    show(
      listOf(gate, checked.rows, (requirement) => on.open(stepOf(requirement))),
      gate.rule !== null &&
        !checked.allRequiredSatisfied &&
        el('p', { class: 'quiet' }, 'Perhaps not all of these are needed: you can go on as soon as it is enough.'),
      ...(had === undefined ? [] : [again(had)]),
    )
    if (closed !== undefined) work.append(el('p', { class: 'notice warning' }, closed))
    else if (!checked.allRequiredSatisfied) offerNext(checked)
    else collect(checked)
  } catch (error) {
    if (!isCurrent()) return
    if (isSessionOver(error)) return on.signedOut()
    attempts.fail(gateTrouble(error))
    work.replaceChildren(button('Try again', () => void showCheckout(desk, gate, person, on), 'secondary'))
  }

  function show(...parts: readonly (Node | false)[]): void {
    work.replaceChildren(...parts.filter((part) => part !== false))
  }

  function stepOf(requirement: Requirement): Step {
    return { key: `gate ${requirement.id}`, verifierId: requirement.verifierId, fixed: fixedOf(requirement) }
  }

  function offerNext({ rows }: Checked): void {
    const next = nextOf(gate, rows)
    if (!next) return
    const { title } = model.verifiers[next.verifierId] ?? { title: next.verifierId }
    work.append(
      el(
        'div',
        { class: 'actions' },
        button(`Go on: ${title}`, () => on.open(stepOf(next))),
      ),
    )
  }

  function again(qHash: string): HTMLElement {
    return el(
      'div',
      { class: 'notice' },
      el('p', {}, 'You have been through this gate before. You can see what you got once more, without paying again.'),
      button('Show it again', () => void fulfil(qHash, {}), 'secondary'),
    )
  }

  function collect({ rows, fulfillments = [] }: Checked): void {
    const spent = new Set(fulfillments.map(({ qHash }) => qHash))
    const matching = rows.filter(({ satisfied, qHash }) => satisfied && qHash !== null)
    const qHash = (matching.find((row) => !spent.has(row.qHash!)) ?? matching[0])?.qHash
    if (qHash == null) return
    const { paymentCheckoutSessionId } = model.request
    const kept = journey.valuesAt('payment')
    const paid = {
      ...(paymentCheckoutSessionId === undefined ? {} : { paymentCheckoutSessionId }),
      ...(kept.tx ? { paymentTxHash: kept.tx } : {}),
    }
    // What was paid for is claimed for the proof that it was paid for.
    const payee = kept.qHash && (kept.tx || paymentCheckoutSessionId !== undefined) ? kept.qHash : qHash
    const isPaid = Object.keys(paid).length > 0
    if (spent.has(qHash) && !isPaid) return
    work.append(
      el('p', { class: 'notice' }, 'Everything that this gate asks for is there.'),
      el(
        'div',
        { class: 'actions' },
        button(
          gate.monetization.charge && !isPaid ? 'Go on to the payment' : 'Get it now',
          () => void fulfil(payee, paid),
        ),
      ),
    )
    if (isPaid) void fulfil(payee, paid)
  }

  async function fulfil(qHash: string, payment: Readonly<Record<string, string>>): Promise<void> {
    const isCurrent = attempts.begin()
    if (!isCurrent) return
    const paying = { qHash, payment }
    const since = Date.now()
    try {
      for (;;) {
        attempts.say(Object.keys(payment).length > 0 ? 'Looking at the payment …' : 'Asking for it …')
        try {
          const data = await api.post(
            `profile/gates/${encodeURIComponent(gate.gateId)}/fulfill`,
            { qHash, walletAddress: person.address, ...payment },
            desk.csrf(),
          )
          if (!isCurrent()) return
          attempts.finish()
          journey.remember('payment', {})
          return handOut(data, qHash)
        } catch (error) {
          const waits = waitsFor(error)
          if (waits === undefined || Date.now() - since > waits.atMostMs) throw error
          if (!isCurrent()) return
          attempts.say(
            `Not settled yet: ${waits.why}. It is looked at again by itself, and you can leave this page open …`,
            work.querySelector('button') ?? undefined,
          )
          await new Promise((resolve) => setTimeout(resolve, waits.pauseMs))
          if (!isCurrent()) return
        }
      }
    } catch (error) {
      if (!isCurrent()) return
      if (isSessionOver(error)) return on.signedOut()
      if (error instanceof Refusal && error.code === 'PAYMENT_REQUIRED') return askToPay(error, paying.qHash, payment)
      const { node, kind } = outcomeOf(error, 'The wallet', () => void fulfil(qHash, payment))
      attempts.fail(
        error instanceof Refusal && gateWords[error.code] ? el('p', {}, gateWords[error.code]!(error)) : node,
        undefined,
        kind,
      )
    }
  }

  function askToPay(refusal: Refusal, qHash: string, payment: Readonly<Record<string, string>>): void {
    attempts.finish()
    const isFirst = refusal.reason === 'PAYMENT_MISSING'
    work.replaceChildren(
      payView(desk, {
        gate,
        person,
        qHash,
        asked: refusal.details,
        earlier: payment.paymentTxHash,
        why: isFirst ? undefined : sentence(refusal.message),
        paid: (evidence) => void fulfil(qHash, evidence),
      }),
    )
  }

  function handOut(data: Data, qHash: string): void {
    on.ended(
      [{ verifierId: gate.requirements[0]?.verifierId ?? '', qHash, wallet: person.address }],
      gate,
      rewardView(data as unknown as Reward),
    )
  }
}

/** A chain needs its time, and nobody waits longer in front of a page; a card is charged at once or not at all. */
const waitForMs = 300_000
const waitForCardMs = 4_000

function waitsFor(error: unknown): { pauseMs: number; atMostMs: number; why: string } | undefined {
  if (!(error instanceof Refusal) || error.code !== 'PAYMENT_REQUIRED') return undefined
  const { retryAfterSeconds } = error.details
  if (retryAfterSeconds === undefined) return undefined
  const isCard = error.reason === 'NOT_PAID' || error.reason === 'PAYMENT_NOT_SUCCEEDED'
  return {
    pauseMs: Math.max(1, Number(retryAfterSeconds)) * 1000,
    atMostMs: isCard ? waitForCardMs : waitForMs,
    why: error.message,
  }
}

const gateWords: Readonly<Record<string, (refusal: Refusal) => string>> = {
  GATE_SOLD_OUT: () => 'All of them are given out in the meantime. No payment was used.',
  GATE_LIMIT_REACHED: () => 'This wallet has had its share of this gate. No payment was used.',
  GATE_ENDED: () => 'This gate has closed in the meantime. No payment was used.',
  FULFILLMENT_SUSPENDED: () =>
    'The payment for this was taken back (refunded, disputed, or dropped by the chain), so it is withheld. Make a new proof and pay again, or ask the owner of the gate.',
  GATE_MISCONFIGURED: ({ message }) => sentence(message),
  PAYMENT_ALREADY_USED: () =>
    'This payment was used already, for another gate or another proof. Each payment is good once.',
  GATE_REQUIREMENTS_NOT_MET: () =>
    'A proof that this gate needs does not count any more. Reload this page to see which.',
}

const isMetIn = (rows: readonly Row[], { id }: Requirement): boolean =>
  rows.find((row) => row.id === id)?.satisfied ?? false

/** The first that is missing. */
const nextOf = (gate: Gate, rows: readonly Row[]): Requirement | undefined =>
  gate.requirements.find((one) => !one.optional && !isMetIn(rows, one))

function listOf(gate: Gate, rows: readonly Row[], open: (requirement: Requirement) => void): HTMLElement {
  const next = nextOf(gate, rows)
  return el(
    'ul',
    { class: 'needs' },
    ...gate.requirements.map((requirement) => {
      const isMet = isMetIn(rows, requirement)
      const exact = requirement.match.map(
        ({ path, op, value }) =>
          `${path.replace(/^input\./, '')} ${op === 'eq' ? 'is' : op === 'gte' ? 'at least' : 'at most'} ${value}`,
      )
      return el(
        'li',
        { class: isMet ? 'met' : '' },
        el('strong', {}, titleOf(requirement.verifierId)),
        el(
          'span',
          { class: 'quiet' },
          isMet ? ' you have it' : requirement.optional ? ' not needed, but possible' : ' missing',
        ),
        exact.length > 0 && el('p', { class: 'hint' }, exact.join(', ')),
        !isMet &&
          requirement !== next &&
          el(
            'p',
            {},
            button(`Prove: ${titleOf(requirement.verifierId)}`, () => open(requirement), 'secondary'),
          ),
      )
    }),
  )
}

let titles: (verifierId: string) => string = (verifierId) => verifierId
const titleOf = (verifierId: string): string => titles(verifierId)
export const nameVerifiers = (name: (verifierId: string) => string): void => {
  titles = name
}

interface Given {
  readonly delivery: string
  readonly value: string | null
  readonly label?: string
  readonly message?: string
}

interface Reward {
  readonly fulfillment: Given
  readonly rewardPack?: readonly Given[]
  readonly rewardProof?: { readonly receiptUrl?: string; readonly receiptId?: string }
}

function rewardView({ fulfillment, rewardPack = [], rewardProof }: Reward): HTMLElement {
  const receipt = webAddress(rewardProof?.receiptUrl)
  return el(
    'section',
    { id: 'reward' },
    el('h2', { tabindex: -1 }, 'You are through'),
    ...[fulfillment, ...rewardPack].map(givenView),
    el('p', { class: 'quiet' }, 'This page keeps none of it. Come back with the same wallet to see it again.'),
    receipt !== undefined &&
      el(
        'p',
        {},
        el('a', { href: receipt, rel: 'noreferrer' }, 'Receipt'),
        ' (for you alone: whoever has its address can read it)',
      ),
  )
}

function givenView({ delivery, value, label, message }: Given): HTMLElement {
  const address = delivery === 'reveal' ? undefined : webAddress(value ?? undefined)
  return el(
    'div',
    { class: 'given' },
    label !== undefined && el('h3', {}, label),
    message !== undefined && el('p', { class: 'said' }, message),
    value === null && el('p', {}, 'Access is granted to your wallet.'),
    address !== undefined &&
      el(
        'p',
        {},
        el(
          'a',
          { class: 'button', href: address, rel: 'noreferrer' },
          `${delivery === 'download' ? 'Download from' : 'Go on to'} ${new URL(address).host}`,
        ),
      ),
    value !== null && address === undefined && el('pre', { class: 'code' }, value),
    value !== null && address === undefined && copyButton('Copy it', value),
  )
}
