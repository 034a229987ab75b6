/** The lines of records on chains for an export: SQL and nothing else. */
import { standsProof } from '../db/erasing.ts'
import { type Exporter, makeExporter, ownAccountIds } from '../db/exporting.ts'
import { compose, pick, pickHash } from '../db/query.ts'

export const publicationExporter: Exporter = makeExporter({
  name: 'publications',
  tables: ['publications'],
  select: compose`
    SELECT ${pickHash('proofs p', 'qHash')}, ${pick('publications o', 'chainId', 'action', 'state', 'askedAt', 'signedAt', 'account', 'nonce', 'signed', 'txHashes', 'blockNumber', 'gasUsed', 'recordedAt', 'finishedAt', 'reason')}
    FROM publications o JOIN proofs p ON p.id = o.proof_id`,
  order: 'o.id',
  stands: standsProof('p'),
  own: `p.account_id IN (${ownAccountIds})`,
})
