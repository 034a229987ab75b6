/** The server of a site in the guide on the hand-over, run by Node as it stands there, without packages. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findBlock } from '../guides/page.ts'
import { personAt } from '../oauth/person.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { startTestServer } from '../parts/test-server.ts'
import { alice } from '../wallets.ts'

setDefaultTimeout(60_000)

const newFolder = temporaryFolders()
const server = await startTestServer({
  PROOFGATE_LOG_LEVEL: 'error',
  PROOFGATE_PAGES_HANDOVER_SITES: 'http://localhost:3000',
})
afterAll(() => server.stop())
const proofgate = `http://127.0.0.1:${server.port}`

function freePort(): number {
  const held = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port } = held
  held.stop(true)
  return port!
}

/** The site as the guide has it, which asks a Proofgate at this address. */
async function startSite(asked: string) {
  const port = freePort()
  const { code } = findBlock('site-server.mjs')
  const file = join(newFolder(), 'site-server.mjs')
  writeFileSync(file, code.replace('http://127.0.0.1:8787', asked).replaceAll('3000', String(port)))
  const site = Bun.spawn(['node', file], { stdout: 'ignore', stderr: 'inherit' })
  afterAll(() => site.kill())
  const get = (path: string, cookie = ''): Promise<Response> =>
    fetch(`http://localhost:${port}${path}`, { headers: { cookie }, redirect: 'manual' })
  for (let tries = 0; ; tries++)
    try {
      await get('/ready')
      break
    } catch (error) {
      if (tries > 100) throw error
      await Bun.sleep(50)
    }
  return {
    get,
    async begin() {
      const answer = await get('/sign-in')
      const asked = Object.fromEntries(new URL(answer.headers.get('location')!).searchParams)
      return { cookie: answer.headers.get('set-cookie')!.split(';')[0]!, asked }
    },
    async comeBack(cookie: string, query: Record<string, string>) {
      const answer = await get(`/signed-in?${new URLSearchParams(query)}`, cookie)
      return { status: answer.status, text: await answer.text() }
    },
  }
}

const { cookie } = await personAt(proofgate, alice)
const me = await (await fetch(`${proofgate}/api/v1/auth/me`, { headers: { cookie } })).json()
const site = await startSite(proofgate)

async function agree({ returnUrl, code_challenge, code_challenge_method }: Record<string, string>): Promise<string> {
  const answer = await fetch(`${proofgate}/api/v1/auth/code`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie, 'x-csrf-token': me.data.csrfToken },
    body: JSON.stringify({ returnUrl, code_challenge, code_challenge_method }),
  })
  return (await answer.json()).data.code
}
const welcome = { status: 200, text: `Welcome, ${alice.address.toLowerCase()}` }

test('admits a person who agreed, and nobody else', async () => {
  const visit = await site.begin()
  const code = await agree(visit.asked)
  expect(await site.comeBack(visit.cookie, { code, state: visit.asked.state! })).toEqual(welcome)

  const [one, two] = [await site.begin(), await site.begin()]
  const stolen = await agree(one.asked)
  expect(await site.comeBack('visit=nobody', { code: stolen, state: one.asked.state! })).toEqual({
    status: 403,
    text: expect.stringContaining('this browser did not begin'),
  })
  expect(await site.comeBack(two.cookie, { code: stolen, state: two.asked.state! })).toEqual({
    status: 403,
    text: expect.stringContaining('its code_verifier was wrong'),
  })
})

test('answers 404 for other addresses, and takes no visit for them', async () => {
  const visit = await site.begin()
  for (const path of ['/favicon.ico', '//', '/', '//[', '/signed-in/', '/%'])
    expect((await site.get(path, visit.cookie)).status).toBe(404)
  expect((await site.comeBack(visit.cookie, { code: 'x', state: 'of another' })).status).toBe(403)
  const code = await agree(visit.asked)
  expect(await site.comeBack(visit.cookie, { code, state: visit.asked.state! })).toEqual(welcome)
})

test('distinguishes a refusal of the person from an invalid code', async () => {
  const visit = await site.begin()
  const { state } = visit.asked
  expect(await site.comeBack(visit.cookie, { error: 'access_denied', state: state! })).toEqual({
    status: 403,
    text: expect.stringContaining('You did not agree'),
  })
})

test('answers 503 while Proofgate does not, and goes on', async () => {
  const alone = await startSite(`http://127.0.0.1:${freePort()}`)
  for (let times = 0; times < 2; times++) {
    const visit = await alone.begin()
    expect(await alone.comeBack(visit.cookie, { code: 'x', state: visit.asked.state! })).toEqual({
      status: 503,
      text: expect.stringContaining('Proofgate does not answer'),
    })
  }
})
