/**
 * The portable form after the day of its making. It is kept, sealed, only when the request asked for that or to store
 * the content, because it holds all signed data. Only the owner gets it.
 */
import { type Static, Type } from '@sinclair/typebox'
import type { Db } from '../db/db.ts'
import type { Sealer } from '../db/seal.ts'
import { findEnvelope, findEnvelopeSizes } from './portable-store.ts'
import { keepsPortable, type ProofRow } from './proof.ts'
import { shareBytes } from './share-bytes.ts'

export const PortableProof = Type.Object(
  {
    qHash: Type.String(),
    did: Type.String(),
    walletAddress: Type.String(),
    verifierIds: Type.Array(Type.String()),
    data: Type.Object({}, { description: 'As it was signed.' }),
    signedTimestamp: Type.Integer(),
    signature: Type.String(),
    signatureMethod: Type.String(),
    chainId: Type.Optional(Type.Integer({ description: 'Of EVM wallets.' })),
    chain: Type.Optional(Type.String({ description: 'CAIP-2, of all others.' })),
  },
  { $id: 'PortableProof', description: 'Enough to check the signed claim without this server (CAIP-380).' },
)

export type PortableProof = Static<typeof PortableProof>

/** For a view of the owner: the member, where the form was kept. */
export async function readPortable(
  { db, sealer }: { readonly db: Db; readonly sealer: Sealer },
  proof: ProofRow,
): Promise<{ readonly portableProof?: PortableProof }> {
  const text = keepsPortable(proof.record) ? await findEnvelope(db, sealer, proof) : undefined
  return text === undefined ? {} : { portableProof: JSON.parse(text) as PortableProof }
}

/** The limit of sealed forms in one page. Base64 makes a sealed form a third larger than the form itself. */
const mostSealedBytes = 2_000_000

/** The same for each proof of a page. A form without space in the page is omitted, and the row says so. */
export async function listPortables(
  tools: { readonly db: Db; readonly sealer: Sealer },
  proofs: readonly ProofRow[],
): Promise<(proof: ProofRow) => Promise<{ readonly portableProof?: PortableProof; readonly contentTruncated?: true }>> {
  const sizes = await findEnvelopeSizes(
    tools.db,
    proofs.map(({ id }) => id),
  )
  const most = shareBytes([...sizes.values()], mostSealedBytes)
  return async (proof) =>
    (sizes.get(proof.id) ?? 0) > most ? { contentTruncated: true } : await readPortable(tools, proof)
}
