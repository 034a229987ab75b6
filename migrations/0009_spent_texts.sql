-- What a signed text made, beside the mark that it is spent. Meanings stand with the columns in src/db/schema.ts. Rows of
-- before made no proof: they are marks of owner actions and sign-ins, and q_hash is null for them.
ALTER TABLE spent_signatures ADD COLUMN q_hash BLOB CHECK (q_hash IS NULL OR length(q_hash) = 32);

-- There is now a mark for each signed proof of the last hour or so, and the sweep must not walk over all of them.
CREATE INDEX spent_signatures_expiring ON spent_signatures (expires_at);
