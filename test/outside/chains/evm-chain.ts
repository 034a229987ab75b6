/** A chain as the configuration opens it, over endpoints that the test names. */

import type { ReadPoint } from '../../../src/config/sections/chains.ts'
import type { EvmChain } from '../../../src/outside/chains/chain.ts'
import { openEvmChain } from '../../../src/outside/chains/evm/open.ts'
import { OutsideError, UnanswerableError } from '../../../src/outside/failure.ts'
import { type AddressGuard, makeGuard } from '../../../src/outside/http/address-guard.ts'
import type { Probe } from '../../../src/outside/probe.ts'
import { startOfTime } from '../../app.ts'

interface Options {
  readonly agree?: number
  readonly agreeCounts?: 'hosts' | 'addresses'
  readonly proofs?: boolean
  readonly staleAfterSeconds?: number
  readonly readAt?: ReadPoint
  readonly eas?: string
  readonly sanctionsOracle?: string
  readonly timeoutMs?: number
  readonly guard?: AddressGuard
  readonly now?: () => number
}

/** Chain 8453 under the name `base`. Each call is made once, and given up after two seconds unless said otherwise. */
export function openBase(rpc: readonly string[], options: Options = {}): { chain: EvmChain; probes: readonly Probe[] } {
  const {
    agree = 1,
    agreeCounts = 'hosts',
    proofs = false,
    staleAfterSeconds = 900,
    timeoutMs = 2_000,
    guard = makeGuard([]),
    now = () => startOfTime,
    ...more
  } = options
  return openEvmChain(
    'base',
    { chain: 'eip155:8453', rpc: [...rpc], agree, agreeCounts, proofs, staleAfterSeconds, readAt: 'latest', ...more },
    { policy: { timeoutMs, attempts: 1, guard }, now },
  )
}

/** `fault source: what happened`, or the answer itself when there was one. */
export async function outageOf(answer: Promise<unknown>): Promise<string> {
  return answer.then(
    (value) => `answered ${JSON.stringify(value)}`,
    (error) => {
      if (error instanceof OutsideError) return `${error.fault} ${error.message}`
      if (error instanceof UnanswerableError) return `${error.reason}: ${error.message}`
      throw error
    },
  )
}
