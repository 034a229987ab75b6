-- Whoever paid for somebody else finds the money that bought nothing.
CREATE INDEX unmatched_by_payer ON unmatched_payments (payer) WHERE payer IS NOT NULL;
