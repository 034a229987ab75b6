/** The migration that gives labels of short names their chain, and lets the sweep look at all passes. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { migrations } from '../../src/db/migrations.ts'

test('names short names with the chain that they mean, and changes no other label', () => {
  const db = new Database(':memory:', { strict: true })
  const at = migrations.findIndex(({ name }) => name === '0037_withdrawn_passes')
  for (const { sql } of migrations.slice(0, at)) db.run(sql)
  db.run("INSERT INTO profiles (id, subject, account, did, created_at) VALUES (1, 's', '0xa', 'did:pkh:x', 1)")
  const evm = `0x${'ab'.repeat(20)}`
  const others = ['alice.near', evm, `eip155:8453:${evm}`, `ed25519:${'A'.repeat(32)}`, '1'.repeat(32)]
  for (const account of ['bob', 'a-b_9', ...others])
    db.run("INSERT INTO wallet_labels (profile, account, wallet, label, created_at) VALUES (1, ?1, '0xa', 'x', 1)", [
      account,
    ])
  db.run(migrations[at]!.sql)
  expect(db.query('SELECT account FROM wallet_labels').values().flat().sort()).toEqual(
    ['near:mainnet:a-b_9', 'near:mainnet:bob', ...others].sort(),
  )
})
