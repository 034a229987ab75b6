/** The findings of `proofgate doctor` about the publishing account. It sends nothing. */
import { formatEther } from 'viem'
import type { EvmChain, Hex } from '../outside/chains/chain.ts'
import { type Finding, makeKnownProbe, type Probe } from '../outside/probe.ts'
import type { Parts } from '../parts.ts'

/** Loads when it is used: it brings a library of elliptic curves. */
const loadAccounts = () => require('viem/accounts') as typeof import('viem/accounts')

const setting = 'publishing.private_key'
/** The approximate gas of one record. */
const recordGas = 60_000n

/** One for each chain that proofs can be recorded on. */
export function makePublishingProbes({ config, outside }: Pick<Parts, 'config' | 'outside'>): readonly Probe[] {
  const { privateKey } = config.publishing
  const chains = outside.chains.all.filter(
    (chain): chain is EvmChain => chain.kind === 'evm' && config.chains[chain.name]?.eas !== undefined,
  )
  if (privateKey === undefined) return []
  if (chains.length === 0) return [makeKnownProbe(setting, nowhere)]
  return chains.map((chain) => ({ setting, run: () => examineFunds(chain, privateKey as Hex) }))
}

const nowhere: Finding = {
  level: 'warn',
  says: 'is set, and no chain has the address of its contract: nothing is published',
  mend: 'set eas in a table [chains.<name>], or remove the key',
}

/** Errors: OutsideError. */
async function examineFunds({ at, chain, transactions }: EvmChain, privateKey: Hex): Promise<Finding> {
  const { address } = loadAccounts().privateKeyToAccount(privateKey)
  const [wei, { baseFee, priorityFee }] = await Promise.all([
    at().then((view) => view.readNativeBalance(address.toLowerCase() as Hex)),
    transactions.fees(),
  ])
  const records = wei / (recordGas * (baseFee + priorityFee || 1n))
  const says = `publishes on ${chain} as ${address}, which holds ${formatEther(wei)} of its coin: at the fee of now enough for about ${records} records`
  return records > 0n ? { level: 'ok', says } : { level: 'warn', says, mend: `send funds to ${address} on ${chain}` }
}
