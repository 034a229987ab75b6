/** A list of payment methods that exclude each other is refused before a server starts. */
import { describe, expect, test } from 'bun:test'
import { checkMethods } from '../../src/payments/check-methods.ts'
import { paymentMethods } from '../../src/payments/index.ts'
import type { PaymentMethod } from '../../src/payments/payment.ts'

/** A method without any quality that excludes another one. */
const cash: PaymentMethod = {
  id: 'cash',
  name: 'cash',
  words: { label: 'Cash' },
  identity: 'cash:<number>',
  evidence: { in: 'body', member: 'paymentReceipt', maxLength: 64, description: 'The receipt.' },
  isPaidOnChain: false,
  givesBack: false,
  movesMoneyHere: false,
  opensCheckout: false,
  findMissingConfiguration: () => undefined,
  findPriceFault: () => undefined,
  describe: () => ({}),
  confirm: () => Promise.reject(new Error('not asked for')),
  review: () => Promise.reject(new Error('not asked for')),
}

const listMethods = (changes: Partial<PaymentMethod>): readonly PaymentMethod[] => [
  ...paymentMethods,
  { ...cash, ...changes },
]
const { transfers } = paymentMethods.find((method) => method.transfers !== undefined)!

describe('the list of payment methods', () => {
  test('may have a method without qualities that exclude another one', () => {
    expect(checkMethods(listMethods({})).at(-1)!.id).toBe('cash')
  })

  test.each<[string, Partial<PaymentMethod>, string]>([
    ['opens checkouts', { opensCheckout: true }, 'card and cash both open checkouts'],
    ['settles', { movesMoneyHere: true }, 'x402 and cash both move money during the fulfillment'],
    ['takes transfers', { transfers: transfers! }, 'stablecoin and cash both are paid by transfers'],
  ])('is refused where a second method %s', (_, changes, message) => {
    expect(() => checkMethods(listMethods(changes))).toThrow(
      new RegExp(`^the payment methods ${message}: keep one of them, because a \\w+ does not store its method$`),
    )
  })

  test.each<[string, Partial<PaymentMethod>, string]>([
    ['id', { id: 'card' }, 'card and card both have the id or name card'],
    ['name as another’s id', { name: 'stablecoin' }, 'stablecoin and cash both have the id or name stablecoin'],
    [
      'evidence',
      { evidence: { ...cash.evidence, member: 'paymentTxHash' } },
      'stablecoin and cash both have the evidence paymentTxHash',
    ],
    [
      'settings',
      { settings: paymentMethods.find(({ id }) => id === 'card')!.settings! },
      'card and cash both have the settings table stripe',
    ],
  ])('is refused where two have the same %s', (_, changes, message) => {
    expect(() => checkMethods(listMethods(changes))).toThrow(`the payment methods ${message}: rename one`)
  })
})
