/** How soon a server of the database is found again. */
import { expect, test } from 'bun:test'
import { createServer } from 'node:net'
import { openPool } from '../../../src/db/postgres/pool.ts'
import { freePort } from '../../parts/free-port.ts'

/** As a server answers that is about to start (57P03). */
function writeRefusal(): Buffer {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0')
  const head = Buffer.alloc(5, 'E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

test('a server that is away is tried several times a second, however long it is away', async () => {
  const port = await freePort()
  const tries: number[] = []
  const enough = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    socket.on('error', () => {}).end(writeRefusal())
    tries.push(performance.now())
    if (tries.length === 16) enough.resolve()
  }).listen(port, '127.0.0.1')
  const login = { database: 'd', user: 'u', password: undefined, tls: false } as const
  const pool = openPool({ servers: [{ host: '127.0.0.1', port }], login, connections: 3 })
  await enough.promise
  await pool.close()
  server.close()
  // Of the last pauses, when they are longest: a busy machine makes some of them longer, and not all.
  const pauses = tries.slice(-8).map((at, index, all) => at - (all[index - 1] ?? 0))
  expect(Math.min(...pauses.slice(1))).toBeLessThan(500)
})
