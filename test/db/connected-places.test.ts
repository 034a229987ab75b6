/** The migration that records where a grant returns to, and forgets consents of clients on the person's computer. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { migrations } from '../../src/db/migrations.ts'

const family = `INSERT INTO oauth_families (handle, profile, client, account, scope, resource, signed_in_at, created_at,
    expires_at, generation, refresh_ends_at, access_ends_at)
  VALUES (?1, 1, ?2, '0xa', 'svc:core', 'r', 1, 1, 9, 0, 9, 9)`
const consent =
  'INSERT INTO oauth_consents (profile, client, redirect_host, scope, created_at) VALUES (1, ?1, ?2, ?3, 1)'

test('keeps grants and consents of sites, and takes the place of a grant from its only consent', () => {
  const db = new Database(':memory:', { strict: true })
  const at = migrations.findIndex(({ name }) => name === '0029_connected_places')
  for (const { sql } of migrations.slice(0, at)) db.run(sql)
  db.run("INSERT INTO profiles (id, subject, account, did, created_at) VALUES (1, 's', '0xa', 'did:pkh:x', 1)")
  for (const client of ['local', 'site', 'both', 'none']) db.run(family, [client, client])
  for (const [client, place] of [
    ['local', '127.0.0.1'],
    ['site', 'app.example'],
    ['both', 'app.example'],
    ['both', 'localhost'],
    ['ipv6', '[::1]'],
  ])
    db.run(consent, [client!, place!, 'svc:core'])

  db.run(migrations[at]!.sql)
  expect(db.query('SELECT client, redirect_host FROM oauth_families ORDER BY client').values()).toEqual([
    ['both', null],
    ['local', '127.0.0.1'],
    ['none', null],
    ['site', 'app.example'],
  ])
  expect(db.query('SELECT client, redirect_host FROM oauth_consents ORDER BY client').values()).toEqual([
    ['both', 'app.example'],
    ['site', 'app.example'],
  ])
})
