/** Stores many proofs at once, without signatures: tests of bounds need more than a handshake each allows. */
import { makeProof } from '../../src/proofs/proof.ts'
import { insertProof } from '../../src/proofs/store.ts'
import type { Verifier } from '../../src/verifiers/verifier.ts'
import { holds } from '../../src/verifiers/verifier.ts'
import type { TestApp } from '../app.ts'
import { alice, type TestWallet } from '../wallets.ts'

export interface StoredRow {
  readonly verifierId: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Returns the ids, the oldest first. */
export async function storeProofs(
  { parts, now }: Pick<TestApp, 'parts' | 'now'>,
  rows: readonly StoredRow[],
  { wallet = alice, isPrivate = false }: { readonly wallet?: TestWallet; readonly isPrivate?: boolean } = {},
): Promise<string[]> {
  const signer = { wallet: wallet.address.toLowerCase(), contractOn: undefined }
  const ids: string[] = []
  for (const [at, { verifierId, data }] of rows.entries()) {
    const qHash = `0x${Bun.SHA256.hash(`${signer.wallet} ${verifierId} ${at} ${isPrivate} ${ids.length}`, 'hex')}`
    const made = makeProof({
      qHash,
      signer,
      context: { chainId: 84532 },
      signedTimestamp: now(),
      signatureMethod: 'eip191',
      verifierIds: [verifierId],
      rows: [{ verifier: parts.catalog.known.get(verifierId) as Verifier, verdict: holds(data) }],
      options: {
        privacyLevel: isPrivate ? 'private' : 'public',
        publicDisplay: !isPrivate,
        storeOriginalContent: false,
        keepPortable: false,
        enableIpfs: false,
        meta: {},
      },
      now: now(),
    })
    await insertProof(parts.db, parts.sealer, made)
    ids.push(qHash)
  }
  return ids
}
