/** The transaction in the name of a payment (identity.ts). Browsers use it too. */

export interface Transaction {
  /** CAIP-2. */
  readonly chain: string
  readonly hash: string
}

/** The transaction in the name of a payment, `tx:<CAIP-2>:<hash>:…`. Undefined for payments outside a chain. */
export function parseTransaction(identity: string): Transaction | undefined {
  const [, chain, hash] = /^tx:([^:]+:[^:]+):([^:]+)/.exec(identity) ?? []
  return chain && hash ? { chain, hash } : undefined
}
