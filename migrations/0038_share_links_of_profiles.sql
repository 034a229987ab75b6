-- The profile that made a link, which ends with it. Meanings stand with the columns in src/db/schema.ts.
ALTER TABLE share_links ADD COLUMN profile INTEGER REFERENCES profiles (id) ON DELETE CASCADE;
UPDATE share_links SET profile = (
  SELECT pr.id FROM proofs p JOIN accounts a ON a.id = p.account_id JOIN profiles pr ON pr.account = a.address
  WHERE p.id = share_links.proof_id);
CREATE INDEX share_links_by_profile ON share_links (profile);
