-- Passes of wallets that left the guest list. Meanings stand with the columns in src/db/schema.ts.
ALTER TABLE guest_passes ADD COLUMN look_at INTEGER;
-- The list may have changed before this column was there.
UPDATE guest_passes SET look_at = 0;
CREATE INDEX guest_passes_looked_at ON guest_passes (look_at) WHERE look_at IS NOT NULL;

-- A short name was stored without its chain. It counts as one of the chain that bare names mean.
UPDATE wallet_labels SET account = 'near:mainnet:' || account
WHERE length(account) BETWEEN 2 AND 31 AND account NOT GLOB '0x*' AND account NOT GLOB '*[^-a-z0-9_]*';
