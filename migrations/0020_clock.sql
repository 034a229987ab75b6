-- What is known of the clock from one run to the next, and which signed texts are no longer known. Meanings stand with the
-- columns in src/db/schema.ts.
CREATE TABLE clock (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  steady_at INTEGER NOT NULL,
  wall_at INTEGER NOT NULL
) STRICT;

CREATE TABLE clock_jumps (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  size_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE forgotten_hours (
  day INTEGER PRIMARY KEY,
  hours INTEGER NOT NULL
) STRICT;
