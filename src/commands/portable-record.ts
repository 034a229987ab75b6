/**
 * The record around a portable proof, as a server answers it. The wallet did not sign it, so it proves nothing. But a
 * record that names another proof, wallet or verifier was put together or changed by somebody.
 */
import type { PortableProof } from '../envelope/portable-proof.ts'
import type { OfflineVerdict } from '../envelope/verify-portable.ts'
import { stripVersion } from '../verifiers/id.ts'
import { areSameAddress } from '../wallet/account.ts'

/** The members of a record that repeat what was signed. */
const repeated: Readonly<Record<string, (recorded: unknown, proof: PortableProof) => boolean>> = {
  qHash: (recorded, { qHash }) => typeof recorded === 'string' && recorded.toLowerCase() === qHash.toLowerCase(),
  did: (recorded, { did }) => recorded === did,
  walletAddress: (recorded, { walletAddress }) =>
    typeof recorded === 'string' && areSameAddress(recorded, walletAddress),
  verifierIds: (recorded, { verifierIds }) =>
    Array.isArray(recorded) && recorded.map(String).map(stripVersion).join() === verifierIds.map(stripVersion).join(),
  signedTimestamp: (recorded, { signedTimestamp }) => recorded === signedTimestamp,
}

/** A sentence for each member of the records that says something else than the proof in them. */
export const findRecordFaults = (
  records: readonly Readonly<Record<string, unknown>>[],
  proof: PortableProof,
): readonly string[] =>
  records.flatMap((record) =>
    Object.entries(repeated).flatMap(([member, agrees]) =>
      Object.hasOwn(record, member) && !agrees(record[member], proof)
        ? [`record: its ${member} is not that of the portable proof in it`]
        : [],
    ),
  )

/** A record that contradicts its proof makes a file invalid, whoever signed. */
export const addRecordFaults = (verdict: OfflineVerdict, faults: readonly string[]): OfflineVerdict =>
  faults.length === 0
    ? verdict
    : { ...verdict, valid: false, needsChain: false, faults: [...verdict.faults, ...faults] }
