INSERT INTO gate_summaries (gate, version, definition_bytes, bytes, name, summary) VALUES (2, 1, 208, 278, 'Holders', '{}');
