/** From the first handshake to the last erasure, over HTTP, with a database file and a restart between. */
import { afterAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agent, alice, bob, sol } from '../wallets.ts'
import { newFolder, type Server, startIn } from './server.ts'

const folder = newFolder()
const diary = 'Dear diary, only I may read this'
const essay = 'An essay for everybody'
const day = 86_400_000
const evm = alice.address.toLowerCase()

/** The story so far, in the order in which the tests below tell it. */
let server: Server
let isRunning = false
const start = async () => {
  server = await startIn(folder.path)
  isRunning = true
}
const stop = async () => {
  if (isRunning) await server.stop()
  isRunning = false
}
const made: Record<string, string> = {}

afterAll(async () => {
  await stop()
  folder.remove()
})

async function prove(name: string, wallet: typeof alice, claim: object) {
  const { status, body } = await server.submit(wallet, claim)
  expect([name, status]).toEqual([name, 200])
  made[name] = body.data.qHash
}
const read = async (name: string, wallet?: typeof alice) => {
  const qHash = made[name]!
  const headers = wallet ? await server.ownerHeaders(wallet, { action: 'access_private_proof', qHash }) : {}
  return server.get(`/api/v1/proofs/${qHash}`, headers)
}
const listOf = async (wallet: typeof alice) =>
  server.get(
    `/api/v1/proofs/by-wallet/${wallet.address}`,
    await server.ownerHeaders(wallet, {
      action: 'access_private_proofs_by_wallet',
      walletAddress: wallet === sol ? wallet.address : wallet.address.toLowerCase(),
    }),
  )

describe('a self-hoster’s first week', () => {
  test('an empty folder becomes a healthy server', async () => {
    await start()
    expect((await server.get('/api/v1/health')).body).toMatchObject({ success: true, data: { status: 'ok' } })
    expect((await server.get('/api/v1/verification/verifiers')).body.data).toContain('ownership-basic')
  })

  test('wallets make their proofs', async () => {
    const basic = { verifierIds: ['ownership-basic'] }
    await prove('diary', alice, {
      ...basic,
      data: { owner: alice.address, content: diary },
      options: { storeOriginalContent: true, meta: { title: 'Diary', tags: ['private'] } },
    })
    await prove('essay', alice, {
      ...basic,
      data: { owner: alice.address, content: essay },
      options: { privacyLevel: 'public', publicDisplay: true, storeOriginalContent: true },
    })
    await prove('handle', alice, { verifierIds: ['ownership-pseudonym'], data: { pseudonymId: 'alice' } })
    await prove('delegation', alice, {
      verifierIds: ['agent-delegation'],
      data: { controllerWallet: alice.address, agentWallet: agent.address, expiresAt: Date.now() + day },
    })
    await prove('solana', sol, { ...basic, data: { owner: sol.address, content: 'From Solana' } })
    await prove('mistake', alice, { ...basic, data: { owner: alice.address, content: 'Oops' } })
  })

  test('Alice lets Bob read her diary, and revokes her mistake', async () => {
    const terms = { qHash: made.diary!, viewerWallet: bob.address, expiresInSeconds: 3600 }
    const { walletAddress, ...signature } = await alice.signAction(
      { action: 'grant_proof_access', ...terms, audience: server.audience },
      Date.now(),
    )
    const granted = await server.post('/api/v1/verification/access/grant', {
      ...terms,
      ownerWallet: walletAddress,
      ...signature,
    })
    expect(granted.status).toBe(200)
    const revocation = await alice.signAction({ action: 'revoke_proof', qHash: made.mistake }, Date.now())
    expect((await server.post(`/api/v1/proofs/revoke-self/${made.mistake}`, revocation)).body.alreadyRevoked).toBe(
      false,
    )
  })

  test('after a restart everything is as it was', async () => {
    const before = [await read('diary', alice), await read('essay'), await listOf(alice), await listOf(sol)]
    await stop()
    await start()
    const after = [await read('diary', alice), await read('essay'), await listOf(alice), await listOf(sol)]

    // The port, and with it the address of the proof, is another one; so is the time of the answer.
    const steady = (answers: typeof before) =>
      JSON.stringify(answers)
        .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'base')
        .replace(/"timestamp":"[^"]*"/g, '')
    expect(steady(after)).toBe(steady(before))
    expect(after[2]!.body.data).toMatchObject({ totalCount: 4 })
  })

  test('the sealed diary opens for Alice and Bob only', async () => {
    expect((await read('diary', alice)).body.data.publicContent).toEqual({ content: diary })
    expect((await read('diary', bob)).body.data.publicContent).toEqual({ content: diary })
    for (const answer of [await read('diary'), await read('diary', agent)])
      expect(Object.keys(answer.body.data).sort()).toEqual([
        'createdAt',
        'lastUpdated',
        'privacyLevel',
        'qHash',
        'status',
      ])
  })

  test('the mistake is still revoked, the delegation still counts, the handle is still taken', async () => {
    expect((await read('mistake')).body.status).toBe('revoked')
    expect((await read('delegation')).body.status).toBe('verified')
    const other = await server.submit(bob, { verifierIds: ['ownership-pseudonym'], data: { pseudonymId: 'alice' } })
    expect(other.status).toBe(409)
  })

  test('Alice erases everything of hers; of Solana’s proof nothing is lost', async () => {
    const erasure = await alice.signAction(
      { action: 'erase_all_proofs', walletAddress: evm, audience: server.audience },
      Date.now(),
    )
    expect((await server.post('/api/v1/proofs/erase-all', erasure)).body.erasedCount).toBe(5)
    expect((await read('essay')).status).toBe(404)
    expect((await read('solana', sol)).body.data.walletAddress).toBe(sol.address)
    await prove('bobs handle', bob, { verifierIds: ['ownership-pseudonym'], data: { pseudonymId: 'alice' } })
  })

  test('the files of the running server hold neither her words nor her address', async () => {
    const files = readdirSync(folder.path).map((name) => readFileSync(join(folder.path, name)))
    for (const trace of [diary, essay, 'Diary', evm]) expect(files.some((file) => file.includes(trace))).toBe(false)
  })

  test('the next start finds the data of the others', async () => {
    await stop()
    await start()
    expect((await read('bobs handle', bob)).body.status).toBe('verified')
  })
})
