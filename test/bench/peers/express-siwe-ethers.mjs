import Database from 'better-sqlite3'
import { getAddress, isHexString, id as keccakOfText } from 'ethers'
import express from 'express'
import { SiweMessage } from 'siwe'
import { findSql, insertSql, newRecord, proofId, schema, success } from './proof.mjs'

// Peer (a): Express, siwe (which verifies with ethers), better-sqlite3, on Node. The wallet signs an EIP-4361 message.
// Its request id is the id of the proof, so that the signature covers the data beside the message.

const domain = 'bench.example'

const db = new Database(`${process.env.DATA}/peer.db`)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.exec(schema)
const find = db.prepare(findSql)
const insert = db.prepare(insertSql)

const app = express()
app.disable('x-powered-by')
app.disable('etag')
app.use(express.json())

app.post('/api/v1/verification', async (request, response) => {
  const { message, signature, verifierIds, data, signedTimestamp } = request.body ?? {}
  if (typeof message !== 'string' || !isHexString(signature, 65) || typeof data?.content !== 'string')
    return response.status(400).json({ success: false, error: { code: 'INVALID_REQUEST' } })

  let siwe
  try {
    siwe = new SiweMessage(message)
  } catch {
    return response.status(400).json({ success: false, error: { code: 'INVALID_MESSAGE' } })
  }
  const verdict = await siwe.verify({ signature, domain }, { suppressExceptions: true })
  const claim = { wallet: siwe.address, chainId: siwe.chainId, data, signedTimestamp, verifierIds }
  const id = proofId(claim)
  if (!verdict.success || siwe.requestId !== id || getAddress(data.owner) !== siwe.address)
    return response.status(401).json({ success: false, error: { code: 'SIGNATURE_INVALID' } })

  const existing = find.get(id)
  const record = existing ? JSON.parse(existing.record) : newRecord(id, claim, keccakOfText(data.content))
  if (!existing) insert.run(id, record.walletAddress, record.createdAt, record.status, JSON.stringify(record))
  response.json(success(record, { qHash: id, message, signature, verifierIds, data, signedTimestamp }))
})

app.listen(Number(process.env.PORT), '127.0.0.1')
