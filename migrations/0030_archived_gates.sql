-- When the owner put a gate out of the default list (Unix milliseconds). NULL: it is in the list. It changes nothing else.
ALTER TABLE gates ADD COLUMN archived_at INTEGER;
