/**
 * The disk fails during an exchange. The client gets an OAuth error that the outcome is unknown. A repeated request
 * does not count as theft.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { until } from '../db/faulty-disk.ts'
import { EIO, type FaultyServer, openStage, type Stage } from '../faults/faulty-server.ts'
import { accepting } from '../mcp/mcp.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { freePort } from '../parts/free-port.ts'
import { authorizeParameters, cliCallback, codeVerifier } from './flow.ts'
import { type Person, personAt } from './person.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()

interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
}

let stage: Stage
let server: FaultyServer
let person: Person
let resource: string
/** One port for all runs, because tokens name it. */
const port = await freePort()
async function start(): Promise<void> {
  server = await stage.start({ env: { PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_PORT: String(port) } })
}
beforeAll(async () => {
  stage = openStage(newFolder())
  await start()
  person = await personAt(server.url)
  const { issuer } = (await (await fetch(`${server.url}/.well-known/oauth-authorization-server`)).json()) as {
    issuer: string
  }
  resource = `${issuer}/mcp`
})
afterAll(async () => {
  await server.kill()
  stage.faults.close()
})

async function newCode(): Promise<string> {
  const query = new URLSearchParams(authorizeParameters({ resource }) as Record<string, string>)
  return (await person.allow(`${server.url}/oauth/authorize?${query}`)).searchParams.get('code')!
}

async function ask(fields: Record<string, string>): Promise<Answer> {
  const body = new URLSearchParams({ client_id: 'svc-cli', resource, ...fields })
  const response = await fetch(`${server.url}/api/v1/auth/mcp/token`, { method: 'POST', body })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
const redeem = (code: string) =>
  ask({ grant_type: 'authorization_code', code, redirect_uri: cliCallback, code_verifier: codeVerifier })
const refresh = (token: string) => ask({ grant_type: 'refresh_token', refresh_token: token })

async function callTool(token: string, name: string, args: object): Promise<Answer> {
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { ...accepting, 'mcp-protocol-version': '2025-06-18', authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** The answer while commits fail, and after it a disk that is well. */
async function duringFault(work: () => Promise<Answer>): Promise<Answer> {
  stage.faults.set({ syncErrno: EIO })
  const answer = await work()
  stage.faults.mendDisk()
  await until(async () => (await fetch(`${server.url}/api/v1/health/ready`)).status === 200)
  return answer
}

function expectUncertain({ status, headers, body }: Answer): void {
  expect(status).toBe(503)
  expect(body).toMatchObject({ error: 'temporarily_unavailable', success: false, uncertain: true })
  expect(body.error_description).toMatch(/not known whether .*was stored/)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
}

test('a code whose exchange is uncertain gives its tokens when it comes again, once', async () => {
  const code = await newCode()
  expectUncertain(await duringFault(() => redeem(code)))
  const tokens = await redeem(code)
  expect(tokens.status).toBe(200)
  expect((await refresh(tokens.body.refresh_token)).status).toBe(200)
})

test('a refresh token whose exchange is uncertain gives the next one when it comes again, without a grace', async () => {
  const { body: first } = await redeem(await newCode())
  expectUncertain(await duringFault(() => refresh(first.refresh_token)))
  const second = await refresh(first.refresh_token)
  expect(second.status).toBe(200)
  expect((await refresh(second.body.refresh_token)).status).toBe(200)
  // The answer arrived and its token was used, so repeating is reuse.
  expect((await refresh(first.refresh_token)).body.error).toBe('invalid_grant')
})

test('a server that stopped before the outcome was known does not treat a stored exchange as theft', async () => {
  const { body: first } = await redeem(await newCode())
  const code = await newCode()
  stage.faults.set({ syncErrno: EIO })
  expectUncertain(await refresh(first.refresh_token))
  await server.kill()
  stage.faults.mendDisk()
  await start()
  const second = await refresh(first.refresh_token)
  expect(second.status).toBe(200)
  expect((await refresh(second.body.refresh_token)).status).toBe(200)

  stage.faults.set({ syncErrno: EIO })
  expectUncertain(await redeem(code))
  await server.kill()
  stage.faults.mendDisk()
  await start()
  // RFC 6749 section 4.1.2: no second set of tokens, whatever became of the first. The client never got the first set,
  // so it loses nothing.
  const again = await redeem(code)
  expect(again).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect(again.body.error_description).toMatch(/Sign in again/)
  expect((await redeem(await newCode())).status).toBe(200)
})

test('a tool whose change is uncertain says so to the model', async () => {
  const { body } = await redeem(await newCode())
  const answer = await duringFault(() =>
    callTool(body.access_token, 'svc_secret_create', { alias: 'doubtful', secretType: 'single', content: 'sealed' }),
  )
  const { isError, content } = answer.body.result
  const { error } = JSON.parse(content[0].text)
  expect([isError, error.code, error.details]).toEqual([true, 'SERVICE_UNAVAILABLE', { uncertain: true }])
  expect(error.message).toMatch(/not known whether .*was stored/)
})
