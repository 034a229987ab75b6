/** Proofs of a listening server, made over its API. */
import type { TestWallet } from '../wallets.ts'

async function post(address: string, body: object): Promise<{ data: { signerString: string; qHash: string } }> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return answer.json()
}

/** The two-phase handshake: standardize, sign what comes back, submit. The id of the proof. */
export async function proveAt(origin: string, wallet: TestWallet, claim: object): Promise<string> {
  const body = { walletAddress: wallet.address, signedTimestamp: Date.now(), ...wallet.signing, ...claim }
  const { data } = await post(`${origin}/api/v1/verification/standardize`, body)
  const signature = await wallet.sign(data.signerString)
  return (await post(`${origin}/api/v1/verification`, { ...body, signature })).data.qHash
}

export async function revokeAt(origin: string, wallet: TestWallet, qHash: string): Promise<void> {
  const action = await wallet.signAction({ action: 'revoke_proof', qHash }, Date.now())
  await post(`${origin}/api/v1/proofs/revoke-self/${qHash}`, action)
}
