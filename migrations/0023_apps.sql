-- The app that a proof was made through, as the client named it, and the wallet that the app said would pay for it. NULL
-- where none was named, and for proofs of before.
ALTER TABLE proofs ADD COLUMN app_id TEXT;
ALTER TABLE proofs ADD COLUMN sponsor_wallet TEXT;

-- Lists of one app. Strangers have an index of their own, so that they walk past no private proof. Proofs without an app
-- pay nothing.
CREATE INDEX proofs_by_app ON proofs (account_id, app_id) WHERE app_id IS NOT NULL;
CREATE INDEX proofs_app_listed ON proofs (account_id, app_id) WHERE app_id IS NOT NULL AND visibility = 2;
