/**
 * The names of payment methods. A method has an id, by which rows and stored definitions name it for good. Its name is
 * for the interface: answers have names, requests may have either. Only this table maps them.
 */

const names = { stablecoin: 'usdc', card: 'stripe', x402: 'x402' } as const

export type MethodId = keyof typeof names
export type MethodName = (typeof names)[MethodId]

export const methodIds = ['stablecoin', 'card', 'x402'] as const satisfies readonly MethodId[]
export const methodNames = ['usdc', 'stripe', 'x402'] as const satisfies readonly MethodName[]

const ids: ReadonlyMap<string, MethodId> = new Map(
  methodIds.flatMap((id) => [[id, id] as const, [names[id], id] as const]),
)

/** As it goes out. */
export const nameMethod = (id: MethodId): MethodName => names[id]

/** The same of a row, whose method is a text. */
export function nameStored(method: string): string {
  const id = ids.get(method)
  return id === undefined ? method : names[id]
}

/** The id of a name that came in, an older one too. Undefined: there is no such method. */
export const findMethod = (name: string): MethodId | undefined => ids.get(name)

/** The description of a member that names one. */
export const methodWords = 'usdc (a transfer), stripe (a card) or x402.'
