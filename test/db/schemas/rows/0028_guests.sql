INSERT INTO gates (id, gate_id, owner, status, is_listed, version, created_at, updated_at, paid_count, paid_usd_micros) VALUES (3, 'gates gate_id 3', '0x2682f1afa9e879dcea444d8d93895c4bcbf55076', 'deleted', 0, 1, 1767225600003, 1767225600003, 0, 0);
INSERT INTO gate_guests (gate, wallet, chain, added_at) VALUES (1, '0x2682f1afa9e879dcea444d8d93895c4bcbf55076', 'eip155:1', 1767225600001);
INSERT INTO gate_guests (gate, wallet, chain, added_at) VALUES (2, '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a', 'eip155:1', 1767225600002);
INSERT INTO guest_passes (pass, gate, wallet, created_at) VALUES (X'0efa6c45b5212819d8af3b38771f54cbc7a8572f75cc02e3f9aec7d5db916151', 1, '0x2682f1afa9e879dcea444d8d93895c4bcbf55076', 1767225600001);
INSERT INTO guest_passes (pass, gate, wallet, created_at) VALUES (X'ca099e9d4c72fc53345dcb0b5c0f40b7060120c918e2eab229aea6492521870b', 2, '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a', 1767225600002);
