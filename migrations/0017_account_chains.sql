-- Secrets stand in the vault of an account, and no longer in that of an address: those of a contract wallet carry its
-- chain (src/wallet/account.ts). They belong to the account that signed in, or to one that it had linked.
UPDATE secrets SET wallet = (SELECT p.account FROM profiles p WHERE p.id = secrets.profile)
WHERE EXISTS (
  SELECT 1 FROM profiles p
  WHERE p.id = secrets.profile AND substr(p.account, 1, 7) = 'eip155:'
    AND substr(p.account, length(p.account) - length(secrets.wallet)) = ':' || secrets.wallet);

-- Of a linked wallet the oldest link decided that stood then. One of before its method was noted may be of a contract,
-- and counts on its chain alone, as it does when somebody signs in.
UPDATE secrets SET wallet = coalesce((
    SELECT CASE
      WHEN coalesce(r.value ->> '$.data.signatureMethod', 'eip1271') IN ('eip1271', 'eip6492') THEN l.chain || ':' || l.wallet
      ELSE l.wallet END
    FROM wallet_links l
    JOIN proofs p ON p.id = l.proof_id
    JOIN accounts a ON a.id = p.account_id
    JOIN profiles holder ON holder.account = a.address
    CROSS JOIN json_each(p.record, '$.rows') r
    WHERE l.wallet = secrets.wallet AND holder.id = secrets.profile
      AND p.created_at <= secrets.created_at AND (p.revoked_at IS NULL OR p.revoked_at >= secrets.created_at)
      AND r.value ->> 'verifierId' = 'wallet-link' AND r.value ->> 'verified'
      AND r.value ->> '$.data.secondaryWalletAddress' = l.wallet
      AND r.value ->> '$.data.secondaryAccountId' = l.chain || ':' || l.wallet
    ORDER BY p.id LIMIT 1), wallet)
WHERE substr(wallet, 1, 2) = '0x' AND length(wallet) = 42
  AND NOT EXISTS (SELECT 1 FROM profiles p WHERE p.id = secrets.profile AND p.account = secrets.wallet);

-- Two contracts of one address may be linked: the chain tells the ends of such a link apart.
CREATE TABLE moving_links (
  wallet TEXT NOT NULL,
  other TEXT NOT NULL,
  proof_id INTEGER NOT NULL,
  chain TEXT NOT NULL
) STRICT;
INSERT INTO moving_links (wallet, other, proof_id, chain) SELECT wallet, other, proof_id, chain FROM wallet_links;
DROP TABLE wallet_links;
CREATE TABLE wallet_links (
  wallet TEXT NOT NULL,
  other TEXT NOT NULL,
  proof_id INTEGER NOT NULL REFERENCES proofs (id) ON DELETE CASCADE,
  chain TEXT NOT NULL,
  PRIMARY KEY (wallet, other, proof_id, chain)
) STRICT, WITHOUT ROWID;
CREATE INDEX wallet_links_by_proof ON wallet_links (proof_id);
INSERT INTO wallet_links (wallet, other, proof_id, chain) SELECT wallet, other, proof_id, chain FROM moving_links;
DROP TABLE moving_links;
