/**
 * One rule for both grants: a request with a missing or different parameter uses up neither code nor token. Only a
 * wrong code_verifier invalidates the code.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { cliCallback, type Flow, flowOf, type Parameters } from './flow.ts'

let app: TestApp
let flow: Flow
let otherClient: string
beforeAll(async () => {
  app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  flow = flowOf(app)
  otherClient = await flow.newClient()
})
afterAll(() => app.close())

const send = (fields: URLSearchParams) => flow.form('/api/v1/auth/mcp/token', String(fields))

type Way = 'missing' | 'empty' | 'twice' | 'twice, the second one wrong' | 'wrong'

/** `right` with one parameter as `way` says. */
function changed(right: Parameters, name: string, way: Way, wrong: string): URLSearchParams {
  const fields = new URLSearchParams(right as Record<string, string>)
  const value = fields.get(name) ?? wrong
  fields.delete(name)
  if (way === 'missing') return fields
  fields.append(name, way === 'empty' ? '' : way === 'wrong' ? wrong : value)
  if (way === 'twice') fields.append(name, value)
  if (way === 'twice, the second one wrong') fields.append(name, wrong)
  return fields
}

/** The expected answer to each way of sending a parameter. `none`: the request is still valid. */
interface Row {
  readonly name: string
  readonly wrong: string | (() => string)
  readonly lacking: string
  readonly twice: string
  readonly refused: string
  readonly status?: number
  /** Ways that use the code or the token up. */
  readonly burns?: readonly Way[]
}

const ways: readonly Way[] = ['missing', 'empty', 'twice', 'twice, the second one wrong', 'wrong']
const errorOf = ({ lacking, twice, refused }: Row, way: Way): string => {
  if (way === 'missing' || way === 'empty') return lacking
  if (way === 'twice') return twice
  return way === 'wrong' || twice === 'none' ? refused : twice
}

const both = { lacking: 'invalid_request', twice: 'invalid_request' }
const grantType: Row = { name: 'grant_type', wrong: 'password', ...both, refused: 'unsupported_grant_type' }
const clientId: Row = { name: 'client_id', wrong: () => otherClient, ...both, refused: 'invalid_grant' }
const unknownClient: Row = { name: 'client_id', wrong: 'nobody', ...both, refused: 'invalid_client', status: 401 }
const target: Row = {
  name: 'resource',
  wrong: 'https://other.example/mcp',
  lacking: 'invalid_target',
  // RFC 8707 lets it come several times.
  twice: 'none',
  refused: 'invalid_target',
}

const cases = (rows: readonly Row[]): [string, Way, Row][] =>
  rows.flatMap((row) => ways.map((way): [string, Way, Row] => [row.name, way, row]))

describe('a code', () => {
  const rows: readonly Row[] = [
    grantType,
    clientId,
    unknownClient,
    target,
    { name: 'code', wrong: 'ac_another', ...both, refused: 'invalid_grant' },
    { name: 'redirect_uri', wrong: `${cliCallback}2`, ...both, refused: 'invalid_grant' },
    { name: 'code_verifier', wrong: 'x'.repeat(43), ...both, refused: 'invalid_grant', burns: ['wrong'] },
  ]

  test.each(cases(rows))('with %s that is %s is answered by one rule', async (name, way, row) => {
    const code = await flow.newCode()
    const wrong = typeof row.wrong === 'string' ? row.wrong : row.wrong()
    const error = errorOf(row, way)
    const answer = await send(changed(flow.redeemParameters(code), name, way, wrong))
    if (error === 'none') return expect(answer.status).toBe(200)
    expect({ status: answer.status, error: answer.body.error }).toEqual({
      status: way === 'wrong' ? (row.status ?? 400) : 400,
      error,
    })
    expect(answer.body.error_description).not.toBe('')
    expect((await flow.redeem(code)).status).toBe(row.burns?.includes(way) ? 400 : 200)
  })

  test('with no other parameter is answered with the missing ones, whether the code exists or not', async () => {
    const code = await flow.newCode()
    const used = await flow.newCode()
    await flow.redeem(used)
    const lacking = { code_verifier: undefined, redirect_uri: undefined }
    for (const one of [code, used, 'ac_none']) {
      const { status, body } = await flow.redeem(one, lacking)
      expect([status, body.error]).toEqual([400, 'invalid_request'])
    }
    expect((await flow.redeem(code)).status).toBe(200)
  })

  test('with a wrong verifier is kept as long as a parameter is missing or names another client or resource', async () => {
    const code = await flow.newCode()
    const code_verifier = 'x'.repeat(43)
    const changes: readonly Parameters[] = [
      { redirect_uri: undefined },
      { resource: undefined },
      { resource: 'https://other.example/mcp' },
      { client_id: otherClient },
      { client_id: undefined },
      { grant_type: undefined },
    ]
    for (const one of changes) expect((await flow.redeem(code, { code_verifier, ...one })).status).toBe(400)
    expect((await flow.redeem(code)).status).toBe(200)
  })
})

describe('a refresh token', () => {
  const rows: readonly Row[] = [
    grantType,
    clientId,
    unknownClient,
    target,
    { name: 'refresh_token', wrong: 'rt_another', ...both, refused: 'invalid_grant' },
    { name: 'scope', wrong: 'svc:root', lacking: 'none', twice: 'invalid_request', refused: 'invalid_scope' },
  ]

  test.each(cases(rows))('with %s that is %s is answered by one rule, and stays valid', async (name, way, row) => {
    const { refresh_token, access_token } = await flow.newTokens()
    const wrong = typeof row.wrong === 'string' ? row.wrong : row.wrong()
    const error = errorOf(row, way)
    const answer = await send(changed(flow.refreshParameters(refresh_token), name, way, wrong))
    if (error === 'none') return expect(answer.status).toBe(200)
    expect({ status: answer.status, error: answer.body.error }).toEqual({
      status: way === 'wrong' ? (row.status ?? 400) : 400,
      error,
    })
    expect(await flow.opens(access_token)).toBe(true)
    expect((await flow.refresh(refresh_token)).status).toBe(200)
  })
})

test('a token stays valid when its revocation request lacks a parameter', async () => {
  const { refresh_token, access_token } = await flow.newTokens()
  for (const changes of [{ client_id: undefined }, { client_id: '' }, { token: undefined }, { token: '' }]) {
    const { status, body } = await flow.revoke(refresh_token, changes as Parameters)
    expect([status, body.error]).toEqual([400, 'invalid_request'])
  }
  expect(await flow.opens(access_token)).toBe(true)
  expect((await flow.refresh(refresh_token)).status).toBe(200)
})
