/** An app with an operator, and the answers of its area to everybody else. */
import { linkAtStart } from '../../src/operator/link.ts'
import { type Answer, type SignedInBrowser, startApp, type TestApp } from '../app.ts'
import { alice, bob } from '../wallets.ts'

export const api = '/api/v1/operator'

export interface OperatorStage {
  readonly app: TestApp
  /** Alice, the operator. */
  readonly operator: SignedInBrowser
  readonly stranger: SignedInBrowser
}

export async function openStage(env: Record<string, string> = {}): Promise<OperatorStage> {
  const app = await startApp({ PROOFGATE_OPERATOR_WALLETS: alice.address, ...env })
  return { app, operator: await app.signIn(alice), stranger: await app.signIn(bob) }
}

/** The token that a start would print. */
export async function printedToken({ parts }: TestApp): Promise<string> {
  const token = await linkAtStart(parts)
  if (token === undefined) throw new Error('there is an operator already')
  return token
}

/** The answer without values that differ between requests and paths. */
export const seen = ({ status, body, headers }: Answer, path: string) => {
  const { requestId, timestamp, ...rest } = body ?? {}
  const shown = Object.fromEntries(headers)
  const { 'x-request-id': _, ...kept } = shown
  return {
    status,
    body: JSON.parse(JSON.stringify(rest).replaceAll(path, '<path>')),
    headers: kept,
    own: [typeof requestId, typeof timestamp],
  }
}
