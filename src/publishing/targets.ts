/** The chains on which this server can record a proof, and the missing configuration of the others. */
import type { Parts } from '../parts.ts'
import type { EasContract } from './eas.ts'

type Configured = Pick<Parts, 'config' | 'outside'>

/** Undefined where the chain, or its contract, is not configured. */
export function findEas(chainId: number, { config, outside }: Configured): EasContract | undefined {
  const name = outside.chains.evm(chainId)?.name
  const address = name === undefined ? undefined : config.chains[name]?.eas
  return address === undefined
    ? undefined
    : { address: address as EasContract['address'], setting: `chains.${name}.eas` }
}

/** The configuration that recording on this chain still needs; undefined when nothing is missing. */
export function findMissingSetting(chainId: number, parts: Configured): string | undefined {
  const chain = parts.outside.chains.evm(chainId)
  const lacks: string[] = []
  if (!chain) lacks.push(`a table [chains.<name>] with chain = "eip155:${chainId}", rpc and eas`)
  else if (!findEas(chainId, parts)) lacks.push(`chains.${chain.name}.eas`)
  if (parts.config.publishing.privateKey === undefined) lacks.push('publishing.private_key')
  return lacks.length > 0 ? lacks.join(' and ') : undefined
}
