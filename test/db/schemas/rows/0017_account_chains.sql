INSERT INTO wallet_links (wallet, other, proof_id, chain) VALUES ('0x77de68daecd823babbb58edb1c8e14d7106e83bb', '0x77de68daecd823babbb58edb1c8e14d7106e83bb', 3, 'eip155:1');
