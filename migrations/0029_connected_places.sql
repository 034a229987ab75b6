-- The host or program that a grant was given to, so that connected apps show it without a remembered consent. NULL for
-- grants of before, where several were possible.
ALTER TABLE oauth_families ADD COLUMN redirect_host TEXT;
UPDATE oauth_families SET redirect_host = (
  SELECT min(redirect_host) FROM oauth_consents o
  WHERE o.profile = oauth_families.profile AND o.client = oauth_families.client HAVING count(*) = 1);

-- Any program on the person's computer can ask in the name of a client that listens there: it is asked about every time.
DELETE FROM oauth_consents WHERE redirect_host IN ('127.0.0.1', 'localhost', '[::1]');
