import { writeCanonicalJson } from '../envelope/canonical-json.ts'
import { AppError } from '../errors.ts'
import { OutsideError } from '../outside/failure.ts'
import type { Parts } from '../parts.ts'
import type { ProofRow } from '../proofs/proof.ts'
import { addSnapshot, didOfProof, type NewProof } from '../proofs/proof.ts'
import { listPublicRows } from '../proofs/view.ts'
import { findScope } from '../request-scope.ts'
import type { Catalog } from '../verifiers/index.ts'

/**
 * Puts the snapshot of a public proof on IPFS, and records its place in the proof. It comes before the proof is stored,
 * so that a proof never names a missing snapshot. If the proof is then refused, the snapshot stays pinned. Errors:
 * SERVICE_UNAVAILABLE.
 */
export async function pinSnapshot(proof: NewProof, { outside, catalog, log }: Parts): Promise<NewProof> {
  const { ipfs } = outside
  if (!ipfs) throw new Error('a snapshot is wanted, and settledOptions() let it through without ipfs')
  const { qHash, createdAt } = proof.row
  try {
    const bytes = new TextEncoder().encode(writeSnapshot(proof.row, catalog))
    const { cid, size, gateway } = await ipfs.pin(bytes, `proof-${qHash}`)
    return addSnapshot(proof, { cid, ...(gateway === undefined ? {} : { gateway }), createdAt, size })
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    const { source, fault, happened, mend, retryAfterSeconds } = error
    log.count({
      level: 'warn',
      event: 'snapshot-unpinned',
      message: 'a snapshot could not be pinned',
      kind: `${source} ${fault}`,
      fields: { source, fault, happened, mend },
      requestId: findScope()?.requestId,
    })
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      `the snapshot could not be put on IPFS: ${source} ${happened}. The claim holds, and nothing was stored; try again in ${retryAfterSeconds} s, or leave options.enableIpfs out`,
      { source, fault },
      { 'retry-after': String(retryAfterSeconds) },
    )
  }
}

/**
 * Canonical JSON (the envelope's), so that the same proof always has the same CID. It omits members that the owner can
 * change or revoke (status, title, tags, kept content). It also omits the time of the attempt, so that a retry after a
 * slow pin finds that pin.
 */
export const writeSnapshot = (proof: ProofRow, catalog: Catalog): string =>
  writeCanonicalJson({
    qHash: proof.qHash,
    did: didOfProof(proof),
    walletAddress: proof.walletAddress,
    ...(proof.record.subjectWallet === undefined ? {} : { subjectWallet: proof.record.subjectWallet }),
    verifierIds: proof.record.verifierIds,
    verifiedVerifiers: listPublicRows(proof, catalog),
    ...proof.context,
    signedTimestamp: proof.signedTimestamp,
  })
