/** Makes proofs, and what is kept with them, from the lines of an export: SQL and nothing else. */
import { ImportedLineError, type Importer, isNewProof, proofHolder, sealAgain, selectLink } from '../db/importing.ts'
import type { Catalog } from '../verifiers/index.ts'
import { listFacts } from './facts.ts'
import { writePortableContext } from './portable-store.ts'
import { fullyVerifiedWords, importedWord } from './proof.ts'
import type { ProofRecord } from './record.ts'
import { summarizeRecord } from './record-summary.ts'
import { needsSeal, writeContentContext } from './store.ts'
import { visibilities } from './visibility.ts'

/** A revocation is stored by its time. */
const storedWords: ReadonlySet<unknown> = new Set([
  ...fullyVerifiedWords,
  'partially_verified',
  importedWord,
  'expired',
])

const fromNewProof = `FROM proofs p WHERE ${isNewProof}`

/** A link is named by its row, which is another one here. */
const writeSourceId = (kind: '$kind' | '$sourceKind'): string =>
  `CASE WHEN ${kind} = 'linked-session' THEN 'link:' || coalesce(${selectLink}, 0) ELSE $sourceId END`

export const listProofImporters = (catalog: Catalog['known']): readonly Importer[] => [
  {
    name: 'accounts',
    insert: ['INSERT INTO accounts (address) VALUES ($account) ON CONFLICT (address) DO NOTHING'],
  },
  {
    name: 'proofs',
    find: {
      sql: `SELECT a.address AS account FROM proofs p JOIN accounts a ON a.id = p.account_id
            WHERE p.q52 = $q52 AND p.q_hash = unhex(substr($qHash, 3))`,
      describe: ({ qHash }) => `the proof ${qHash}`,
    },
    insert: [
      `INSERT INTO proofs (q52, q_hash, account_id, scope52, status, visibility, superseded, chain_id, chain,
         signature_method, signed_timestamp, created_at, updated_at, revoked_at, expires_at, record, finality, app_id,
         sponsor_wallet, agent_id, granted_to)
       SELECT $q52, unhex(substr($qHash, 3)), a.id, $scope52, $status, $visibility, $superseded, $chainId, $chain,
         $signatureMethod, $signedTimestamp, $createdAt, $updatedAt, $revokedAt, $expiresAt, $record, $finality, $appId,
         $sponsorWallet, $agentId, $grantedTo
       FROM accounts a WHERE a.address = $account AND NOT EXISTS (SELECT 1 FROM erased_proofs WHERE q52 = $q52)`,
      `INSERT INTO proof_facts (account_id, fact52, proof_id)
       SELECT p.account_id, CAST(fact.value AS BIGINT), p.id FROM proofs p, json_each($facts) fact WHERE ${isNewProof}`,
      `INSERT INTO proof_facts (account_id, fact52, proof_id)
       SELECT p.account_id, CASE p.superseded WHEN 0 THEN p.scope52 ELSE -p.scope52 END, p.id ${fromNewProof}`,
      `INSERT INTO record_summaries (proof_id, summary) SELECT p.id, $summary ${fromNewProof} AND $summary IS NOT NULL`,
    ],
    derive: ({ record, visibility, status }) => {
      // A missing one is told by its name.
      if (status !== undefined && !storedWords.has(status))
        throw new ImportedLineError('its status is none that a proof has')
      const kept = record as ProofRecord
      return {
        facts: JSON.stringify(listFacts(kept, visibility === visibilities.private, catalog)),
        summary: summarizeRecord(kept, JSON.stringify(kept)) ?? null,
      }
    },
  },
  {
    name: 'contents',
    holder: proofHolder,
    // An export that was opened does not say which of them were sealed: those of private proofs.
    insert: [
      `INSERT INTO contents (proof_id, content, sealed)
       SELECT p.id, CASE WHEN p.visibility = 0 OR $wasSealed = 1 THEN NULL ELSE $content END,
         CASE WHEN p.visibility = 0 OR $wasSealed = 1 THEN $sealedText END ${fromNewProof}`,
    ],
    derive: (line, tools) => ({
      wasSealed: line.sealed === null && !needsSeal(line.content as string) ? 0 : 1,
      sealedText: sealAgain(line, line.content, writeContentContext(line.qHash as string), tools),
    }),
  },
  {
    name: 'portable-proofs',
    holder: proofHolder,
    insert: [`INSERT INTO envelopes (proof_id, sealed) SELECT p.id, $sealedText ${fromNewProof}`],
    derive: (line, tools) => ({
      sealedText: sealAgain(line, line.portableProof, writePortableContext(line.qHash as string), tools),
    }),
  },
  {
    name: 'proof-sources',
    holder: proofHolder,
    insert: [
      `INSERT INTO proof_sources (proof_id, verifier, kind, source_id, link_proof, ended_at, end_reason)
       SELECT p.id, $verifier, $kind, ${writeSourceId('$kind')}, ${selectLink}, $endedAt, $endReason ${fromNewProof}`,
    ],
  },
  {
    name: 'wallet-links',
    holder: proofHolder,
    insert: [
      `INSERT INTO wallet_links (wallet, other, proof_id, chain) SELECT $wallet, $other, p.id, $chain ${fromNewProof}`,
    ],
  },
  {
    name: 'access-grants',
    holder: proofHolder,
    insert: [
      `INSERT INTO access_grants (proof_id, viewer, created_at, expires_at, source_kind, source_id, link_proof)
       SELECT p.id, $viewer, $createdAt, $expiresAt, $sourceKind, ${writeSourceId('$sourceKind')}, ${selectLink}
       ${fromNewProof}`,
    ],
  },
  {
    name: 'reserved-names',
    find: {
      sql: `SELECT '0x' || lower(hex(o.q_hash)) AS "qHash" FROM reserved_names n JOIN proofs o ON o.id = n.proof_id
            JOIN proofs p ON p.q52 = $q52 AND p.q_hash = unhex(substr($qHash, 3))
            WHERE n.name = $name AND (n.account_id <> p.account_id OR n.proof_id = p.id) LIMIT 1`,
      describe: ({ name }) => `the name "${name}", which only one wallet may hold`,
    },
    insert: [
      `INSERT INTO reserved_names (name, proof_id, account_id, expires_at)
       SELECT $name, p.id, p.account_id, $expiresAt ${fromNewProof}`,
    ],
  },
  {
    name: 'followed-blocks',
    holder: proofHolder,
    insert: [
      `INSERT INTO followed_blocks (proof_id, place, chain, block_number, block_hash, state, followed_since, look_at,
         read_again_at)
       SELECT p.id, $place, $chain, $blockNumber, unhex(substr($blockHash, 3)), $state, $followedSince, $lookAt,
         $readAgainAt ${fromNewProof}`,
    ],
  },
  {
    name: 'erased-ids',
    insert: ['INSERT INTO erased_proofs (q52, expires_at) VALUES ($q52, $expiresAt) ON CONFLICT (q52) DO NOTHING'],
    isOfServer: true,
  },
]

export const selectNewestProof = 'SELECT coalesce(max(id), 0) AS id FROM proofs'
export const selectNewestAccount = 'SELECT coalesce(max(id), 0) AS id FROM accounts'

/**
 * The triggers that decide for a proof as it is made which runs it replaces, how much an account has, and which wallets
 * it links. An import knows all of these.
 */
export const selectMakingTriggers = `
  SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND name IN ('proofs_inserted', 'wallet_links_made')`

/** Of runs of one claim that were made on both servers, the later one counts. */
const replaceOlderRuns = `
  UPDATE proofs SET superseded = 1
  WHERE superseded = 0 AND account_id IN (
      SELECT account_id FROM proofs WHERE id > $newProofs INTERSECT SELECT account_id FROM proofs WHERE id <= $newProofs)
    AND EXISTS (
      SELECT 1 FROM proof_facts f CROSS JOIN proofs o ON o.id = f.proof_id
      WHERE f.account_id = proofs.account_id AND f.fact52 = proofs.scope52 AND o.superseded = 0
        AND o.revoked_at IS NULL AND o.visibility >= proofs.visibility AND o.created_at > proofs.created_at
        AND (o.id > $newProofs) <> (proofs.id > $newProofs))`

/** As the triggers keep them. */
const countAgain = `
  UPDATE accounts SET
    current_count = (SELECT count(*) FROM proofs p WHERE p.account_id = accounts.id
      AND p.superseded = 0 AND p.revoked_at IS NULL),
    listed_count = (SELECT count(*) FROM proofs p WHERE p.account_id = accounts.id
      AND p.visibility = 2 AND p.superseded = 0 AND p.revoked_at IS NULL AND p.status <> 'expired'),
    all_count = (SELECT count(*) FROM proofs p WHERE p.account_id = accounts.id),
    all_listed_count = (SELECT count(*) FROM proofs p WHERE p.account_id = accounts.id AND p.visibility = 2)
  WHERE id IN (SELECT account_id FROM proofs WHERE id > $newProofs)`

/** An account of an export has signed, but all that it signed may have been left out. */
const dropEmptyAccounts = `
  DELETE FROM accounts WHERE id > $newAccounts AND NOT EXISTS (SELECT 1 FROM proofs p WHERE p.account_id = accounts.id)`

/** What is settled when all proofs are there. */
export const settleProofs: readonly string[] = [replaceOlderRuns, countAgain, dropEmptyAccounts]
