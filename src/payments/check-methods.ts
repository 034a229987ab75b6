/** Checks the list of payment methods at load time. So no server starts with methods that exclude each other. */
import type { PaymentMethod } from './payment.ts'

/** Qualities that one method at most may have, with the rows that do not name their method. */
const singular: readonly {
  readonly does: string
  readonly has: (method: PaymentMethod) => boolean
  readonly rows: string
}[] = [
  { does: 'open checkouts', has: ({ opensCheckout }) => opensCheckout, rows: 'a checkout' },
  { does: 'move money during the fulfillment', has: ({ movesMoneyHere }) => movesMoneyHere, rows: 'a settlement' },
  { does: 'are paid by transfers', has: ({ transfers }) => transfers !== undefined, rows: 'a quote' },
]

/** Texts that tell one method from the others. */
const distinct: readonly { readonly what: string; readonly list: (method: PaymentMethod) => readonly string[] }[] = [
  { what: 'the id or name', list: ({ id, name }) => [...new Set([id, name])] },
  { what: 'the evidence', list: ({ evidence }) => [evidence.member] },
  { what: 'the settings table', list: ({ settings }) => (settings ? [settings.table] : []) },
]

/** Returns the list. Errors: Error, which names the methods and the reason. */
export function checkMethods<Method extends PaymentMethod>(methods: readonly Method[]): readonly Method[] {
  for (const { does, has, rows } of singular) {
    const [one, another] = methods.filter(has)
    if (one && another)
      throw new Error(
        `the payment methods ${one.id} and ${another.id} both ${does}: keep one of them, because ${rows} does not store its method`,
      )
  }
  for (const { what, list } of distinct) {
    const owners = new Map<string, Method>()
    for (const method of methods)
      for (const word of list(method)) {
        const other = owners.get(word)
        if (other)
          throw new Error(`the payment methods ${other.id} and ${method.id} both have ${what} ${word}: rename one`)
        owners.set(word, method)
      }
  }
  return methods
}
