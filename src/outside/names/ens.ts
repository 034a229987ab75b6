/**
 * Primary names of the Ethereum Name Service. They are shown beside addresses and decide nothing. A name is shown only if
 * it leads back to the address. Only the configured chain is asked: answers that ask for a gateway (EIP-3668) count as no
 * name.
 */
import { decodeFunctionResult, encodeFunctionData, parseAbi, toHex } from 'viem'
import { defer } from '../../defer.ts'
import { limitWait } from '../../limit-wait.ts'
import type { BlockView, CallOutcome, Chains, EvmChain, Hex } from '../chains/chain.ts'
import { OutsideError } from '../failure.ts'

/** Loads with the first name: it brings the tables by which names are normalized. */
const loadEns = () => require('viem/ens') as typeof import('viem/ens')

export interface Names {
  /**
   * The names of EVM addresses in lower case; null where an address has none. An address that could not be looked up in
   * time is left out.
   */
  find(addresses: readonly string[]): Promise<ReadonlyMap<string, string | null>>
}

/** Of one call of `find`. */
export const mostAddresses = 20
const mainnet = 1
const mostKept = 5000
const keptMs = 10 * 60_000
/** After a failure nobody is asked for a while: a page must not wait for a node that does not answer. */
const restMs = 30_000
const longestWaitMs = 5000
/** Longer names would break the page, and nobody reads them. */
const longestName = 80

/** The Universal Resolver, a proxy of the ENS DAO. Without gateways it answers from the chain alone. */
export const universalResolver = '0xeeeeeeee14d718c2b47d9923deab1335e144eeee'
const readResolverAbi = defer(() =>
  parseAbi([
    'function reverseWithGateways(bytes reverseName, uint256 coinType, string[] gateways) view returns (string, address, address)',
    'function resolveWithGateways(bytes name, bytes data, string[] gateways) view returns (bytes, address)',
  ]),
)
const readAddressAbi = defer(() => parseAbi(['function addr(bytes32 name) view returns (address)']))
/** ENSIP-9: Ethereum. */
const coinType = 60n

/** Undefined without a chain of Ethereum. Makes no call. */
export function openNames({ evm }: Pick<Chains, 'evm'>, now: () => number): Names | undefined {
  const chain = evm(mainnet)
  return chain && keepNames(chain, now)
}

function keepNames(chain: EvmChain, now: () => number): Names {
  const kept = new Map<string, { readonly name: string | null; readonly until: number }>()
  let restsUntil = 0

  const keep = (address: string, name: string | null): void => {
    kept.delete(address)
    kept.set(address, { name, until: now() + keptMs })
    const [oldest] = kept.keys()
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
  }

  async function ask(addresses: readonly string[]): Promise<void> {
    const view = await chain.at()
    await Promise.all(addresses.map(async (address) => keep(address, await findName(view, address as Hex))))
  }

  return {
    async find(addresses) {
      const at = now()
      const wanted = [...new Set(addresses)].slice(0, mostAddresses)
      const unknown = wanted.filter((address) => !((kept.get(address)?.until ?? 0) > at))
      if (unknown.length > 0 && at >= restsUntil)
        try {
          await limitWait(ask(unknown), longestWaitMs, makeLateError)
        } catch (error) {
          if (!(error instanceof OutsideError)) throw error
          restsUntil = now() + restMs
        }
      return new Map(wanted.flatMap((address) => (kept.has(address) ? [[address, kept.get(address)!.name]] : [])))
    },
  }
}

const makeLateError = (): OutsideError =>
  new OutsideError('timeout', 'chains', 'did not tell the names of wallets in time', 'look at the endpoint of Ethereum')

/** The name that an address chose, if the name belongs to the address. Errors: OutsideError. */
async function findName(view: BlockView, address: Hex): Promise<string | null> {
  const chosen = await call(view, {
    abi: readResolverAbi(),
    functionName: 'reverseWithGateways',
    args: [address, coinType, []],
  })
  const name = readFirst(chosen, 'reverseWithGateways')
  if (typeof name !== 'string' || !isPlainName(name)) return null
  const data = encodeFunctionData({ abi: readAddressAbi(), functionName: 'addr', args: [loadEns().namehash(name)] })
  const resolved = await call(view, {
    abi: readResolverAbi(),
    functionName: 'resolveWithGateways',
    args: [toHex(loadEns().packetToBytes(name)), data, []],
  })
  const owner = readFirst(resolved, 'resolveWithGateways')
  return typeof owner === 'string' && readOwner(owner as Hex) === address ? name : null
}

/** ENSIP-15: a name in another spelling than its normalized one may look like the name of somebody else. */
export function isPlainName(name: string): boolean {
  if (name.length > longestName || !name.includes('.')) return false
  try {
    return loadEns().normalize(name) === name
  } catch {
    return false
  }
}

const call = (
  view: BlockView,
  question: Parameters<typeof encodeFunctionData<ReturnType<typeof readResolverAbi>>>[0],
) =>
  // The name and its resolver are of strangers.
  view.call({ to: universalResolver, data: encodeFunctionData(question), isDataOfStranger: true })

/** Undefined for a revert, which stands for "no name" and for a name that a gateway keeps. */
function readFirst(
  outcome: CallOutcome,
  functionName: 'reverseWithGateways' | 'resolveWithGateways',
): string | undefined {
  if ('failed' in outcome) return undefined
  try {
    return decodeFunctionResult({ abi: readResolverAbi(), functionName, data: outcome.returned })[0]
  } catch {
    return undefined
  }
}

function readOwner(data: Hex): string | undefined {
  try {
    return decodeFunctionResult({ abi: readAddressAbi(), functionName: 'addr', data }).toLowerCase()
  } catch {
    return undefined
  }
}
