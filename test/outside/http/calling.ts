/** The endpoint of these tests makes one attempt, with ample time for a busy machine. A test may change both. */

import { OutsideError } from '../../../src/outside/failure.ts'
import { makeGuard, type Resolve } from '../../../src/outside/http/address-guard.ts'
import { type CallPolicy, type Endpoint, makeEndpoint } from '../../../src/outside/http/endpoint.ts'

export const calling = (url: string, policy: Partial<CallPolicy> = {}): Endpoint =>
  makeEndpoint('test.url', url, { timeoutMs: 10_000, attempts: 1, guard: makeGuard([]), ...policy })

export const get = { method: 'GET' } as const

/** The OutsideError that a call ends with. Any other end is a failed test. */
export async function failureOf(call: Promise<unknown>): Promise<OutsideError> {
  let answer: unknown
  try {
    answer = await call
  } catch (error) {
    if (error instanceof OutsideError) return error
    throw error
  }
  throw new Error(`the call was answered: ${Bun.inspect(answer)}`)
}

/** A resolver that knows one answer for each time it is asked, and counts. */
export function resolver(...answers: readonly (readonly string[])[]) {
  let asked = 0
  const resolve: Resolve = async () => {
    const addresses = answers[asked++]
    if (!addresses) throw new Error('the resolver was asked once more than expected')
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  return { resolve, asked: () => asked }
}
