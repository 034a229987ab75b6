/** The server of a site in the README, run as it stands there by Node, without packages. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/load.ts'
import { startServer } from '../../src/start.ts'
import { personAt } from '../oauth/person.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { parsePage } from '../readme/page.ts'
import { readme } from '../readme/tables.ts'
import { alice } from '../wallets.ts'

setDefaultTimeout(60_000)

const newFolder = temporaryFolders()
const config = await loadConfig({
  env: { PROOFGATE_PORT: '0', PROOFGATE_LOG_LEVEL: 'error', PROOFGATE_PAGES_HANDOVER_SITES: 'http://localhost' },
  cwd: '/nonexistent',
})
const server = await startServer(config, { folder: undefined })
afterAll(() => server.stop())
const proofgate = `http://127.0.0.1:${server.port}`

function freePort(): number {
  const held = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port } = held
  held.stop(true)
  return port!
}

test('lets somebody in who agreed, and nobody else', async () => {
  const port = freePort()
  const { code } = parsePage('README.md', readme()).blocks.find(({ name }) => name === 'site-server.mjs')!
  const file = join(newFolder(), 'site-server.mjs')
  writeFileSync(file, code.replace('http://127.0.0.1:8787', proofgate).replaceAll('3000', String(port)))
  const site = Bun.spawn(['node', file], { stdout: 'ignore', stderr: 'inherit' })
  afterAll(() => site.kill())
  const here = `http://localhost:${port}`
  const get = async (address: string, headers: Record<string, string> = {}): Promise<Response> => {
    for (let tries = 0; ; tries++)
      try {
        return await fetch(address, { headers, redirect: 'manual' })
      } catch (error) {
        if (tries > 100) throw error
        await Bun.sleep(50)
      }
  }
  const begin = async () => {
    const answer = await get(`${here}/sign-in`)
    const asked = Object.fromEntries(new URL(answer.headers.get('location')!).searchParams)
    return { cookie: answer.headers.get('set-cookie')!.split(';')[0]!, asked }
  }
  const { cookie } = await personAt(proofgate, alice)
  const me = await (await fetch(`${proofgate}/api/v1/auth/me`, { headers: { cookie } })).json()
  const agree = async ({ returnUrl, code_challenge, code_challenge_method }: Record<string, string>) => {
    const answer = await fetch(`${proofgate}/api/v1/auth/code`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie, 'x-csrf-token': me.data.csrfToken },
      body: JSON.stringify({ returnUrl, code_challenge, code_challenge_method }),
    })
    return (await answer.json()).data.code as string
  }
  const back = (visit: string, code: string, state: string) =>
    get(`${here}/signed-in?${new URLSearchParams({ code, state })}`, { cookie: visit })

  const visit = await begin()
  const welcome = await back(visit.cookie, await agree(visit.asked), visit.asked.state!)
  expect(await welcome.text()).toBe(`Welcome, ${alice.address.toLowerCase()}`)

  const [one, two] = [await begin(), await begin()]
  const stolen = await agree(one.asked)
  expect((await back(two.cookie, stolen, two.asked.state!)).status).toBe(403)
  expect((await back('visit=nobody', stolen, one.asked.state!)).status).toBe(403)
})
