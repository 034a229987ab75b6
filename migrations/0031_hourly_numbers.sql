-- The numbers of the last two days by the hour, for the charts of one day. As daily_numbers: counted, nothing personal.
CREATE TABLE hourly_numbers (
  kind TEXT NOT NULL,
  hour INTEGER NOT NULL,
  subject TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (kind, hour, subject)
) STRICT, WITHOUT ROWID;
