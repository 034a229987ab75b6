/** How soon a server of the database is found again. */
import { expect, test } from 'bun:test'
import { createServer } from 'node:net'
import { SQL } from 'bun'
import { openPool } from '../../../src/db/postgres/pool.ts'
import { freePort } from '../../parts/free-port.ts'
import { startPostgres } from '../../parts/postgres.ts'

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
    if (tries.length === 32) enough.resolve()
  }).listen(port, '127.0.0.1')
  const login = { database: 'd', user: 'u', password: undefined, tls: false } as const
  const pool = openPool({ servers: [{ host: '127.0.0.1', port }], login, connections: 3 })
  await enough.promise
  await pool.close()
  server.close()
  // Of the last pauses, when they are longest: a busy machine makes some of them longer, and not all.
  const pauses = tries.slice(-24).map((at, index, all) => at - (all[index - 1] ?? 0))
  expect(Math.min(...pauses.slice(1))).toBeLessThan(500)
})

test('a server that begins to take writes is found while another one hangs', async () => {
  const postgres = await startPostgres({ version: 15 })
  const database = new URL(await postgres.createEmptyDatabase()).pathname.slice(1)
  const admin = new SQL({ url: postgres.url, max: 1 })
  await admin.unsafe(`ALTER DATABASE ${database} SET default_transaction_read_only = on`)
  const events: string[] = []
  const isAsked = Promise.withResolvers<void>()
  const port = await freePort()
  const hanging = createServer((socket) => {
    socket.on('error', () => {})
    events.push('asked')
    isAsked.resolve()
  }).listen(port, '127.0.0.1')

  const login = { database, user: 'proofgate', password: undefined, tls: false } as const
  const servers = [port, postgres.port].map((one) => ({ host: '127.0.0.1', port: one }))
  const isFound = Promise.withResolvers<void>()
  const found = (): void => {
    events.push('found')
    isFound.resolve()
  }
  const pool = openPool({ servers, login, connections: 3, events: { found } })
  await isAsked.promise
  // The other one has said by then that it takes no writes.
  await Bun.sleep(300)
  await admin.unsafe(`ALTER DATABASE ${database} RESET default_transaction_read_only`)
  await isFound.promise
  // The one that hangs was not given up meanwhile, and asked again.
  expect(events).toEqual(['asked', 'found'])
  await pool.close()
  hanging.close()
  await admin.close()
})
