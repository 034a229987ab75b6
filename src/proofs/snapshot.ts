/** What goes to IPFS of a public proof: what everybody may see of it and what will never change. */
import { canonicalJson } from '../envelope/canonical-json.ts'
import type { Catalog } from '../verifiers/index.ts'
import { didOfProof, type ProofRow } from './proof.ts'
import { publicRowsOf } from './view.ts'

/**
 * Canonical JSON (the one of the envelope), so that the same proof always has the same CID. Left out is what its owner
 * can change or take back (status, title, tags, kept content), and the time of the attempt: a request that is sent again
 * after a pin that came too late should meet that pin.
 */
export const snapshotOf = (proof: ProofRow, catalog: Catalog): string =>
  canonicalJson({
    qHash: proof.qHash,
    did: didOfProof(proof),
    walletAddress: proof.walletAddress,
    ...(proof.record.subjectWallet === undefined ? {} : { subjectWallet: proof.record.subjectWallet }),
    verifierIds: proof.record.verifierIds,
    verifiedVerifiers: publicRowsOf(proof, catalog),
    ...proof.context,
    signedTimestamp: proof.signedTimestamp,
  })
