/** Two people with every kind of data, who also deal with each other. */
import type { SignedInBrowser, TestApp } from '../app.ts'
import { apply, definitionOf } from '../gates/gate.ts'
import { linkWallets } from '../wallet-link.ts'
import type { TestWallet } from '../wallets.ts'

export interface Planted {
  readonly wallet: TestWallet
  readonly browser: SignedInBrowser
  readonly gateId: string
  readonly qHashes: readonly string[]
}

export const writeAddress = ({ address }: TestWallet): string =>
  address.startsWith('0x') ? address.toLowerCase() : address

/** A text that stands in everything that this person wrote. */
export const writeMark = ({ address }: TestWallet): string => `words of ${address.slice(2, 10)}`

async function expectDone(answer: Promise<{ status: number; body: unknown }>): Promise<void> {
  const { status, body } = await answer
  if (status !== 200) throw new Error(JSON.stringify(body))
}

/** What a person makes over HTTP. `second` is linked to the first; `viewer` reads a proof. */
export async function plantPerson(
  app: TestApp,
  wallet: TestWallet,
  { second, viewer }: { readonly second: TestWallet; readonly viewer: TestWallet },
): Promise<Planted> {
  const mark = writeMark(wallet)
  const kept = { storeOriginalContent: true, meta: { title: mark } }
  const qHashes = [
    await app.prove(wallet, { ...kept, privacyLevel: 'public', publicDisplay: true }, { content: mark }),
    await app.prove(wallet, kept, { content: `private ${mark}` }),
    await app.prove(second, { meta: { title: mark } }),
    await linkWallets(app, wallet, second),
  ]
  const browser = await app.signIn(wallet)
  const { headers } = browser
  await expectDone(
    app.post(`/api/v1/profile/share-links/${qHashes[1]}`, { expiresAt: app.now() + 3_600_000, label: mark }, headers),
  )
  await expectDone(app.post('/api/v1/auth/profile-keys', { name: mark, scopes: ['core'] }, headers))
  await expectDone(
    app.post(
      '/api/v1/profile/secrets',
      { alias: mark.replaceAll(' ', '_').toUpperCase(), content: `secret ${mark}` },
      headers,
    ),
  )
  await expectDone(app.post('/api/v1/profile/labels', { account: second.address, label: mark }, headers))
  const terms = { qHash: qHashes[1], viewerWallet: viewer.address }
  const { walletAddress, ...signed } = await app.ownerBody(wallet, { action: 'grant_proof_access', ...terms })
  await expectDone(app.post('/api/v1/verification/access/grant', { ...terms, ownerWallet: walletAddress, ...signed }))
  const gateId = `gate_${wallet.address.slice(2, 10).toLowerCase()}`
  const rewards = [{ kind: 'reveal', value: `reward ${mark}`, label: mark }]
  await expectDone(apply(app, definitionOf({ gateId, name: mark, rewards }), { wallet }))
  return { wallet, browser, gateId, qHashes }
}

/** What is made by payments, clients, chains and operators: rows as the server writes them. */
export async function plantRows(app: TestApp, { wallet, gateId, qHashes }: Planted, seller: Planted): Promise<void> {
  const own = writeAddress(wallet)
  const mark = writeMark(wallet)
  const digest = new Bun.CryptoHasher('sha256').update(mark).digest('hex')
  const gate = '(SELECT id FROM gates WHERE gate_id = ?1)'
  const profile = '(SELECT id FROM profiles WHERE account = ?2)'
  const proof = `(SELECT id FROM proofs WHERE q_hash = unhex('${qHashes[0]!.slice(2)}'))`
  const insert = (sql: string, at = gateId) => ({ sql, params: [at, own, mark] })
  const use = "?1 = '' AND ?2 = '' AND ?3 = ''"
  await app.parts.db.write([
    insert(`INSERT INTO gate_appearances (gate, wallet, seller, created_at) SELECT ${gate}, ?2, ?3, 1`),
    insert(
      `INSERT INTO guest_passes (pass, gate, wallet, created_at) SELECT unhex('${digest}'), ${gate}, ?2, 1 WHERE NOT (?3 = '')`,
      seller.gateId,
    ),
    insert(
      `INSERT INTO payments (identity, method, gate, q_hash, state, payer, amount, details, claimed_at, updated_at)
       SELECT 'card:' || ?3, 'card', ${gate}, unhex('${qHashes[0]!.slice(2)}'), 'final', ?2, '499', '{}', 1, 1`,
      seller.gateId,
    ),
    insert(
      `INSERT INTO fulfillments (gate, q_hash, wallet, version, receipt_id, payment, state, created_at, updated_at, owner, usd_micros)
       SELECT ${gate}, unhex('${qHashes[0]!.slice(2)}'), ?2, 1, ?3, (SELECT id FROM payments WHERE identity = 'card:' || ?3),
         'granted', 1, 1, (SELECT owner FROM gates WHERE gate_id = ?1), 4990000`,
      seller.gateId,
    ),
    insert(
      `INSERT INTO unmatched_payments (identity, method, gate, owner, q_hash, wallet, payer, amount, details, reason, state, created_at, updated_at)
       SELECT 'owed:' || ?3, 'card', ${gate}, (SELECT owner FROM gates WHERE gate_id = ?1), unhex('${qHashes[0]!.slice(2)}'), ?2, ?2,
         '499', '{}', 'GATE_SOLD_OUT', 'owed', 1, 1`,
      seller.gateId,
    ),
    insert(
      `INSERT INTO oauth_consents (profile, client, redirect_host, scope, created_at) SELECT ${profile}, ?3, 'localhost', 'proofs:read', 1 WHERE ?1 <> ''`,
    ),
    insert(
      `INSERT INTO oauth_families (handle, profile, client, account, scope, resource, signed_in_at, created_at, expires_at, generation, refresh_ends_at, access_ends_at)
       SELECT ?3, ${profile}, ?3, ?2, 'proofs:read', 'mcp', 1, 1, 1, 1, 1, 1 WHERE ?1 <> ''`,
    ),
    insert(
      `INSERT INTO publications (proof_id, chain_id, action, state, asked_at, finished_at, reason) SELECT ${proof}, 8453, 'timestamp', 'failed', 1, 1, ?3 WHERE ?1 <> ?2`,
    ),
    insert(
      `INSERT INTO proof_sources (proof_id, verifier, kind, source_id) SELECT ${proof}, 'agent-identity', 'session', ?3 WHERE ?1 <> ?2`,
    ),
    insert(`INSERT INTO operators (account, created_at) SELECT ?2, 1 WHERE NOT (${use})`),
    insert(
      `INSERT INTO gate_guests (gate, wallet, chain, added_at) SELECT ${gate}, '0x' || substr('${digest}', 1, 40), '', 1 WHERE ?2 <> ?3`,
    ),
    insert(`UPDATE gates SET guest_count = guest_count + 1 WHERE gate_id = ?1 AND NOT (${use})`),
    insert(
      `UPDATE gates SET fulfilled_count = 1, paid_count = 1, paid_usd_micros = 4990000 WHERE gate_id = ?1 AND NOT (${use})`,
      seller.gateId,
    ),
  ])
}
