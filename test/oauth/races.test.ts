/**
 * Many requests race for one code or one refresh token at a real server with its writer thread. One of them wins.
 * RACERS=1000 is quicker.
 */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { openAccessTokens } from '../../src/oauth/access-token.ts'
import { listen, type TestServer } from '../http/socket.ts'
import { newFolder } from '../journeys/server.ts'
import { select } from '../parts/select.ts'
import { authorizeParameters, codeVerifier } from './flow.ts'
import { type Person, personAt } from './person.ts'

setDefaultTimeout(300_000)

const racers = Number(process.env.RACERS ?? 10_000)
const folder = newFolder()
let server: TestServer
let person: Person
beforeAll(async () => {
  server = await listen({
    PROOFGATE_LIMITS_ENABLED: 'false',
    PROOFGATE_DATA: folder.path,
    PROOFGATE_STORAGE_WRITER: 'worker',
  })
  person = await personAt(server.url)
})
afterAll(async () => {
  await server.stop()
  folder.remove()
})

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly body: any
}

async function token(fields: Record<string, string>): Promise<Answer> {
  const response = await fetch(`${server.url}/api/v1/auth/mcp/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'svc-cli', resource: `${server.url}/mcp`, ...fields }),
  })
  return { status: response.status, body: await response.json() }
}
const redirect_uri = 'http://127.0.0.1:43301/callback'
async function newCode(): Promise<string> {
  const parameters = authorizeParameters({ resource: `${server.url}/mcp` }) as Record<string, string>
  const returned = await person.allow(`${server.url}/oauth/authorize?${new URLSearchParams(parameters)}`)
  return returned.searchParams.get('code')!
}
const redeem = (code: string) =>
  token({ grant_type: 'authorization_code', code, redirect_uri, code_verifier: codeVerifier })
const race = (one: () => Promise<Answer>): Promise<Answer[]> => Promise.all(Array.from({ length: racers }, one))
const count = async (sql: string): Promise<number> => (await select<{ n: number }>(server.parts.db, sql).get())!.n
const errorsOf = (answers: readonly Answer[]) =>
  new Set(answers.map(({ status, body }) => `${status} ${body.error ?? ''}`))

test(`T3 one of ${racers} simultaneous requests redeems the code`, async () => {
  const code = await newCode()
  const before = await count('SELECT count(*) AS n FROM oauth_families')
  const answers = await race(() => redeem(code))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(errorsOf(answers)).toEqual(new Set(['200 ', '400 invalid_grant']))
  expect(await count('SELECT count(*) AS n FROM oauth_families')).toBe(before + 1)
  expect(await count('SELECT count(*) AS n FROM oauth_codes WHERE consumed_at IS NOT NULL AND family IS NULL')).toBe(0)
  // A code that comes twice ends its grant: the one who came first may be the thief.
  const [winner] = answers.filter(({ status }) => status === 200)
  expect(await openAccessTokens(server.parts).verify(winner!.body.access_token)).toBeUndefined()
})

test('two simultaneous requests with one code leave no grant alive', async () => {
  const code = await newCode()
  const answers = await Promise.all([redeem(code), redeem(code)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  const [winner] = answers.filter(({ status }) => status === 200)
  expect(await openAccessTokens(server.parts).verify(winner!.body.access_token)).toBeUndefined()
})

test(`all of ${racers} simultaneous requests that get a new refresh token get the same one`, async () => {
  const { body } = await redeem(await newCode())
  const answers = await race(() => token({ grant_type: 'refresh_token', refresh_token: body.refresh_token }))
  const winners = answers.filter(({ status }) => status === 200)
  expect(new Set(winners.map(({ body }) => body.refresh_token)).size).toBe(1)
  expect(new Set(winners.map(({ body }) => body.access_token)).size).toBe(1)
  // With few racers, all may come while the exchange is under way. This request comes after it.
  const late = await token({ grant_type: 'refresh_token', refresh_token: body.refresh_token })
  const others = answers.filter((one) => !winners.includes(one))
  expect(errorsOf([...others, late])).toEqual(new Set(['400 invalid_grant']))
  expect(await count('SELECT generation AS n FROM oauth_families ORDER BY id DESC LIMIT 1')).toBe(1)
  // Losers of the race used an old token, which ends the grant: no pair of tokens stays valid.
  expect(await openAccessTokens(server.parts).verify(winners[0]!.body.access_token)).toBeUndefined()
  const next = await token({ grant_type: 'refresh_token', refresh_token: winners[0]!.body.refresh_token })
  expect(next.body.error).toBe('invalid_grant')
})
