INSERT INTO clock (id, steady_at, wall_at) VALUES (1, 1767225600001, 1767225600001);
INSERT INTO clock_jumps (id, at, size_ms) VALUES (1, 1767225600001, 1);
INSERT INTO clock_jumps (id, at, size_ms) VALUES (2, 1767225600002, 2);
INSERT INTO forgotten_hours (day, hours) VALUES (20455, 1);
INSERT INTO forgotten_hours (day, hours) VALUES (20456, 2);
