-- What lists of gates, of versions and of sales say of a version, so that they do not read whole definitions. One row for
-- each version, written and deleted with it.
CREATE TABLE gate_summaries (
  gate INTEGER NOT NULL REFERENCES gates (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  -- Of the definition, and of the sealed reward values with it, in UTF-8.
  definition_bytes INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  name TEXT NOT NULL,
  -- JSON of the definition with its long texts and conditions cut. NULL: the definition is short, or this version is older
  -- than this table, or it is not the newest.
  summary TEXT,
  PRIMARY KEY (gate, version)
) STRICT, WITHOUT ROWID;

INSERT INTO gate_summaries (gate, version, definition_bytes, bytes, name)
SELECT gate, version, length(CAST(definition AS BLOB)), length(CAST(definition AS BLOB)) + coalesce(length(rewards), 0),
  coalesce(definition ->> '$.name', '')
FROM gate_versions;

-- Whether a version was fulfilled: such a version is never removed.
CREATE INDEX fulfillments_by_version ON fulfillments (gate, version);
