/** Each test opens its own shop on the file's chain, and sends requests with a signed payment. */
import { paymentMethods } from '../../src/payments/index.ts'
import type { Answer, TestApp } from '../app.ts'
import { openStage, type Stage } from '../gates/fulfill-stage.ts'
import { mine } from './coin-stage.ts'
import { type Payer, quoteFor, signedBy, toRealTime, type X402Stage } from './x402-stage.ts'

export interface X402Shop {
  readonly shop: Stage
  /** Takes the chain back to where it was when the shop opened. */
  revert(): Promise<void>
}

export async function openX402Shop({ anvil, facilitator, env }: X402Stage): Promise<X402Shop> {
  const snapshot = await anvil.rpc('evm_snapshot')
  // A revert takes the clock of the chain back as well.
  await anvil.rpc('evm_setTime', [Math.floor(Date.now() / 1000)])
  await mine(anvil)
  facilitator.tellTheTruth()
  const shop = await openStage(env, () => paymentMethods)
  toRealTime(shop)
  return {
    shop,
    async revert() {
      await anvil.rpc('evm_revert', [snapshot])
    },
  }
}

export type Server = Pick<TestApp, 'parts' | 'post' | 'now' | 'prove'>

/** Asks for the reward, with the signed payment where there is one. */
export async function offer(app: Server, by: Payer, gateId: string, qHash: string, evidence?: string): Promise<Answer> {
  const signed = await by.wallet.signAction({ action: 'fulfill_gate', gateId, qHash }, app.now())
  const headers: Record<string, string> = evidence === undefined ? {} : { 'payment-signature': evidence }
  return app.post(`/api/v1/profile/gates/${gateId}/fulfill`, { qHash, ...signed }, headers)
}

export const sign = (app: Server, by: Payer, gateId: string, qHash: string): Promise<string> =>
  signedBy(by, quoteFor(by, { gateId, qHash }), app.parts)
