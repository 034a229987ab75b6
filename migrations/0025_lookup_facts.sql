-- Proofs are looked up by the wallet that they are about, and by the past block that they name. Those of before get these
-- facts at the next start, in batches (proofs/facts-backfill.ts); facts that they have already stay as they are.
UPDATE proof_facts_progress SET done_up_to = 0, last_id = (SELECT coalesce(max(id), 0) FROM proofs) WHERE id = 1;
