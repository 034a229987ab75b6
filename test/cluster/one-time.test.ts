/** Each thing that is given once, wanted by many at the same moment through three servers on one database: one gets it. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SQL } from 'bun'
import { encodeFunctionData, parseAbi } from 'viem'
import { startApp } from '../app.ts'
import { putGate } from '../gates/fulfill-stage.ts'
import { digestOf } from '../gates/gate.ts'
import { authorizeParameters, codeVerifier } from '../oauth/flow.ts'
import { personAt } from '../oauth/person.ts'
import { type Anvil, startAnvil } from '../parts/anvil.ts'
import { deploy } from '../parts/contracts/contracts.ts'
import { claimSigned, makeFastWalletAt, ownerSigned, type Signer } from '../parts/fast-wallet.ts'
import { freePort } from '../parts/free-port.ts'
import { startPostgres } from '../parts/postgres.ts'
import { alice } from '../wallets.ts'
import { type Answer, post, runAll, send } from './client.ts'
import { findBrokenRules, openSql } from './cluster.ts'
import { choose } from './long.ts'
import { masterKey, type Proofgate, startProofgate } from './proofgate.ts'

setDefaultTimeout(choose(180_000, 1_800_000))

const racers = choose(60, 1_000)
const recipient = `0x${'ab'.repeat(20)}` as const
/** What access tokens are for: all servers say the same, so it is none of their own addresses. */
const baseUrl = 'https://proofs.example'

let anvil: Anvil
let token: Awaited<ReturnType<typeof deploy>>
let folder: string
let database: string
let servers: readonly Proofgate[]
let sql: SQL

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453, timestamp: Math.floor(Date.now() / 1000) })
  token = await deploy(anvil, 'Erc20', [6])
  folder = mkdtempSync(join(tmpdir(), 'proofgate-once-'))
  const config = [
    '[chains.base]',
    'chain = "eip155:8453"',
    `rpc = ["${anvil.url}"]`,
    '[payments.stablecoin.usdc]',
    'chain = "eip155:8453"',
    `token = "${token.address}"`,
    'confirmations = 1',
  ]
  writeFileSync(join(folder, 'proofgate.toml'), config.join('\n'))
  database = await (await startPostgres({ version: 15 })).createDatabase()
  const env = { PROOFGATE_BASE_URL: baseUrl, PROOFGATE_PAGES_HANDOVER_SITES: 'https://site.example' }
  const start = async (): Promise<Proofgate> => startProofgate({ database, folder, port: await freePort(), env })
  servers = await Promise.all([start(), start(), start()])
  sql = openSql(database)
})
afterAll(async () => {
  expect(await findBrokenRules(database)).toEqual({})
  await sql.close()
  for (const server of servers) await server.stop()
  await anvil.stop()
  rmSync(folder, { recursive: true, force: true })
})

const url = (index = 0): string => servers[index % servers.length]!.url
/** All at once, in turn through the servers. */
const race = (one: (url: string, index: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: racers }, (_, index) => one(url(index), index)))
const count = async (from: string): Promise<number> =>
  Number((await sql.unsafe(`SELECT count(*)::integer AS n FROM ${from}`))[0].n)
/** How often each answer came. */
const tally = (answers: readonly Answer[]): Record<string, number> => {
  const tallied: Record<string, number> = {}
  for (const { status, body } of answers) {
    const said = `${status} ${body?.error?.code ?? body?.error ?? ''}`.trim()
    tallied[said] = (tallied[said] ?? 0) + 1
  }
  return tallied
}
const one = (refusal: string) => ({ 200: 1, [refusal]: racers - 1 })

async function prove(wallet: Signer, content: string, at = url()): Promise<string> {
  const { body } = await post(
    at,
    '/api/v1/verification',
    await claimSigned(wallet, { data: { owner: wallet.address, content } }),
  )
  return body.data.qHash
}

async function putGates(gates: readonly Parameters<typeof putGate>[1][]): Promise<void> {
  const app = await startApp(
    { PROOFGATE_DATABASE_URL: database, PROOFGATE_MASTER_KEY: masterKey },
    undefined,
    Date.now(),
  )
  for (const gate of gates) await putGate(app.parts, gate)
  await app.close()
}

async function signIn(wallet: Signer): Promise<Record<string, string>> {
  const chain = 'chain' in wallet.context ? wallet.context : {}
  const prepared = await post(url(), '/api/v1/auth/nonce', { walletAddress: wallet.address, ...chain })
  const { message } = prepared.body.data
  const { cookie, csrf } = await verify(message, await wallet.sign(message))
  return { cookie, 'x-csrf-token': csrf }
}

async function verify(message: string, signature: string): Promise<{ cookie: string; csrf: string }> {
  const response = await fetch(`${url()}/api/v1/auth/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message, signature }),
  })
  const { data } = (await response.json()) as { data: { csrfToken: string } }
  return { cookie: response.headers.get('set-cookie')!.split(';', 1)[0]!, csrf: data.csrfToken }
}

describe(`${racers} at once`, () => {
  test('get the last place of a gate: one of them', async () => {
    await putGates([{ gateId: 'last', supply: 1 }])
    const wallets = Array.from({ length: racers }, (_, index) => makeFastWalletAt(index))
    const proofs: string[] = []
    await runAll(wallets, 16, async (wallet, index) => {
      proofs[index] = await prove(wallet, 'mine', url(index))
    })
    const answers = await race((at, index) =>
      post(at, '/api/v1/profile/gates/last/fulfill', async () => {
        const qHash = proofs[index]!
        return { qHash, ...(await ownerSigned(wallets[index]!, { action: 'fulfill_gate', gateId: 'last', qHash })) }
      }),
    )
    expect(tally(answers)).toEqual(one('409 GATE_SOLD_OUT'))
    expect([...(await sql.unsafe("SELECT fulfilled_count::integer AS n FROM gates WHERE gate_id = 'last'"))]).toEqual([
      { n: 1 },
    ])
    expect(await count("fulfillments f JOIN gates g ON g.id = f.gate WHERE g.gate_id = 'last'")).toBe(1)
  })

  test('get a reward for one payment: one of them', async () => {
    const side = Math.ceil(Math.sqrt(racers))
    const gateIds = Array.from({ length: side }, (_, number) => `paid-${number}`)
    const price = { amountUsd: '4.99', methods: ['stablecoin' as const], recipient }
    await putGates(gateIds.map((gateId) => ({ gateId, price, rewards: [{ kind: 'reveal' as const, value: 'plugh' }] })))
    await anvil.rpc('anvil_impersonateAccount', [alice.address])
    await anvil.rpc('anvil_setBalance', [alice.address, '0x56bc75e2d63100000'])
    await token.write('mint', [alice.address, 4_990_000n])
    const transfer = parseAbi(['function transfer(address to, uint256 amount)'])
    const data = encodeFunctionData({ abi: transfer, functionName: 'transfer', args: [recipient, 4_990_000n] })
    const paymentTxHash = String(
      await anvil.rpc('eth_sendTransaction', [{ from: alice.address, to: token.address, data }]),
    )
    await anvil.rpc('anvil_mine', ['0x2'])
    const payer: Signer = { address: alice.address, context: { chainId: 84532 }, sign: alice.sign }
    const proofs = await Promise.all(gateIds.map((_, number) => prove(payer, `paid ${number}`, url(number))))
    const pairs = gateIds.flatMap((gateId) => proofs.map((qHash) => ({ gateId, qHash }))).slice(0, racers)
    const answers = await race((at, index) => {
      const { gateId, qHash } = pairs[index]!
      return post(at, `/api/v1/profile/gates/${gateId}/fulfill`, async () => {
        const signed = await ownerSigned(payer, { action: 'fulfill_gate', gateId, qHash })
        return { qHash, paymentTxHash, ...signed }
      })
    })
    expect(tally(answers)).toEqual(one('409 PAYMENT_ALREADY_USED'))
    expect([await count('payments'), await count('unmatched_payments')]).toEqual([1, 0])
    expect(await count('fulfillments WHERE payment IS NOT NULL')).toBe(1)
  })

  test('send one signed claim: all get its proof, which is made once', async () => {
    const wallet = makeFastWalletAt(2_000_000)
    const before = await count('proofs')
    const body = await claimSigned(wallet, { data: { owner: wallet.address, content: 'the same' } })
    const answers = await race((at) => post(at, '/api/v1/verification', body))
    expect(tally(answers)).toEqual({ 200: racers })
    expect(new Set(answers.map((answer) => answer.body.data.qHash)).size).toBe(1)
    expect(await count('proofs')).toBe(before + 1)
  })

  test('send one signed revocation: it happens once', async () => {
    const wallet = makeFastWalletAt(2_000_001)
    const qHash = await prove(wallet, 'to revoke')
    const before = await count('taken_away')
    const body = await ownerSigned(wallet, { action: 'revoke_proof', qHash })
    const answers = await race((at) => post(at, `/api/v1/proofs/revoke-self/${qHash}`, body))
    expect(tally(answers)).toEqual({ 200: racers })
    expect(await count('taken_away')).toBe(before + 1)
  })

  test('want one name: one holds it', async () => {
    const asked = await Promise.all(
      Array.from({ length: racers }, (_, index) =>
        claimSigned(makeFastWalletAt(index), { verifierIds: ['ownership-pseudonym'], data: { pseudonymId: 'wanted' } }),
      ),
    )
    const answers = await race((at, index) => post(at, '/api/v1/verification', asked[index]!))
    expect(tally(answers)).toEqual(one('409 CONFLICT'))
    expect(await count("reserved_names WHERE name LIKE '%wanted'")).toBe(1)
  })

  test('make a gate of one id: one owns it', async () => {
    const definition = { gateId: 'mine', name: 'Mine', requirements: [{ verifierId: 'ownership-basic' }] }
    const audience = new URL(baseUrl).host
    const asked = await Promise.all(
      Array.from({ length: racers }, (_, index) =>
        ownerSigned(makeFastWalletAt(index), {
          action: 'apply_gate',
          audience,
          gateId: definition.gateId,
          digest: digestOf(definition),
        }),
      ),
    )
    const answers = await race((at, index) => post(at, '/api/v1/profile/gates', { definition, ...asked[index] }))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await count("gates WHERE gate_id = 'mine'")).toBe(1)
    expect(Object.keys(tally(answers))).toHaveLength(2)
  })

  test('spend one signed sign-in: one session', async () => {
    const wallet = makeFastWalletAt(2_000_002)
    const prepared = await post(url(), '/api/v1/auth/nonce', { walletAddress: wallet.address, ...wallet.context })
    const { message } = prepared.body.data
    const signature = await wallet.sign(message)
    const before = await count('sessions')
    const answers = await race((at) => post(at, '/api/v1/auth/verify', { message, signature }))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(Object.keys(tally(answers))).toHaveLength(2)
    expect(await count('sessions')).toBe(before + 1)
  })

  test('exchange one code of a site: one learns who came', async () => {
    const headers = await signIn(makeFastWalletAt(2_000_003))
    const origin = 'https://site.example'
    const given = await post(url(), '/api/v1/auth/code', { origin }, headers)
    const { code } = given.body.data
    const answers = await race((at) => post(at, '/api/v1/auth/code/exchange', { code, origin }))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(Object.keys(tally(answers))).toHaveLength(2)
  })

  const askToken = (at: string, fields: Record<string, string>): Promise<Answer> =>
    send(`${at}/api/v1/auth/mcp/token`, () => ({
      method: 'POST',
      body: new URLSearchParams({ client_id: 'svc-cli', resource: `${baseUrl}/mcp`, ...fields }),
    }))
  const redirectUri = 'http://127.0.0.1:43301/callback'
  async function newCode(): Promise<string> {
    const person = await personAt(url())
    const parameters = authorizeParameters({ resource: `${baseUrl}/mcp`, scope: 'svc:core offline_access' })
    const asked = new URLSearchParams(parameters as Record<string, string>)
    return (await person.allow(`${url()}/oauth/authorize?${asked}`)).searchParams.get('code')!
  }
  const redeem = (at: string, code: string): Promise<Answer> =>
    askToken(at, { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier })

  test('redeem one authorization code: one gets tokens, which end because it came twice', async () => {
    const code = await newCode()
    const before = await count('oauth_families')
    const answers = await race((at) => redeem(at, code))
    expect(tally(answers)).toEqual(one('400 invalid_grant'))
    expect(await count('oauth_families')).toBe(before + 1)
    expect(await count('oauth_families WHERE revoked_at IS NULL')).toBe(0)
  })

  // A process tells a request of the same moment from a late one by the time alone where another one exchanged the token.
  test('exchange one refresh token: none gets another one than the others, and who comes late ends the grant', async () => {
    const { body } = await redeem(url(), await newCode())
    const answers = await race((at) => askToken(at, { grant_type: 'refresh_token', refresh_token: body.refresh_token }))
    const [given, late] = [
      answers.filter(({ status }) => status === 200),
      answers.filter(({ status }) => status !== 200),
    ]
    expect(new Set(given.map((answer) => answer.body.refresh_token)).size).toBe(1)
    expect(late.filter((answer) => answer.body.error !== 'invalid_grant')).toEqual([])
    expect(await count('oauth_families WHERE revoked_at IS NULL')).toBe(late.length === 0 ? 1 : 0)
  })

  test('claim the link of the operator: one becomes it', async () => {
    const links = servers.flatMap(({ ready }) => (ready.operatorLink ? [String(ready.operatorLink)] : []))
    expect(links).toHaveLength(1)
    const claimed = new URL(links[0]!).hash.slice(1) || new URL(links[0]!).searchParams.get('token')
    const people = await Promise.all([1, 2, 3, 4, 5, 6].map((number) => signIn(makeFastWalletAt(3_000_000 + number))))
    const answers = await race((at, index) =>
      post(at, '/api/v1/operator/claim', { token: claimed }, people[index % people.length]!),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await count('operators')).toBe(1)
  })

  test('name one secret, and make more keys than a person may have: as many as there may be', async () => {
    const headers = await signIn(makeFastWalletAt(2_000_004))
    const secret = { alias: 'KEY', type: 'single', content: 'x' }
    const named = await race((at) => post(at, '/api/v1/profile/secrets', secret, headers))
    expect(named.filter(({ status }) => status < 300)).toHaveLength(1)
    expect(await count("secrets WHERE alias = 'KEY'")).toBe(1)
    const made = await race((at, index) => post(at, '/api/v1/auth/profile-keys', { name: `key ${index}` }, headers))
    expect(tally(made)).toEqual({ 200: 50, '409 CONFLICT': racers - 50 })
    expect(await count('access_keys')).toBe(50)
  })
})
