INSERT INTO operators (account, created_at) VALUES ('0x2682f1afa9e879dcea444d8d93895c4bcbf55076', 1767225600001);
INSERT INTO operators (account, created_at) VALUES ('0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a', 1767225600002);
INSERT INTO operator_link (id, hash, expires_at) VALUES (1, X'bbacab0b1b7963440e1e280a538293ba6f770247431d015e299a659c0fe7dd9c', 4102444800000);
INSERT INTO latencies (slot, surface, run, buckets) VALUES (20455, 'latencies surface 1', 'latencies run 1', '{}');
INSERT INTO latencies (slot, surface, run, buckets) VALUES (20456, 'latencies surface 2', 'latencies run 2', '{}');
