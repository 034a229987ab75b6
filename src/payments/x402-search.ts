/**
 * Finds the transaction that used an authorization, by the event it left: for settlements whose answer was lost, and for
 * authorizations that somebody else sent first. What is found is only a hash to look at (x402-settlement.ts): so one
 * endpoint's answer is enough, and a wrong one grants nothing.
 */
import type { Hex } from '../outside/chains/chain.ts'
import { type EvmSource, evmSource } from '../outside/chains/evm/source.ts'
import { OutsideError } from '../outside/failure.ts'
import { guardFor } from '../outside/http/address-guard.ts'
import { endpointOf } from '../outside/http/endpoint.ts'
import type { PaymentTools } from './payment.ts'
import { authorizationUsed, topicOf } from './x402-identity.ts'
import type { Sought } from './x402-settlement.ts'

/** Blocks in one question. Providers refuse larger ones, some of them from 2000 on. */
const blocksAtOnce = 1000
/** Hours on every chain, and a bound for what one request of a buyer can cause. */
const questionsAtMost = 20

const sourcesOf = new WeakMap<Sought['token']['chain'], readonly EvmSource[]>()

/** The newest use in blocks from `sinceMs` on (Unix milliseconds). Errors: OutsideError. */
export async function findUse(sought: Sought, sinceMs: number, tools: PaymentTools): Promise<Hex | undefined> {
  const { chain } = sought.token
  const newest = await chain.at()
  let last = newest.blockNumber
  for (let question = 0; question < questionsAtMost && last >= 0; question++) {
    const first = Math.max(0, last - blocksAtOnce + 1)
    const found = await usedBetween(first, last, sought, tools)
    if (found) return found
    if (first === 0 || (await chain.at(first)).blockTime < sinceMs) return undefined
    last = first - 1
  }
  return undefined
}

async function usedBetween(
  first: number,
  last: number,
  { token, from, nonce }: Sought,
  tools: PaymentTools,
): Promise<Hex | undefined> {
  const method = 'eth_getLogs'
  const filter = {
    address: token.address,
    topics: [authorizationUsed, topicOf(from), nonce],
    fromBlock: `0x${first.toString(16)}`,
    toBlock: `0x${last.toString(16)}`,
  }
  let failure: unknown
  for (const source of sourcesFor(token.chain, tools)) {
    try {
      return hashIn(await source.request(method, [filter]), source.setting)
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error
      failure ??= error
    }
  }
  throw failure
}

function hashIn(logs: unknown, setting: string): Hex | undefined {
  if (!Array.isArray(logs)) throw malformed(setting)
  const newest = logs.findLast((log) => log?.removed !== true)
  if (newest === undefined) return undefined
  const hash = newest?.transactionHash
  if (typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(hash)) throw malformed(setting)
  return hash.toLowerCase() as Hex
}

const malformed = (setting: string): OutsideError =>
  new OutsideError(
    'malformed',
    setting,
    'gave an answer to eth_getLogs that is no list of logs',
    'see whether the address is the JSON-RPC address of an EVM node',
  )

function sourcesFor(chain: Sought['token']['chain'], { config, now, outside }: PaymentTools): readonly EvmSource[] {
  const known = sourcesOf.get(chain)
  if (known) return known
  const { timeoutSeconds, attempts, privateNetworks } = config.outside
  const policy = { timeoutMs: timeoutSeconds * 1000, attempts, guard: guardFor(privateNetworks), watch: outside.watch }
  const sources = (config.chains[chain.name]?.rpc ?? []).map((url, index) =>
    evmSource(endpointOf(`chains.${chain.name}.rpc[${index}]`, url, policy), chain.chainId, now),
  )
  sourcesOf.set(chain, sources)
  return sources
}
