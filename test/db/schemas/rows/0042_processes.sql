INSERT INTO live_processes (id, started_at, version, host, beats) VALUES ('live_processes id 1', 1767225600001, 'live_processes version 1', 'live_processes host 1', 1);
INSERT INTO live_processes (id, started_at, version, host, beats) VALUES ('live_processes id 2', 1767225600002, 'live_processes version 2', 'live_processes host 2', 2);
INSERT INTO leases (name, holder, fence, beats) VALUES ('leases name 1', 'leases holder 1', 1, 1);
INSERT INTO leases (name, holder, fence, beats) VALUES ('leases name 2', 'leases holder 2', 2, 2);
