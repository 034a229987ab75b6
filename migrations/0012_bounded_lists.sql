-- The short form of records that are too large for lists (proofs/record-summary.ts). Small records have none: their
-- whole record is read. Proofs of before this migration get their members without the data of their rows.
CREATE TABLE record_summaries (
  proof_id INTEGER PRIMARY KEY REFERENCES proofs (id) ON DELETE CASCADE,
  summary TEXT NOT NULL
) STRICT;

INSERT INTO record_summaries (proof_id, summary)
SELECT id, json_patch(
  json_object(
    'verifierIds', json_extract(record, '$.verifierIds'),
    'rows', (
      SELECT json_group_array(json_object(
        'verifierId', json_extract(row.value, '$.verifierId'),
        'verified', json(iif(json_extract(row.value, '$.verified'), 'true', 'false')),
        'status', json_extract(row.value, '$.status'),
        'data', json('{}')
      )) FROM json_each(record, '$.rows') row
    ),
    'storeOriginalContent', json(iif(json_extract(record, '$.storeOriginalContent'), 'true', 'false')),
    'isShortened', json('true')
  ),
  -- json_patch leaves out members that are null.
  json_object(
    'meta', json_object(
      'title', json_extract(record, '$.meta.title'),
      'description', json_extract(record, '$.meta.description'),
      'tags', json_extract(record, '$.meta.tags')
    ),
    'subjectWallet', json_extract(record, '$.subjectWallet'),
    'publishing', json_extract(record, '$.publishing'),
    'ipfs', json_extract(record, '$.ipfs')
  )
)
FROM proofs WHERE octet_length(record) > 16384;

-- Lets strangers walk the history of what they may see, and nothing else: how many private proofs a wallet has must
-- not show in how long an answer takes. Private proofs pay nothing for it.
CREATE INDEX proofs_shown ON proofs (account_id, visibility) WHERE visibility > 0;

-- The newest listed run of a claim, without walking past runs that are not listed.
CREATE INDEX proofs_scope_listed ON proofs (scope52) WHERE visibility = 2 AND revoked_at IS NULL;
