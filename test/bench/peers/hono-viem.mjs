import { Hono } from 'hono'
import { isAddress, isAddressEqual, isHex, keccak256, stringToBytes, verifyMessage } from 'viem'
import { canonicalJson, didOf, newRecord, proofId, success } from './proof.mjs'

// Peers (b) and (c): the same Hono app with viem, on two runtimes. `find` and `insert` are prepared statements.

const maxAgeMs = 5 * 60_000

export function createApp(find, insert) {
  const app = new Hono()

  app.post('/api/v1/verification', async (c) => {
    const { walletAddress, verifierIds, data, signedTimestamp, chainId, signature } = await c.req.json()
    if (!isAddress(walletAddress) || !isHex(signature) || typeof data?.content !== 'string' || !isAddress(data.owner))
      return c.json({ success: false, error: { code: 'INVALID_REQUEST' } }, 400)
    if (Date.now() - signedTimestamp > maxAgeMs) return c.json({ success: false, error: { code: 'EXPIRED' } }, 401)

    const wallet = walletAddress.toLowerCase()
    const message = [
      'Portable Proof Verification Request',
      `Wallet: ${wallet}`,
      `Chain: ${chainId}`,
      `Verifiers: ${verifierIds.join(',')}`,
      `Data: ${canonicalJson(data)}`,
      `Timestamp: ${signedTimestamp}`,
    ]
    const holds = await verifyMessage({
      address: walletAddress,
      message: message.join('\n').normalize('NFC'),
      signature,
    })
    if (!holds || !isAddressEqual(data.owner, walletAddress))
      return c.json({ success: false, error: { code: 'SIGNATURE_INVALID' } }, 401)

    const claim = { wallet, chainId, data, signedTimestamp, verifierIds }
    const id = proofId(claim)
    const existing = find.get(id)
    const record = existing ? JSON.parse(existing.record) : newRecord(id, claim, keccak256(stringToBytes(data.content)))
    if (!existing) insert.run(id, wallet, record.createdAt, record.status, JSON.stringify(record))
    const envelope = { qHash: id, did: didOf(wallet, chainId), walletAddress, verifierIds, data, signedTimestamp }
    return c.json(success(record, { ...envelope, chainId, signature, signatureMethod: 'eip191' }))
  })

  return app
}
