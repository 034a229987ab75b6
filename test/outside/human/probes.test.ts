/** The checks of doctor on providers of proof-of-human, and the groups of Semaphore that a contract keeps. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { loadConfig } from '../../../src/config/load.ts'
import { openOutside } from '../../../src/outside/open.ts'
import type { Finding } from '../../../src/outside/probe.ts'
import { readVerifierTables } from '../../../src/verifiers/settings.ts'
import { startApp, startOfTime } from '../../app.ts'
import { type Anvil, startAnvil } from '../../parts/anvil.ts'
import { type Deployed, deploy } from '../../parts/contracts/contracts.ts'
import { appId, passportKey, rpId, scorerId, startPassport, startWorldId } from '../../parts/human-providers.ts'
import proofs from '../../vectors/semaphore.json'
import { asking, evidenceIn, failed } from '../../verifiers/ask.ts'
import { asks, base } from '../../verifiers/assets.ts'
import { alice, bob } from '../../wallets.ts'
import { outageOf } from '../risk/opened.ts'

const world = startWorldId()
const passport = startPassport()
const root = proofs.adaForAlice.merkleTreeRoot
let anvil: Anvil
let groups: Deployed
let verifier: Deployed

beforeAll(async () => {
  anvil = await startAnvil({ chainId: base })
  groups = await deploy(anvil, 'SemaphoreGroups')
  verifier = await deploy(anvil, 'ZkPassportVerifier')
  await groups.write('set', [42n, BigInt(root)])
  await groups.write('set', [43n, 0n])
})
afterAll(() => anvil.stop())

async function probesOf(env: Record<string, string>) {
  const config = await loadConfig({ env: { ...env, PROOFGATE_OUTSIDE_ATTEMPTS: '1' }, cwd: '/nonexistent' })
  return openOutside({ ...config, ...readVerifierTables(config) }, () => startOfTime).probes.filter(({ setting }) =>
    setting.startsWith('human.'),
  )
}
const findingsOf = async (env: Record<string, string>): Promise<(Finding & { setting: string })[]> =>
  Promise.all((await probesOf(env)).map(async ({ setting, run }) => ({ setting, ...(await run()) })))

const group = (id: string, contract: string = groups.address) => ({
  ...asks(anvil.url),
  PROOFGATE_HUMAN_SEMAPHORE_CHAIN: 'base',
  PROOFGATE_HUMAN_SEMAPHORE_CONTRACT: contract,
  PROOFGATE_HUMAN_SEMAPHORE_GROUP: id,
})
const passports = (contract: string) => ({
  ...asks(anvil.url),
  PROOFGATE_HUMAN_ZKPASSPORT_CHAIN: 'base',
  PROOFGATE_HUMAN_ZKPASSPORT_VERIFIER: contract,
})
const worldAt = (name: string, id: string) => ({
  [`PROOFGATE_HUMAN_WORLDID_${name}`]: id,
  PROOFGATE_HUMAN_WORLDID_URL: world.url,
})
const scores = {
  PROOFGATE_HUMAN_PASSPORT_API_KEY: passportKey,
  PROOFGATE_HUMAN_PASSPORT_SCORER_ID: scorerId,
  PROOFGATE_HUMAN_PASSPORT_URL: passport.url,
}

describe('doctor', () => {
  test('runs no check without a configured provider', async () => {
    expect(await findingsOf({})).toEqual([])
  })

  test('finds every provider that answers', async () => {
    const env = { ...group('42'), ...passports(verifier.address), ...worldAt('APP_ID', appId), ...scores }
    expect(await findingsOf(env)).toEqual([
      {
        setting: 'human.zkpassport',
        level: 'ok',
        says: `answers as the root verifier at ${verifier.address} on eip155:${base}`,
      },
      { setting: 'human.semaphore', level: 'ok', says: `the group 42 has the root ${root}` },
      { setting: 'human.worldid', level: 'ok', says: `knows ${appId}, and refuses a proof of zeros` },
      {
        setting: 'human.passport',
        level: 'ok',
        says: 'answers: score 0 for 0x000000000000000000000000000000000000dead',
      },
    ])
  })

  test('finds World ID 4', async () => {
    expect(await findingsOf(worldAt('RP_ID', rpId))).toMatchObject([{ level: 'ok' }])
  })

  test('finds a server that answers as something else', async () => {
    expect(await findingsOf(passports(groups.address))).toMatchObject([{ level: 'fail' }])
    expect(await findingsOf(passports('0x1D000001000EFD9a6371f4d90bB8920D5431c0D8'))).toMatchObject([{ level: 'fail' }])
    expect(await findingsOf(group('44'))).toMatchObject([{ level: 'fail' }])
    expect(await findingsOf(group('43'))).toMatchObject([{ level: 'warn' }])
    expect(await findingsOf(group('42', alice.address))).toMatchObject([{ level: 'fail' }])
    const [probe] = await probesOf(worldAt('APP_ID', 'app_other'))
    expect(await outageOf(probe!.run())).toMatchObject({ source: 'human.worldid' })
    passport.says.set('0x000000000000000000000000000000000000dead', { score: '99' })
    expect(await findingsOf(scores)).toMatchObject([{ level: 'warn' }])
  })

  test.each<[string, Record<string, string>]>([
    ['human.zkpassport.chain', { PROOFGATE_HUMAN_ZKPASSPORT_CHAIN: 'base' }],
    ['human.semaphore.group', { PROOFGATE_HUMAN_SEMAPHORE_GROUP: '42' }],
    ['human.passport.api_key', { PROOFGATE_HUMAN_PASSPORT_API_KEY: 'x' }],
    ['human.passport.scorer_id', { PROOFGATE_HUMAN_PASSPORT_SCORER_ID: '1' }],
  ])('says of %s alone that it is set by half, and its provider is absent', async (setting, env) => {
    const { data } = (await (await startApp(env)).get('/api/v1/verification/verifiers')).body
    expect(data).not.toContain('proof-of-human')
    expect(await findingsOf(env)).toMatchObject([{ setting, level: 'fail' }])
  })
})

describe('a group that a contract keeps', () => {
  const submit = async (env: Record<string, string>) =>
    asking(await startApp({ ...env, PROOFGATE_LOG_LEVEL: 'error' }), 'proof-of-human')(alice, {
      provider: 'semaphore',
      proofs: [proofs.adaForAlice],
      queryResult: {},
    })

  test('counts with its present root', async () => {
    const answer = await submit(group('42'))
    expect(answer.status).toBe(200)
    expect(evidenceIn(answer).sources).toEqual(['human.semaphore.group'])
  })

  test('no longer counts with an older one', async () => {
    await groups.write('set', [50n, BigInt(root)])
    expect((await submit(group('50'))).status).toBe(200)
    await groups.write('set', [50n, BigInt(proofs.dotOfOtherGroup.merkleTreeRoot)])
    expect(await submit(group('50'))).toMatchObject(failed('proof-of-human', 'UNKNOWN_GROUP'))
    expect((await submit({ ...group('50'), PROOFGATE_HUMAN_SEMAPHORE_ROOTS: root })).status).toBe(200)
  })

  test.each([
    ['no such group', () => group('44')],
    ['no contract', () => group('42', bob.address)],
    ['no endpoint', () => ({ ...group('42'), ...asks('http://127.0.0.1:9') })],
  ])('cannot be looked up where there is %s', async (_, env) => {
    expect(await submit(env())).toMatchObject({ status: 503, body: { error: { code: 'VERIFIER_UNAVAILABLE' } } })
  })

  test('is not asked about a malformed proof', async () => {
    const app = await startApp({ ...group('42'), ...asks('http://127.0.0.1:9') })
    const proof = { ...proofs.adaForAlice, nullifier: '1' }
    const answer = await asking(app, 'proof-of-human')(alice, {
      provider: 'semaphore',
      proofs: [proof],
      queryResult: {},
    })
    expect(answer).toMatchObject(failed('proof-of-human', 'INVALID_PROOF'))
  })
})
