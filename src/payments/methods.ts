/** What the list of payment methods says by id and by name: for schemas, descriptions and rows. */
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

/** By id or name. Undefined: there is no such method. */
export const findPaymentMethod = (word: string): PaymentPlugin | undefined => byWord.get(word)

/** As the interface names it. The method of a row may not be built in any more: then its id is shown. */
export const nameMethod = (id: string): string => findPaymentMethod(id)?.name ?? id

/** A row of a method that is not built in any more counts as paid on a chain: nothing of it is given back by itself. */
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
  paymentMethods.map(({ name, words: { means } }) => (means === undefined ? name : `${name} (${means})`)),
  'or',
)}.`

/** `stablecoin means usdc, and card means stripe`. */
export const aliasWords = paymentMethods
  .filter(({ id, name }) => id !== name)
  .map(({ id, name }) => `${id} means ${name}`)
  .join(', and ')

export interface Evidence {
  readonly method: string
  readonly text: string
}

/** Each way to pay that was offered, in the order of the list. A header comes last: it may be a habit of the client. */
export const listEvidence = (offered: OfferedEvidence): readonly Evidence[] =>
  [...paymentMethods]
    .sort((one, other) => Number(one.evidence.in === 'header') - Number(other.evidence.in === 'header'))
    .flatMap(({ id, evidence: { member } }) => {
      const text = offered[member]
      return text ? [{ method: id, text }] : []
    })
