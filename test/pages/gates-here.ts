/** Gates of a listening server, made over its API. */

import { digestOf } from '../gates/gate.ts'
import { mallory, type TestWallet } from '../wallets.ts'

export async function addGate(
  origin: string,
  definition: { readonly gateId: string } & Readonly<Record<string, unknown>>,
  owner: TestWallet = mallory,
): Promise<string> {
  const { gateId } = definition
  const action = { action: 'apply_gate', gateId, digest: digestOf(definition), audience: new URL(origin).host }
  const signed = await owner.signAction(action, Date.now())
  const answer = await fetch(`${origin}/api/v1/profile/gates`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ definition, ...signed }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return gateId
}
