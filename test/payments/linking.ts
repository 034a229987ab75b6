/** wallet-link proofs over the two-phase handshake: both wallets sign. */
import type { Answer, TestApp } from '../app.ts'
import type { TestWallet } from '../wallets.ts'

const title = 'Portable Proof Verification Request'

/** `primary` proves that `secondary` is hers as well. Returns the proof's id. */
export async function link(
  app: Pick<TestApp, 'submit' | 'now' | 'wait'>,
  primary: TestWallet,
  secondary: TestWallet,
  {
    chain = 'eip155:8453',
    options = {},
    relationshipType,
  }: { readonly chain?: string; readonly options?: object; readonly relationshipType?: string } = {},
): Promise<string> {
  app.wait(1)
  const [first, second] = [primary.address.toLowerCase(), secondary.address.toLowerCase()]
  const signedTimestamp = app.now()
  const text = [
    title,
    `Wallet: ${second}`,
    `Chain: ${chain.slice('eip155:'.length)}`,
    'Verifiers: wallet-link',
    `Data: {"primaryAccountId":"${chain}:${first}","primaryWalletAddress":"${first}","secondaryAccountId":"${chain}:${second}","secondaryWalletAddress":"${second}"}`,
    `Timestamp: ${signedTimestamp}`,
  ].join('\n')
  const answer: Answer = await app.submit(primary, {
    verifierIds: ['wallet-link'],
    data: {
      primaryWalletAddress: first,
      secondaryWalletAddress: second,
      chain,
      signature: await secondary.sign(text),
      signatureMethod: 'eip191',
      signedTimestamp,
      ...(relationshipType ? { relationshipType } : {}),
    },
    options,
  })
  if (answer.status !== 200) throw new Error(`no link: ${JSON.stringify(answer.body)}`)
  return answer.body.data.qHash
}

export const unlink = async (app: TestApp, qHash: string, wallet: TestWallet): Promise<Answer> => {
  app.wait(1)
  return app.post(`/api/v1/proofs/revoke-self/${qHash}`, await app.ownerBody(wallet, { action: 'revoke_proof', qHash }))
}
