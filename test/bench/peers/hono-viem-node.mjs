import { serve } from '@hono/node-server'
import Database from 'better-sqlite3'
import { createApp } from './hono-viem.mjs'
import { findSql, insertSql, schema } from './proof.mjs'

// Peer (b): Hono, viem, better-sqlite3, on Node.

const db = new Database(`${process.env.DATA}/peer.db`)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.exec(schema)

const app = createApp(db.prepare(findSql), db.prepare(insertSql))
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
