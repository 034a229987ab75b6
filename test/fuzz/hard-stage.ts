/** The real app over a store that makes requests expensive, with the names, credentials and cases that attacks need. */
import { createApp } from '../../src/app.ts'
import { startApp } from '../app.ts'
import { insertOldSummaries } from '../bench/worst-store.ts'
import { mcpOf } from '../mcp/mcp.ts'
import { writeManyProofs } from '../pages/many-proofs.ts'
import { alice, bob } from '../wallets.ts'
import type { HardRequest, Route, Samples } from './hard-request.ts'
import { hardText } from './hard-text.ts'
import { listShapedRoutes } from './shaped-routes.ts'

const lower = (wallet: { readonly address: string }): string => wallet.address.toLowerCase()

/** A text as long as a condition's value may be; the case changes with every letter. */
export const longText = hardText('changing case', 2_048)

const textProofs = 49
const manyProofs = 3_000

/** Requests that end the session which the others use. */
const endsSession = new Set([
  'POST /api/v1/auth/logout',
  'POST /api/v1/auth/logout-everywhere',
  'DELETE /api/v1/auth/me',
  'POST /api/v1/proofs/erase-all',
])

export const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`

/** Conditions agree with every proof of Bob, but for the last. */
const textGate = (gateId: string) => ({
  gateId,
  name: 'Texts',
  requirements: Array.from({ length: 32 }, (_, at) => ({
    id: `r${at + 1}`,
    verifierId: 'ownership-basic',
    match: Array.from({ length: 7 }, (_, each) => ({
      path: 'reference.id',
      op: 'eq',
      value: each < 6 ? longText : `${longText.slice(0, -1)}${at % 10}`,
    })),
  })),
})

const countGate = (gateId: string) => ({
  gateId,
  name: 'Counts',
  requirements: Array.from({ length: 32 }, (_, at) => ({
    id: `r${at}`,
    verifierId: 'ownership-basic',
    minCount: 1_000,
  })),
})

export type HardStage = Awaited<ReturnType<typeof openHardStage>>

export async function openHardStage() {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_OPERATOR_WALLETS: alice.address })
  const api = createApp(app.parts)
  await writeManyProofs(app.parts, { wallet: alice.address, count: manyProofs, newestAt: app.now() - 1_000 })
  const qHash = await app.prove(alice, { privacyLevel: 'public' })
  for (let at = 0; at < textProofs; at++)
    await app.prove(
      bob,
      { privacyLevel: 'public' },
      { reference: { type: 'other', id: longText, title: longText.slice(0, 200) } },
    )
  const { db } = app.parts
  // These gates bypass the API: they may have been published before their size was bounded.
  const gates = [textGate('gate_texts'), countGate('gate_counts')]
  for (let at = 0; at < 8; at++)
    gates.push({
      ...textGate(`gate_listed_${at}`),
      listing: { label: 'Listed' },
      policy: { visibility: 'public' },
    } as never)
  for (const definition of gates)
    await db.write([
      {
        sql: `INSERT INTO gates (gate_id, owner, status, is_listed, version, created_at, updated_at)
              VALUES (?1, ?2, 'active', ?3, 1, 0, 0)`,
        params: [definition.gateId, lower(alice), 'listing' in definition ? 1 : 0],
      },
      {
        sql: `INSERT INTO gate_versions (gate, version, definition, author, created_at)
              SELECT id, 1, ?2, owner, 0 FROM gates WHERE gate_id = ?1`,
        params: [definition.gateId, JSON.stringify(definition)],
      },
    ])
  await db.write([{ sql: insertOldSummaries, params: [] }])
  const { headers } = await app.signIn(alice)
  const token = await mcpOf(app).tokenOf(alice)
  // The first question for the signing keys makes one.
  await app.get('/.well-known/jwks.json')

  const samples = (route: Route): Samples => ({
    texts: [
      'gate_texts',
      'eip155:84532',
      'key_0123456789abcdef',
      '0123456789abcdef',
      lower(alice),
      'a.b',
      'a',
      '#aabbcc',
      'x'.repeat(43),
    ],
    named: {
      qHash: /revoke-self/.test(route.path) ? `0x${'ab'.repeat(32)}` : qHash,
      address: lower(alice),
      walletAddress: lower(alice),
      ownerWallet: lower(alice),
      wallet: lower(bob),
      gateId: /DELETE|status|rollback/.test(nameOf(route)) ? 'gate_none' : 'gate_texts',
      verifierIds: ['ownership-basic'],
      signature: `0x${'11'.repeat(64)}1b`,
      signedTimestamp: app.now(),
      provider: 'github',
      ...(route.path.includes(':version') ? { version: '1' } : {}),
    },
  })
  return {
    app,
    routes: listShapedRoutes(app.parts),
    samples,
    /** Credentials of Alice that a request to the route may carry. */
    credentials: (route: Pick<Route, 'method' | 'path'>): Record<string, string> => {
      if (endsSession.has(nameOf(route))) return {}
      return route.path === '/mcp' ? { authorization: `Bearer ${token}` } : headers
    },
    /** Bytes of the answer. */
    send: async ({ method, path, headers: sent, body }: HardRequest): Promise<{ status: number; bytes: number }> => {
      const init = { method, headers: sent, ...(body === undefined ? {} : { body }) }
      const answer = await api.handle(new Request(`http://localhost${path}`, init))
      return { status: answer.status, bytes: (await answer.arrayBuffer()).byteLength }
    },
  }
}
