/** A verifier is added with a folder and one line in the list: no other server file names it. */
import { afterAll, describe, expect, test } from 'bun:test'
import { checkConfig } from '../../src/config/check.ts'
import { writeExampleToml } from '../../src/config/example.ts'
import { readOffered } from '../../src/doctor/examine.ts'
import { describeSettings } from '../../src/settings.ts'
import { verifiers } from '../../src/verifiers/index.ts'
import { verifierTables } from '../../src/verifiers/settings.ts'
import { startApp } from '../app.ts'
import { alice, bob } from '../wallets.ts'
import { riddleSolved } from './added/rule.ts'
import { riddleSettings } from './added/settings.ts'

const settings = describeSettings([...verifierTables, riddleSettings])
const app = await startApp({ PROOFGATE_RIDDLE_RIGHT_ANSWER: 'tomorrow' }, undefined, undefined, {
  verifiers: [...verifiers, riddleSolved],
  settings,
})
afterAll(() => app.close())

const { id } = riddleSolved
const page = async (path: string, headers: Record<string, string> = {}): Promise<string> =>
  String((await app.get(path, headers)).body).replaceAll('&quot;', '"')
const solve = (answer: string) =>
  app.submit(alice, {
    verifierIds: [id],
    data: { handle: 'sphinx', answer },
    options: { privacyLevel: 'public' },
  })

describe('an added verifier', () => {
  test('proves claims over HTTP, by its own settings', async () => {
    expect(await solve('time')).toMatchObject({ status: 400, body: { error: { code: 'VERIFICATION_FAILED' } } })
    const { status, body } = await solve('tomorrow')
    expect(status).toBe(200)
    expect(body.data.verifiedVerifiers).toMatchObject([
      { verifierId: id, verified: true, status: 'riddle_solved', data: { handle: 'sphinx' } },
    ])
  })

  test('is in the catalog, in doctor and in the view of the operator', async () => {
    const { body } = await app.get('/api/v1/verification/verifiers')
    expect(body.data.at(-1)).toBe(id)
    expect(body.metadata[id]).toMatchObject({
      description: riddleSolved.description,
      requiredFields: ['handle', 'answer'],
    })
    expect(readOffered(app.parts.catalog).offered).toContain(id)
  })

  test('has its data described in the OpenAPI document', async () => {
    const { body } = await app.get('/openapi.json')
    expect(Object.keys(body.components.schemas.RiddleSolvedData.properties)).toEqual(['handle', 'answer'])
    expect(JSON.stringify(body.components.schemas.VerifierData)).toContain(id)
  })

  test('is found by gate checks, by the fact that it names', async () => {
    await solve('tomorrow')
    const check = async (handle: string) =>
      (await app.get(`/api/v1/proofs/check?address=${alice.address}&verifierId=${id}&handle=${handle}`)).body.data
        .eligible
    expect(await check('sphinx')).toBe(true)
    expect(await check('oedipus')).toBe(false)
  })

  test('is found by gate checks, by a parameter of its own, which the API description lists', async () => {
    await solve('tomorrow')
    const check = async (name: string) =>
      (await app.get(`/api/v1/proofs/check?address=${alice.address}&riddleSolver=${name}`)).body.data.eligible
    expect(await check('sphinx')).toBe(true)
    expect(await check('oedipus')).toBe(false)
    const { parameters } = (await app.get('/openapi.json')).body.paths['/api/v1/proofs/check'].get
    expect(parameters.map((one: { readonly name: string }) => one.name)).toContain('riddleSolver')
  })

  test('is a requirement of gates, in its own words', async () => {
    const { headers } = await app.signIn(bob)
    const definition = {
      gateId: 'riddle',
      name: 'Riddle',
      requirements: [{ verifierId: id, match: [{ path: 'handle', op: 'eq', value: 'sphinx' }] }],
    }
    const { status, body } = await app.post('/api/v1/profile/gates/preview', { definition }, headers)
    expect(status).toBe(200)
    expect(JSON.stringify(body)).toContain('Anyone who has solved the riddle as the solver sphinx')
  })

  test('is offered on the verification page', async () => {
    expect(await page('/verify')).toContain(riddleSolved.words.lead)
    expect(await page(`/verify?verifiers=${id}`)).toContain(`"${id}":{"title":"Riddle"`)
  })

  test('is named in the dashboard, and on the pages of its proofs', async () => {
    const { cookie } = await app.signIn(bob)
    const model = await page('/', { cookie })
    expect(model).toContain(`"${id}":{"title":"Riddle"`)
    expect(model).toContain('"summary":["Solved as {handle}"]')
    const { body } = await solve('tomorrow')
    expect(await page(`/proof/${body.data.qHash}`)).toContain('<h2>Riddle: verified</h2>')
  })

  test('has its settings in the example and in check-config', async () => {
    expect(writeExampleToml(settings)).toContain('[riddle]\n\n# The answer to the riddle of this server.')
    const { settings: applied } = await checkConfig(
      { env: { PROOFGATE_RIDDLE_RIGHT_ANSWER: 'tomorrow' }, cwd: '/nonexistent' },
      settings,
    )
    expect(applied).toContainEqual({
      key: 'riddle.right_answer',
      value: '"tomorrow"',
      source: 'PROOFGATE_RIDDLE_RIGHT_ANSWER',
    })
    const wrong = await checkConfig(
      { env: { PROOFGATE_RIDDLE_RIGHT_ANSWER: 'x'.repeat(65) }, cwd: '/nonexistent' },
      settings,
    )
    expect(wrong.findings).toHaveLength(1)
  })
})
