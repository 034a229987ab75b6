-- Only PostgreSQL is told how many rows to expect: SQLite's plans are fixed by the statements.
SELECT 1;
