INSERT INTO hourly_numbers (kind, hour, subject, count) VALUES ('hourly_numbers kind 1', 20455, 'hourly_numbers subject 1', 1);
INSERT INTO hourly_numbers (kind, hour, subject, count) VALUES ('hourly_numbers kind 2', 20456, 'hourly_numbers subject 2', 2);
