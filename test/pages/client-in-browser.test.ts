/** The client module in a page of another site, under a policy that allows one server and nothing else. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { listen, type TestServer } from '../http/socket.ts'
import vectors from '../vectors/envelopes.json' with { type: 'json' }
import { addEvmWallet } from './browser-wallets.ts'
import { openBrowser, type SharedBrowser } from './chromium.ts'
import { openVisit } from './visit.ts'
import { startSite, strictPolicy } from './widget-stage.ts'

setDefaultTimeout(60_000)

let server: TestServer
let browser: SharedBrowser
beforeAll(async () => {
  server = await listen()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

/** Runs in the browser, as a file of the site. */
const program = (base: string, envelopes: readonly object[]) => `
import { createClient, ethereumSigner, ProofgateError, solanaSigner, verifyEnvelope } from '${base}/client.js'

const client = createClient({ url: '${base}' })
const claimOf = ({ address }, content) => ({ verifierIds: ['ownership-basic'], data: { owner: address, content } })
const base58 = (bytes) => {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  let value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  let text = ''
  for (; value > 0n; value /= 58n) text = alphabet[Number(value % 58n)] + text
  return '1'.repeat(bytes.findIndex((byte) => byte !== 0)) + text
}

async function run() {
  const signer = await ethereumSigner(ethereum)
  const created = await client.prove(signer, claimOf(signer, 'From a page \\u{1f39f}'))
  const changed = { ...created.portableProof, signedTimestamp: created.portableProof.signedTimestamp + 1 }
  const own = await client.proof(created.qHash, { signer })
  const { eligible } = await client.check({ verifierIds: ['ownership-basic'] }, { signer })
  const { alreadyRevoked } = await client.revoke(created.qHash, { signer })
  const after = await client.poll(created.qHash)

  const { publicKey, privateKey } = await crypto.subtle.generateKey('Ed25519', false, ['sign'])
  const address = base58(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)))
  const solana = solanaSigner({
    publicKey: { toString: () => address },
    signMessage: async (message) => new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, message)),
  })
  const second = await client.prove(solana, claimOf(solana, 'From another wallet'))

  const missing = await client.proof('0x' + '0'.repeat(64)).catch((error) => error)
  return {
    seen: own.walletAddress,
    verdicts: [
      (await verifyEnvelope(created.portableProof)).verdict,
      (await verifyEnvelope(changed)).verdict,
      (await verifyEnvelope(second.portableProof)).verdict,
    ],
    published: await Promise.all(
      ${JSON.stringify(envelopes)}.map(async (proof) => (await verifyEnvelope(proof)).verdict),
    ),
    eligible,
    alreadyRevoked,
    status: after.status,
    missing: [missing instanceof ProofgateError, missing.code, missing.status, missing.retryable, typeof missing.requestId],
  }
}
globalThis.outcome = run()
`

test('the whole flow works from another site, within its policy', async () => {
  const envelopes = vectors.flatMap(({ request, did, qHash, signature, signatureMethod }) =>
    signature ? [{ qHash, did, ...request, signature, signatureMethod }] : [],
  )
  const site = startSite(server.url)
  site.serve(
    '/site.js',
    () =>
      new Response(program(server.url, envelopes), { headers: { 'content-type': 'text/javascript;charset=utf-8' } }),
  )
  const visit = await openVisit(browser, server.url, { alsoAt: [site.origin], expectsStatus: [404] })
  const wallet = await addEvmWallet(visit.context, {}, 'legacy')
  await visit.page.goto(
    site.page('', {
      scriptLine: '<script type="module" src="/site.js"></script>',
      policy: strictPolicy(server.url).replace('script-src', "script-src 'self'"),
      // An isolated page loads only resources that allow other origins.
      headers: { 'cross-origin-embedder-policy': 'require-corp', 'cross-origin-opener-policy': 'same-origin' },
    }),
  )

  expect(await visit.page.evaluate('crossOriginIsolated')).toBe(true)
  const outcome = await visit.page.evaluate('outcome')
  expect(outcome).toEqual({
    seen: expect.stringMatching(/^0x[0-9a-f]{40}$/),
    verdicts: ['valid', 'invalid', 'valid'],
    published: envelopes.map(() => 'valid'),
    eligible: true,
    alreadyRevoked: false,
    status: 'revoked',
    missing: [true, 'NOT_FOUND', 404, false, 'string'],
  })
  const signatures = wallet.asked.filter(({ method }) => method === 'personal_sign')
  expect(signatures).toHaveLength(4)
  expect(visit.complaints).toEqual([])
  await visit.context.close()
})
