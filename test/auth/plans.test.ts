/** Query plans of sessions and keys: the cost for one person must not grow with the number of others. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Statement, Write } from '../../src/db/db.ts'
import type { Query } from '../../src/db/query.ts'
import { flatMapInOrder } from '../../src/in-order.ts'
import { startApp } from '../app.ts'
import { select } from '../parts/select.ts'
import { onlyOnSqlite } from '../parts/test-database.ts'
import { link } from '../payments/linking.ts'
import { alice, bob } from '../wallets.ts'

setDefaultTimeout(60_000)

const auth = '/api/v1/auth'

test.skipIf(onlyOnSqlite('a query plan of this form'))(
  'sign-ins, identity look-ups and keys never scan a table',
  async () => {
    const app = await startApp()
    await link(app, alice, bob)
    const { db } = app.parts
    const { read, write } = db
    const seen = new Set<string>()
    Object.assign(db, {
      read: ((text: Query<unknown, []>) => {
        seen.add(text)
        return read(text)
      }) as typeof read,
      write: (statements: Write) => {
        for (const { sql } of statements as readonly Statement[]) seen.add(sql)
        return write(statements)
      },
    })

    const { headers } = await app.signIn(alice)
    const { cookie } = await app.signIn(bob)
    const { message } = (await app.post(`${auth}/nonce`, { walletAddress: bob.address })).body.data
    await app.post(`${auth}/verify`, { message, signature: await bob.sign(message) }, { cookie })
    app.wait(3_600_000)
    const { key, keyId } = (await app.post(`${auth}/profile-keys`, { name: 'x' }, headers)).body.data
    await app.get(`${auth}/me`, { authorization: `Bearer ${key}` })
    await app.get(`${auth}/profile-keys`, headers)
    await app.request(`${auth}/profile-keys/${keyId}`, { method: 'DELETE', headers })
    const { sessions } = (await app.get(`${auth}/sessions`, headers)).body.data
    await app.request(`${auth}/sessions/${sessions.at(-1).id}`, { method: 'DELETE', headers })
    await app.post(`${auth}/logout`, {}, (await app.signIn(alice)).headers)
    await app.post(`${auth}/logout-everywhere`, {}, headers)
    await app.request(`${auth}/me`, { method: 'DELETE', headers: (await app.signIn(alice)).headers })
    Object.assign(db, { read, write })

    expect(seen.size).toBeGreaterThan(20)
    const walks = await flatMapInOrder([...seen], async (text) =>
      (await select<{ detail: string }>(db, `EXPLAIN QUERY PLAN ${text.replace(/\?\d+/g, '1')}`).all())
        .filter(({ detail }) => /^SCAN (?!json_each|value|CONSTANT ROW)/.test(detail))
        .map(({ detail }) => `${detail}: ${text}`),
    )
    expect(walks).toEqual([])
  },
)
