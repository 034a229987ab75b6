-- What servers on one database compare of their settings: src/processes/settings-mark.ts.
ALTER TABLE live_processes ADD COLUMN settings TEXT;
