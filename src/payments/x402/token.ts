/** The token that x402 payments are asked for in: one of [payments.stablecoin], on a chain that this server reads. */
import type { PaymentTools } from '../payment.ts'
import type { Token } from '../token.ts'
import { readTokenSettings } from '../token-transfers/settings.ts'
import { listTokens } from '../token-transfers/tokens.ts'
import { readX402Settings } from './settings.ts'

export interface AskedToken extends Token {
  readonly facilitatorUrl: string
  /** EIP-712 domain of the token. */
  readonly domain: { readonly name: string; readonly version: string }
}

type Where = Pick<PaymentTools, 'config' | 'outside'>

/**
 * Returns the token, or the missing configuration as the end of a sentence. The chain is required even though a
 * facilitator reports its settlements. Without a chain to check, its word alone would grant rewards, and a lost answer
 * would lose the payment.
 */
export function chooseToken(where: Where): AskedToken | string {
  const x402 = readX402Settings(where.config)
  const tokens = readTokenSettings(where.config)
  if (x402.facilitatorUrl === undefined) return 'needs payments.x402.facilitator_url'
  const names = Object.keys(tokens)
  const [name, another] = x402.token === undefined ? names : [x402.token]
  if (name === undefined) return 'needs a table [payments.stablecoin.<name>]'
  if (another !== undefined) return `needs payments.x402.token, because there are several: ${names.join(', ')}`
  const settings = tokens[name]
  if (!settings) return `needs a table [payments.stablecoin.${name}], which payments.x402.token names`
  const token = listTokens(where).find((one) => one.name === name)
  if (!token)
    return `needs a table [chains.<name>] with chain = "${settings.chain}", the chain of payments.stablecoin.${name}`
  return {
    ...token,
    facilitatorUrl: x402.facilitatorUrl,
    domain: { name: x402.tokenName, version: x402.tokenVersion },
  }
}
