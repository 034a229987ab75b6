/** The doctor's probe of payment tokens: each is compared with its contract. */
import { decodeAbiParameters, encodeFunctionData, erc20Abi } from 'viem'
import type { BlockView, EvmChain, Hex } from '../../outside/chains/chain.ts'
import { type Finding, makeKnownProbe, type Probe } from '../../outside/probe.ts'
import type { PaymentTools } from '../payment.ts'
import { readTokenSettings, type TokenSettings as Settings } from '../token-transfers/settings.ts'
import { readChainId } from '../token-transfers/tokens.ts'

export const makeStablecoinProbes = ({ config, outside }: Pick<PaymentTools, 'config' | 'outside'>): readonly Probe[] =>
  Object.entries(readTokenSettings(config)).map(([name, settings]) => {
    const chain = outside.chains.evm(readChainId(settings))
    return chain
      ? { setting: `payments.stablecoin.${name}`, run: () => probeToken(chain, settings) }
      : makeKnownProbe(`payments.stablecoin.${name}.chain`, reportNoChain(settings))
  })

const reportNoChain = ({ chain }: Settings): Finding => ({
  level: 'fail',
  says: `is on ${chain}, which is not configured: payments in it cannot be looked at, and are not offered`,
  mend: `add a table [chains.<name>] with chain = "${chain}", or remove this one`,
})

/** Errors: OutsideError. */
async function probeToken({ at, chain }: EvmChain, { token, decimals, symbol }: Settings): Promise<Finding> {
  const view = await at()
  const address = token.toLowerCase() as Hex
  if ((await view.readCode(address)) === '0x')
    return {
      level: 'fail',
      says: `no contract stands at ${token} on ${chain}`,
      mend: `set the address of the token on ${chain}`,
    }
  const [found, name] = await Promise.all([readDecimals(view, address), readSymbol(view, address)])
  if (found === undefined)
    return {
      level: 'fail',
      says: `the contract at ${token} on ${chain} has no decimals() that answers: it is no ERC-20 token`,
      mend: `set the address of the token on ${chain}`,
    }
  if (found !== decimals)
    return {
      level: 'fail',
      says: `the token has ${found} decimals, and ${decimals} are set: prices are wrong by powers of ten`,
      mend: `set decimals = ${found}`,
    }
  if (name !== symbol)
    return {
      level: 'warn',
      says: `the token calls itself ${name ?? 'nothing'}, and buyers are shown ${symbol}`,
      mend: 'see whether the address is that of the token you mean, or change symbol',
    }
  return { level: 'ok', says: `${name} with ${found} decimals at ${token} on ${chain}` }
}

async function readDecimals(view: BlockView, to: Hex): Promise<number | undefined> {
  const outcome = await view.call({ to, data: encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' }) })
  if (!('returned' in outcome) || outcome.returned.length !== 66) return undefined
  const value = BigInt(outcome.returned)
  return value <= 255n ? Number(value) : undefined
}

/** A text without control characters for a terminal. Undefined without one, as for bytes32 symbols. */
async function readSymbol(view: BlockView, to: Hex): Promise<string | undefined> {
  const outcome = await view.call({ to, data: encodeFunctionData({ abi: erc20Abi, functionName: 'symbol' }) })
  if (!('returned' in outcome)) return undefined
  try {
    const [text] = decodeAbiParameters([{ type: 'string' }], outcome.returned)
    return /^[\x20-\x7e₮]{1,32}$/u.test(text) ? text : undefined
  } catch {
    return undefined
  }
}
