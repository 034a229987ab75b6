INSERT INTO taken_away (id, at, kind, thing, detail) VALUES (1, 1767225600001, 'taken_away kind 1', 'taken_away thing 1', '{}');
INSERT INTO taken_away (id, at, kind, thing, detail) VALUES (2, 1767225600002, 'taken_away kind 2', 'taken_away thing 2', '{}');
INSERT INTO restores (id, restored_at, backup_id, backup_at, journal, known_until) VALUES (1, 1767225600001, 'restores backup_id 1', 1767225600001, 'replayed', 1);
INSERT INTO restores (id, restored_at, backup_id, backup_at, journal, known_until) VALUES (2, 1767225600002, 'restores backup_id 2', 1767225600002, 'gone', 2);
