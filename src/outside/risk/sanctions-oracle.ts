/** Contracts that say on-chain which wallets are sanctioned, as Chainalysis keeps them on several chains. */
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import type { Config } from '../../config/schema.ts'
import { defer } from '../../defer.ts'
import type { BlockView, Chains, EvmChain, Hex } from '../chains/chain.ts'
import { OutsideError } from '../failure.ts'

export interface SanctionsOracle {
  /** Path of the setting: `chains.base.sanctions_oracle`. */
  readonly setting: string
  readonly chain: EvmChain
  readonly contract: Hex
}

const readAbi = defer(() => parseAbi(['function isSanctioned(address) view returns (bool)']))

export function openOracles(settings: Config['chains'], chains: Chains): SanctionsOracle[] {
  return chains.all.flatMap((chain) => {
    const contract = settings[chain.name]?.sanctionsOracle
    return chain.kind === 'evm' && contract !== undefined
      ? [{ setting: `chains.${chain.name}.sanctions_oracle`, chain, contract: contract as Hex }]
      : []
  })
}

/** Errors: OutsideError, also when the contract answers neither yes nor no. */
export async function isSanctioned(
  { setting, contract }: SanctionsOracle,
  view: BlockView,
  wallet: Hex,
): Promise<boolean> {
  const outcome = await view.call({
    to: contract,
    data: encodeFunctionData({ abi: readAbi(), functionName: 'isSanctioned', args: [wallet] }),
  })
  if ('failed' in outcome) throw makeUselessError(setting, `did not answer (${outcome.failed})`)
  if (outcome.returned === '0x')
    throw makeUselessError(setting, 'answered nothing: there is no such contract at that address')
  try {
    return decodeFunctionResult({ abi: readAbi(), functionName: 'isSanctioned', data: outcome.returned })
  } catch {
    throw makeUselessError(setting, 'answered neither yes nor no')
  }
}

const makeUselessError = (setting: string, happened: string): OutsideError =>
  new OutsideError('malformed', setting, happened, `give a contract with isSanctioned(address), or remove ${setting}`)
