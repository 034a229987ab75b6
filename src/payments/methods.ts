/** Looks up payment methods by id and by name: for schemas, descriptions and rows. */
import { paymentMethods } from './index.ts'
import type { OfferedEvidence } from './offer.ts'
import type { PaymentMethod } from './payment.ts'
import type { PaymentPlugin } from './plugin.ts'

type Words = readonly [string, ...string[]]

export const methodIds = paymentMethods.map(({ id }) => id) as unknown as Words
export const methodNames = paymentMethods.map(({ name }) => name) as unknown as Words

const byWord: ReadonlyMap<string, PaymentPlugin> = new Map(
  paymentMethods.flatMap((method) => [[method.id, method] as const, [method.name, method] as const]),
)

/** By id or name. Undefined for an unknown method. */
export const findPaymentMethod = (word: string): PaymentPlugin | undefined => byWord.get(word)

/** The name in the interface. A row may have a method that this build lacks: then its id is shown. */
export const nameMethod = (id: string): string => findPaymentMethod(id)?.name ?? id

/** A method that this build lacks counts as paid on a chain, because its payments are not refunded automatically. */
export const isPaidOnChain = (id: string): boolean => findPaymentMethod(id)?.isPaidOnChain ?? true

/** The names of the methods that have a quality, as a phrase: `usdc and x402`. */
export const listNames = (hasQuality: (method: PaymentMethod) => boolean, joint = 'and'): string =>
  joinWords(
    paymentMethods.filter(hasQuality).map(({ name }) => name),
    joint,
  )

function joinWords(words: readonly string[], joint: string): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${joint} ${last}`
}

/** The description of a member that names one: `usdc (a transfer) or stripe (a card).` */
export const methodWords = `${joinWords(
  paymentMethods.map(({ name, means }) => (means === undefined ? name : `${name} (${means})`)),
  'or',
)}.`

/** The forms of the identities: `tx:…, card:<id> or x402:…`. */
export const identityWords = joinWords(
  paymentMethods.map(({ identity }) => identity),
  'or',
)

/** `stablecoin means usdc, and card means stripe`. */
export const aliasWords = paymentMethods
  .filter(({ id, name }) => id !== name)
  .map(({ id, name }) => `${id} means ${name}`)
  .join(', and ')

export interface Evidence {
  readonly method: string
  readonly text: string
}

/**
 * Each payment evidence of the request, in the order of the list. A header comes last: a client may send it by habit.
 */
export const listEvidence = (offered: OfferedEvidence): readonly Evidence[] =>
  [...paymentMethods]
    .sort((one, other) => Number(one.evidence.in === 'header') - Number(other.evidence.in === 'header'))
    .flatMap(({ id, evidence: { member } }) => {
      const text = offered[member]
      return text ? [{ method: id, text }] : []
    })
