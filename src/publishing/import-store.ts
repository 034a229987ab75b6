/** Makes records on chains from the lines of an export: SQL and nothing else. */
import { type Importer, isNewProof, proofHolder } from '../db/importing.ts'

export const publicationImporter: Importer = {
  name: 'publications',
  holder: proofHolder,
  insert: [
    `INSERT INTO publications (proof_id, chain_id, action, state, asked_at, account, nonce, signed, signed_at, tx_hashes,
       block_number, gas_used, recorded_at, finished_at, reason)
     SELECT p.id, $chainId, $action, $state, $askedAt, $account, $nonce, $signed, $signedAt, $txHashes,
       $blockNumber, $gasUsed, $recordedAt, $finishedAt, $reason FROM proofs p WHERE ${isNewProof}`,
  ],
}
