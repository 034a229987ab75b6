/** The lines of proofs, and of what is kept with them, for an export: SQL and nothing else. */
import { standsProof } from '../db/erasing.ts'
import { type Exporter, makeExporter, ownAccountIds, ownAccounts, ownProfiles } from '../db/exporting.ts'
import { compose, pick, pickHash } from '../db/query.ts'
import { writePortableContext } from './portable-store.ts'
import { writeContentContext } from './store.ts'

/** A proof that is being erased is in no list. */
const stands = standsProof('p')
const isOwn = `p.account_id IN (${ownAccountIds})`

export const proofExporters: readonly Exporter[] = [
  makeExporter({
    name: 'accounts',
    tables: ['accounts'],
    select: compose`
      SELECT ${pick('accounts a', { account: 'address' }, 'currentCount', 'listedCount', 'allCount', 'allListedCount')}
      FROM accounts a`,
    stands: "a.address NOT LIKE 'erased:%'",
    own: `a.id IN (${ownAccountIds})`,
  }),
  makeExporter({
    name: 'proofs',
    tables: ['proofs'],
    select: compose`
      SELECT ${pickHash('proofs p', 'qHash')}, ${pick('accounts a', { account: 'address' })},
        ${pick('proofs p', 'status', 'visibility', 'superseded', 'chainId', 'chain', 'signatureMethod', 'signedTimestamp', 'createdAt', 'updatedAt', 'revokedAt', 'expiresAt', 'finality', 'appId', 'sponsorWallet', 'agentId', 'grantedTo', 'record')}
      FROM proofs p JOIN accounts a ON a.id = p.account_id`,
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
    stands,
    own: isOwn,
    opens: { field: 'portableProof', isJson: true, writeContext: ({ qHash }) => writePortableContext(qHash) },
  }),
  makeExporter({
    name: 'proof-sources',
    tables: ['proof_sources'],
    select: compose`
      SELECT ${pickHash('proofs p', 'qHash')}, ${pick('proof_sources s', 'verifier', 'kind', 'sourceId', 'endedAt', 'endReason')}
      FROM proof_sources s JOIN proofs p ON p.id = s.proof_id`,
    stands,
    own: isOwn,
  }),
  makeExporter({
    name: 'wallet-links',
    tables: ['wallet_links'],
    select: compose`
      SELECT ${pickHash('proofs p', 'qHash')}, ${pick('wallet_links l', 'wallet', 'other', 'chain')}
      FROM wallet_links l JOIN proofs p ON p.id = l.proof_id`,
    stands,
    own: isOwn,
  }),
  makeExporter({
    name: 'share-links',
    tables: ['share_links'],
    select: compose`
      SELECT ${pickHash('proofs p', 'qHash')}, ${pick('share_links l', 'label', 'createdAt', 'expiresAt', 'openedCount', 'lastOpenedAt')}
      FROM share_links l JOIN proofs p ON p.id = l.proof_id`,
    stands,
    own: `${isOwn} OR l.profile IN (${ownProfiles})`,
  }),
  makeExporter({
    name: 'access-grants',
    tables: ['access_grants'],
    select: compose`
      SELECT ${pickHash('proofs p', 'qHash')}, ${pick('access_grants g', 'viewer', 'createdAt', 'expiresAt', 'sourceKind')}
      FROM access_grants g JOIN proofs p ON p.id = g.proof_id`,
    stands,
    own: `${isOwn} OR g.viewer IN (${ownAccounts})`,
  }),
]
