/**
 * One endpoint of an EVM chain. Its chain id is checked before the first question, after failures, and from time to
 * time. The service behind an address can change.
 */
import { OutsideError } from '../../failure.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { askRpc, type RpcAnswer, type RpcOptions } from '../json-rpc.ts'
import type { Place } from '../machines.ts'
import { parseNumber } from './hex.ts'
import { makeOutage } from './node-error.ts'

export interface EvmSource {
  /** Path of the setting: `chains.base.rpc[0]`. */
  readonly setting: string
  /** The name that counts once towards `agree`, such as the host. */
  readonly voice: string
  /** The reason why its name shares a voice with another: `leads to the same machine as …`. */
  readonly whyShared: string | undefined
  /** Errors: OutsideError, but not for a JSON-RPC error of the node. */
  ask(method: string, params: readonly unknown[], options?: RpcOptions): Promise<RpcAnswer>
  /** Errors: OutsideError, also for every JSON-RPC error of the node. */
  request(method: string, params: readonly unknown[]): Promise<unknown>
}

const identityHoldsMs = 10 * 60_000

export function openEvmSource(endpoint: Endpoint, chainId: number, now: () => number, place?: Place): EvmSource {
  const { setting } = endpoint
  let identity: { readonly checkedAt: number; readonly isRight: Promise<void> } | undefined

  /** One question for all callers that wait for it. */
  function requireRightChain(): Promise<void> {
    if (identity && now() - identity.checkedAt < identityHoldsMs) return identity.isRight
    const isRight = checkChain(endpoint, chainId)
    identity = { checkedAt: now(), isRight }
    return isRight
  }

  async function ask(method: string, params: readonly unknown[], options?: RpcOptions): Promise<RpcAnswer> {
    try {
      await requireRightChain()
      return await askRpc(endpoint, method, params, options)
    } catch (error) {
      identity = undefined
      throw error
    }
  }

  return {
    setting,
    get voice() {
      return place?.voice ?? setting
    },
    get whyShared() {
      return place?.whyShared
    },
    ask,
    async request(method, params) {
      const answer = await ask(method, params)
      if ('error' in answer) throw makeOutage({ setting, method }, answer.error)
      return answer.result
    },
  }
}

async function checkChain(endpoint: Endpoint, chainId: number): Promise<void> {
  const from = { setting: endpoint.setting, method: 'eth_chainId' }
  const answer = await askRpc(endpoint, from.method, [])
  if ('error' in answer) throw makeOutage(from, answer.error)
  const found = parseNumber(answer.result, from)
  if (found !== chainId)
    throw new OutsideError(
      'wrong-source',
      endpoint.setting,
      `is of eip155:${found}, not of eip155:${chainId}`,
      'give an endpoint of the right chain, or set the chain that this one is of',
      60,
    )
}
