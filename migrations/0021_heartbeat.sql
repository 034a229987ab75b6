-- One row, moved in place when nothing else was committed for a while: shows that a write still reaches the disk.
CREATE TABLE heartbeat (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  beaten_at INTEGER NOT NULL
) STRICT;
INSERT INTO heartbeat (id, beaten_at) VALUES (1, 0);
