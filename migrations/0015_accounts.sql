-- Accounts by what they are: a key, or a contract wallet on one chain (src/wallet/account.ts). Until now one row stood
-- for an address, whoever signed as it on whichever chain. Proofs of contract wallets get an account of their chain, and
-- those that say neither (nothing was signed, or it was not noted) one of the wallet, the chain and "unknown".

CREATE TABLE moving (
  proof_id INTEGER PRIMARY KEY,
  q_hash BLOB NOT NULL,
  was INTEGER NOT NULL,
  wallet TEXT NOT NULL,
  chain TEXT NOT NULL,
  is_contract INTEGER NOT NULL,
  address TEXT NOT NULL
) STRICT;

INSERT INTO moving (proof_id, q_hash, was, wallet, chain, is_contract, address)
SELECT p.id, p.q_hash, p.account_id, a.address, coalesce(p.chain, 'eip155:' || p.chain_id),
  p.signature_method IS NOT NULL, ''
FROM proofs p JOIN accounts a ON a.id = p.account_id
WHERE (p.signature_method IS NULL OR p.signature_method IN ('eip1271', 'eip6492'))
  AND substr(a.address, 1, 2) = '0x' AND length(a.address) = 42
  AND (p.chain IS NULL OR substr(p.chain, 1, 7) = 'eip155:');

UPDATE moving SET address =
  CASE WHEN is_contract = 1 THEN chain || ':' || wallet ELSE 'unknown:' || wallet || ':' || chain END;

-- An erasure of a contract wallet that has begun is finished as that of a key: its account has lost its name.
UPDATE moving SET address = (
  SELECT 'erased:' || min(e.handle) FROM erasures e
  WHERE e.contract_on = moving.chain AND e.wallet = moving.wallet AND moving.proof_id <= e.proofs_up_to)
WHERE EXISTS (
  SELECT 1 FROM erasures e
  WHERE e.contract_on = moving.chain AND e.wallet = moving.wallet AND moving.proof_id <= e.proofs_up_to);

CREATE INDEX moving_by_address ON moving (address);
CREATE INDEX moving_by_hash ON moving (q_hash);

INSERT INTO accounts (address) SELECT DISTINCT address FROM moving WHERE true ON CONFLICT (address) DO NOTHING;

-- What a contract wallet got from gates is its own, and not that of its address.
UPDATE fulfillments SET wallet = (
  SELECT e.contract_on || ':' || e.wallet FROM erasures e
  WHERE e.contract_on IS NOT NULL AND e.wallet = fulfillments.wallet AND fulfillments.id <= e.fulfillments_up_to)
WHERE EXISTS (
  SELECT 1 FROM erasures e
  WHERE e.contract_on IS NOT NULL AND e.wallet = fulfillments.wallet AND fulfillments.id <= e.fulfillments_up_to
    AND NOT EXISTS (SELECT 1 FROM proofs p WHERE p.account_id = e.account_id AND p.q_hash = fulfillments.q_hash));

UPDATE fulfillments SET wallet = (
  SELECT m.chain || ':' || m.wallet FROM moving m WHERE m.q_hash = fulfillments.q_hash AND m.is_contract = 1)
WHERE EXISTS (SELECT 1 FROM moving m WHERE m.q_hash = fulfillments.q_hash AND m.is_contract = 1
  AND m.wallet = fulfillments.wallet);

UPDATE proof_facts SET account_id = (
  SELECT a.id FROM moving m JOIN accounts a ON a.address = m.address WHERE m.proof_id = proof_facts.proof_id)
WHERE account_id IN (SELECT was FROM moving) AND proof_id IN (SELECT proof_id FROM moving);

UPDATE reserved_names SET account_id = (
  SELECT a.id FROM moving m JOIN accounts a ON a.address = m.address WHERE m.proof_id = reserved_names.proof_id)
WHERE proof_id IN (SELECT proof_id FROM moving);

UPDATE proofs SET account_id = (
  SELECT a.id FROM moving m JOIN accounts a ON a.address = m.address WHERE m.proof_id = proofs.id)
WHERE id IN (SELECT proof_id FROM moving);

UPDATE erasures SET account_id = coalesce((SELECT id FROM accounts WHERE address = 'erased:' || erasures.handle), 0),
  wallet = contract_on || ':' || wallet, contract_on = NULL
WHERE contract_on IS NOT NULL;

-- A run that another account replaced is current again. Where it may have been the same one, it stays replaced: what was
-- revoked by its newest run must not come back.
UPDATE proofs SET superseded = 0
WHERE superseded = 1
  AND (account_id IN (SELECT was FROM moving)
    OR account_id IN (SELECT a.id FROM moving m JOIN accounts a ON a.address = m.address WHERE m.is_contract = 1))
  AND id NOT IN (SELECT proof_id FROM moving WHERE is_contract = 0)
  AND NOT EXISTS (
    SELECT 1 FROM proofs newer
    WHERE newer.scope52 = proofs.scope52 AND newer.id > proofs.id AND newer.visibility >= proofs.visibility
      AND (newer.account_id = proofs.account_id
        OR newer.id IN (SELECT proof_id FROM moving WHERE is_contract = 0)));

-- The counts, as the triggers keep them.
UPDATE accounts SET
  current_count = (SELECT count(*) FROM proofs p WHERE p.account_id = accounts.id
    AND p.superseded = 0 AND p.revoked_at IS NULL),
  listed_count = (SELECT count(*) FROM proofs p WHERE p.account_id = accounts.id
    AND p.superseded = 0 AND p.revoked_at IS NULL AND p.visibility = 2),
  all_count = (SELECT count(*) FROM proofs p WHERE p.account_id = accounts.id),
  all_listed_count = (SELECT count(*) FROM proofs p WHERE p.account_id = accounts.id AND p.visibility = 2)
WHERE id IN (SELECT was FROM moving) OR address IN (SELECT address FROM moving);

-- An account of a key that never signed.
DELETE FROM accounts
WHERE id IN (SELECT was FROM moving) AND NOT EXISTS (SELECT 1 FROM proofs p WHERE p.account_id = accounts.id);

DROP TABLE moving;
