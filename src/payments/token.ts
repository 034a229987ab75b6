/** The tokens of [payments.stablecoin.<name>] that can be looked at: those whose chain is among [chains.<name>]. */
import type { EvmChain, Hex } from '../outside/chains/chain.ts'
import type { PaymentTools } from './payment.ts'

export interface Token {
  /** The key of [payments.stablecoin.<name>]. */
  readonly name: string
  readonly chain: EvmChain
  /** In lower case, as logs have it. */
  readonly address: Hex
  readonly decimals: number
  readonly symbol: string
  /** 0 waits until the block is settled (finality.ts). */
  readonly confirmations: number
}

type Settings = PaymentTools['config']['payments']['stablecoin'][string]

/** In the order of the configuration. */
export const listTokens = ({ config, outside }: Pick<PaymentTools, 'config' | 'outside'>): readonly Token[] =>
  Object.entries(config.payments.stablecoin).flatMap(([name, settings]) => {
    const chain = outside.chains.evm(readChainId(settings))
    const address = settings.token.toLowerCase() as Hex
    const { decimals, symbol, confirmations } = settings
    return chain ? [{ name, chain, address, decimals, symbol, confirmations }] : []
  })

export const readChainId = ({ chain }: Pick<Settings, 'chain'>): number => Number(chain.slice('eip155:'.length))
