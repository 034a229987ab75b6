/** The migration that lets a place be held for a payment by any method. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { migrations } from '../../src/db/migrations.ts'

const insert = `INSERT INTO reservations (gate, wallet, q_hash, version, method, created_at, expires_at, network)
  VALUES (?1, '0xa', zeroblob(32), 3, ?2, 10, 20, 'n')`

test('keeps the places that are held, and takes methods that are new', () => {
  const db = new Database(':memory:', { strict: true })
  const at = migrations.findIndex(({ name }) => name === '0027_reservation_methods')
  for (const { sql } of migrations.slice(0, at)) db.run(sql)
  db.run(insert, [1, 'card'])
  expect(() => db.run(insert, [2, 'voucher'])).toThrow('CHECK')
  const held = db.query('SELECT * FROM reservations').all()

  db.run(migrations[at]!.sql)
  expect(db.query('SELECT * FROM reservations').all()).toEqual(held)
  db.run(insert, [2, 'voucher'])
  expect(db.query('SELECT gate, method FROM reservations').all()).toEqual([
    { gate: 1, method: 'card' },
    { gate: 2, method: 'voucher' },
  ])
})
