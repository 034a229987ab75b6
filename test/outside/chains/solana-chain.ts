/** The Solana chain as the server opens it, over the endpoints of a test. */
import { openSolanaChain } from '../../../src/outside/chains/solana/open.ts'
import { OutsideError } from '../../../src/outside/failure.ts'
import { makeGuard } from '../../../src/outside/http/address-guard.ts'
import { startOfTime } from '../../app.ts'
import type { SolanaEndpoint } from '../../parts/solana/rpc.ts'

export const openOver = (
  endpoints: readonly Pick<SolanaEndpoint, 'url'>[],
  {
    chain = 'solana:mainnet',
    agree = 1,
    staleAfterSeconds = 900,
    timeoutMs = 5000,
    now = (): number => startOfTime,
  } = {},
) =>
  openSolanaChain(
    'sol',
    {
      chain,
      rpc: endpoints.map(({ url }) => url),
      agree,
      agreeCounts: 'hosts',
      proofs: false,
      staleAfterSeconds,
      readAt: 'latest',
    },
    { policy: { timeoutMs, attempts: 1, guard: makeGuard([]) }, now },
  )

export const chainOver = (...[endpoints, settings]: Parameters<typeof openOver>) => openOver(endpoints, settings).chain

/** Returns the OutsideError that a question ends with, and throws any other end. */
export async function faultOf(question: Promise<unknown>): Promise<OutsideError> {
  const error = await question.then(
    (found) => new Error(`found ${Bun.inspect(found)}`),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof OutsideError)) throw error
  return error
}
