/** A key, an app or a link that ends while its request is under way leaves nothing behind. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Statement, WritePurpose } from '../../src/db/db.ts'
import { mapInOrder } from '../../src/in-order.ts'
import { expectRefused } from '../http/refused.ts'
import { select } from '../parts/select.ts'
import { link } from '../payments/linking.ts'
import { alice, bob, mallory } from '../wallets.ts'
import { startSources, type TestApp } from './sources.ts'

setDefaultTimeout(60_000)

/** Runs a statement, with the present time first, just before the write that holds `text`. */
function interruptWrite(app: TestApp, text: string, sql: string, ...params: string[]): void {
  const { db } = app.parts
  const { write } = db
  Object.assign(db, {
    write: async (statements: readonly Statement[], purpose?: WritePurpose) => {
      if (statements.some((one) => one.sql.includes(text))) await write([{ sql, params: [app.now(), ...params] }])
      return write(statements, purpose)
    },
  })
}

const countRows = ({ parts }: TestApp, ...tables: string[]): Promise<(number | undefined)[]> =>
  mapInOrder(
    tables,
    async (table) => (await select<{ n: number }>(parts.db, `SELECT count(*) AS n FROM ${table}`).get())?.n,
  )

test.each([
  ['a delegation', 'INTO proofs'],
  ['an access grant', 'INTO access_grants'],
])('an access key that is revoked while it makes %s leaves no data behind', async (_, written) => {
  const { newKey, keyOf, delegate, share, prove, app } = await startSources()
  const proof = await prove(alice, { privacyLevel: 'private' })
  const { key, keyId } = await newKey()
  interruptWrite(app, written, 'UPDATE access_keys SET revoked_at = ?1 WHERE key_id = ?2', keyId)
  const answer = await (written === 'INTO proofs' ? delegate(keyOf(key), alice, bob) : share(keyOf(key), proof, bob))
  expectRefused(answer, 'WALLET_AUTH_REQUIRED', /revoked/)
  expect(await countRows(app, 'proofs', 'proof_sources', 'access_grants')).toEqual([1, 0, 0])
})

test('an app that is disconnected while it makes a delegation leaves no data behind', async () => {
  const { app, connect, mcp } = await startSources()
  const { access_token } = await connect()
  interruptWrite(app, 'INTO proofs', 'UPDATE oauth_families SET revoked_at = ?1')
  const { data } = await mcp.tool(access_token, 'svc_verify', {
    verifierIds: ['agent-delegation'],
    data: { controllerWallet: alice.address, agentWallet: bob.address },
  })
  expect(data.error).toMatchObject({ code: 'WALLET_AUTH_REQUIRED', message: expect.stringContaining('revoked') })
  expect(await countRows(app, 'proofs', 'proof_sources')).toEqual([0, 0])
})

test.each([
  ['a delegation', 'INTO proofs'],
  ['an access grant', 'INTO access_grants'],
])('a wallet that is unlinked while its session makes %s leaves no data behind', async (_, written) => {
  const { app, delegate, share, prove, signIn } = await startSources()
  const linked = await link(app, alice, bob)
  const proof = await prove(alice, { privacyLevel: 'private' })
  const { headers } = await signIn(bob)
  interruptWrite(app, written, 'UPDATE proofs SET revoked_at = ?1 WHERE q_hash = unhex(?2)', linked.slice(2))
  const answer = await (written === 'INTO proofs' ? delegate(headers, alice, mallory) : share(headers, proof, mallory))
  expectRefused(answer, 'WALLET_AUTH_REQUIRED', /unlinked/)
  expect(await countRows(app, 'proofs', 'proof_sources', 'access_grants')).toEqual([2, 0, 0])
})
