INSERT INTO record_summaries (proof_id, summary) VALUES (1, '{}');
INSERT INTO record_summaries (proof_id, summary) VALUES (2, '{}');
