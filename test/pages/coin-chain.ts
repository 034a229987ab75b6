/** A chain whose blocks come by themselves, with a dollar token on it: where wallets in a browser pay. */
import { afterAll } from 'bun:test'
import { type Anvil, startAnvil } from '../parts/anvil.ts'
import { contractAt } from '../parts/contracts/contracts.ts'
import { base, chain, putToken, usdc } from '../payments/coin-stage.ts'

export interface CoinChain {
  readonly anvil: Anvil
  /** The settings of a server that takes the token. */
  readonly env: Readonly<Record<string, string>>
  /** Tokens in their smallest unit, and what a transfer of them costs. */
  fund(address: string, units: bigint): Promise<void>
}

export async function startCoinChain(): Promise<CoinChain> {
  const anvil = await startAnvil({
    chainId: base,
    timestamp: Math.floor(Date.now() / 1000),
    args: ['--block-time', '1', '--mixed-mining'],
  })
  afterAll(() => anvil.stop())
  await putToken(anvil, usdc)
  return {
    anvil,
    env: {
      PROOFGATE_CHAINS_BASE_CHAIN: chain,
      PROOFGATE_CHAINS_BASE_RPC: anvil.url,
      PROOFGATE_PAYMENTS_STABLECOIN_USDC_CHAIN: chain,
      PROOFGATE_PAYMENTS_STABLECOIN_USDC_TOKEN: usdc,
      PROOFGATE_PAYMENTS_STABLECOIN_USDC_CONFIRMATIONS: '2',
    },
    async fund(address, units) {
      await contractAt(anvil, 'Erc20', usdc).write('mint', [address, units])
      await anvil.send({ to: address as `0x${string}`, value: 10n ** 18n })
    },
  }
}
