-- Portable proofs, of proofs that keep their content: what the vault hands out again. Goes with its proof. Sealed also
-- for public proofs, because the signed data may hold more than is shown of them.
CREATE TABLE envelopes (
  proof_id INTEGER PRIMARY KEY REFERENCES proofs (id) ON DELETE CASCADE,
  sealed TEXT NOT NULL
) STRICT;
