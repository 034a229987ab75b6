/** The lines of proofs, and of what is kept with them, for an export: SQL and nothing else. */
import { standsProof } from '../db/erasing.ts'
import {
  type Exporter,
  makeExporter,
  ownAccountIds,
  ownAccounts,
  ownProfiles,
  writeHashOrNull,
} from '../db/exporting.ts'
import { compose, label, pick, pickHash } from '../db/query.ts'
import { writePortableContext } from './portable-store.ts'
import { writeContentContext } from './store.ts'

/** A proof that is being erased is in no list. */
const stands = standsProof('p')
const isOwn = `p.account_id IN (${ownAccountIds})`

const linkProof = compose`${writeHashOrNull('link.q_hash')} AS ${label('linkProof', 'text or null')}`

export const proofExporters: readonly Exporter[] = [
  makeExporter({
    name: 'accounts',
    tables: ['accounts'],
    select: compose`
      SELECT ${pick('accounts a', { account: 'address' }, 'currentCount', 'listedCount', 'allCount', 'allListedCount')}
      FROM accounts a`,
    order: 'a.id',
    stands: "a.address NOT LIKE 'erased:%'",
    own: `a.id IN (${ownAccountIds})`,
  }),
  makeExporter({
    name: 'proofs',
    tables: ['proofs'],
    select: compose`
      SELECT ${pickHash('proofs p', 'qHash')}, ${pick('accounts a', { account: 'address' })},
        ${pick('proofs p', 'status', 'visibility', 'superseded', 'chainId', 'chain', 'signatureMethod', 'signedTimestamp', 'createdAt', 'updatedAt', 'revokedAt', 'expiresAt', 'finality', 'appId', 'sponsorWallet', 'agentId', 'grantedTo', 'scope52', 'record')}
      FROM proofs p JOIN accounts a ON a.id = p.account_id`,
    order: 'p.id',
    stands,
    own: isOwn,
    json: ['record'],
  }),
  makeExporter({
    name: 'contents',
    tables: ['contents'],
    select: compose`
      SELECT ${pickHash('proofs p', 'qHash')}, ${pick('contents c', 'content', 'sealed')}
      FROM contents c JOIN proofs p ON p.id = c.proof_id`,
    order: 'c.proof_id',
    stands,
    own: isOwn,
    opens: { field: 'content', writeContext: ({ qHash }) => writeContentContext(qHash) },
  }),
  makeExporter({
    name: 'portable-proofs',
    tables: ['envelopes'],
    select: compose`
      SELECT ${pickHash('proofs p', 'qHash')}, ${pick('envelopes e', 'sealed')}
      FROM envelopes e JOIN proofs p ON p.id = e.proof_id`,
    order: 'e.proof_id',
    stands,
    own: isOwn,
    opens: { field: 'portableProof', isJson: true, writeContext: ({ qHash }) => writePortableContext(qHash) },
  }),
  makeExporter({
    name: 'proof-sources',
    tables: ['proof_sources'],
    select: compose`
      SELECT ${pickHash('proofs p', 'qHash')}, ${pick('proof_sources s', 'verifier', 'kind', 'sourceId', 'endedAt', 'endReason')}, ${linkProof}
      FROM proof_sources s JOIN proofs p ON p.id = s.proof_id LEFT JOIN proofs link ON link.id = s.link_proof`,
    order: 's.proof_id',
    stands,
    own: isOwn,
  }),
  makeExporter({
    name: 'wallet-links',
    tables: ['wallet_links'],
    select: compose`
      SELECT ${pickHash('proofs p', 'qHash')}, ${pick('wallet_links l', 'wallet', 'other', 'chain')}
      FROM wallet_links l JOIN proofs p ON p.id = l.proof_id`,
    order: 'l.wallet, l.other, l.proof_id, l.chain',
    stands,
    own: isOwn,
  }),
  makeExporter({
    name: 'share-links',
    tables: ['share_links'],
    select: compose`
      SELECT ${pickHash('proofs p', 'qHash')}, ${pick('share_links l', 'label', 'createdAt', 'expiresAt', 'openedCount', 'lastOpenedAt')}
      FROM share_links l JOIN proofs p ON p.id = l.proof_id`,
    order: 'l.created_at, l.digest',
    stands,
    own: `${isOwn} OR l.profile IN (${ownProfiles})`,
  }),
  makeExporter({
    name: 'access-grants',
    tables: ['access_grants'],
    select: compose`
      SELECT ${pickHash('proofs p', 'qHash')}, ${pick('access_grants g', 'viewer', 'createdAt', 'expiresAt', 'sourceKind', 'sourceId')}, ${linkProof}
      FROM access_grants g JOIN proofs p ON p.id = g.proof_id LEFT JOIN proofs link ON link.id = g.link_proof`,
    order: 'g.proof_id, g.viewer, g.source_id',
    stands,
    own: `${isOwn} OR g.viewer IN (${ownAccounts})`,
  }),
  makeExporter({
    name: 'reserved-names',
    tables: ['reserved_names'],
    select: compose`
      SELECT ${pickHash('proofs p', 'qHash')}, ${pick('reserved_names n', 'name', 'expiresAt')}
      FROM reserved_names n JOIN proofs p ON p.id = n.proof_id`,
    order: 'n.name, n.proof_id',
    stands,
    own: isOwn,
  }),
  makeExporter({
    name: 'followed-blocks',
    tables: ['followed_blocks'],
    select: compose`
      SELECT ${pickHash('proofs p', 'qHash')}, ${pick('followed_blocks b', 'place', 'chain', 'blockNumber')},
        ${pickHash('followed_blocks b', 'blockHash')},
        ${pick('followed_blocks b', 'state', 'followedSince', 'lookAt', 'readAgainAt')}
      FROM followed_blocks b JOIN proofs p ON p.id = b.proof_id`,
    order: 'b.proof_id, b.place',
    stands,
    own: isOwn,
  }),
  makeExporter({
    name: 'erased-ids',
    tables: ['erased_proofs'],
    select: compose`SELECT ${pick('erased_proofs e', 'q52', 'expiresAt')} FROM erased_proofs e`,
    order: 'e.q52',
  }),
]
