import { Database } from 'bun:sqlite'
import { createApp } from './hono-viem.mjs'
import { findSql, insertSql, schema } from './proof.mjs'

// Peer (c): Hono, viem, bun:sqlite, on Bun.

const db = new Database(`${process.env.DATA}/peer.db`, { create: true })
db.run('PRAGMA journal_mode = WAL')
db.run('PRAGMA synchronous = FULL')
db.run(schema)

const app = createApp(db.prepare(findSql), db.prepare(insertSql))
Bun.serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
