/** The tokens of [payments.stablecoin.<name>] that can be looked at: those whose chain is among [chains.<name>]. */
import type { Config } from '../../config/schema.ts'
import type { Hex } from '../../outside/chains/chain.ts'
import type { MethodAdvice, PaymentTools } from '../payment.ts'
import type { Token } from '../token.ts'
import { readTokenSettings, type TokenSettings } from './settings.ts'

/** In the order of the configuration. */
export const listTokens = ({ config, outside }: Pick<PaymentTools, 'config' | 'outside'>): readonly Token[] =>
  Object.entries(readTokenSettings(config)).flatMap(([name, settings]) => {
    const chain = outside.chains.evm(readChainId(settings))
    const address = settings.token.toLowerCase() as Hex
    const { decimals, symbol, confirmations } = settings
    return chain ? [{ name, chain, address, decimals, symbol, confirmations }] : []
  })

export const readChainId = ({ chain }: Pick<TokenSettings, 'chain'>): number => Number(chain.slice('eip155:'.length))

/** A token on a chain that is not configured is allowed, and most likely a mistake. */
export const adviseTokens = (config: Pick<Config, 'payments' | 'chains'>): readonly MethodAdvice[] =>
  Object.entries(readTokenSettings(config))
    .filter(([, { chain }]) => !Object.values(config.chains).some((one) => one.chain === chain))
    .map(([name, { chain }]) => ({
      setting: `payments.stablecoin.${name}.chain`,
      says: `payments.stablecoin.${name}.chain is ${chain}, which no table [chains.<name>] has: nobody can pay with it`,
    }))
