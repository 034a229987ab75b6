/**
 * The command line of the MCP Inspector, with which people try servers. It has a hundred dependencies, so it is
 * installed into its own folder, and only with INSPECTOR=1.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { RunningServer } from '../../src/start.ts'
import { grantTo } from '../oauth/grant.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { isMissing } from '../parts/optional.ts'
import { startTestServer } from '../parts/test-server.ts'
import { alice } from '../wallets.ts'

setDefaultTimeout(300_000)

const isAsked = process.env.INSPECTOR === '1'
const inspector = '@modelcontextprotocol/inspector'

describe.skipIf(isMissing(isAsked, 'the MCP Inspector, from npm: INSPECTOR=1 npm test -- test/mcp/inspector.test.ts'))(
  'the MCP Inspector',
  () => {
    const newFolder = temporaryFolders()
    let folder: string
    let server: RunningServer
    let token: string
    beforeAll(async () => {
      folder = newFolder()
      const packages = ['--no-audit', '--no-fund', '--ignore-scripts', `${inspector}@2.12.0`]
      const installed = Bun.spawnSync(['npm', 'install', '--prefix', folder, ...packages])
      if (!installed.success) throw new Error(installed.stderr.toString())
      const env = { PROOFGATE_PORT: '0', PROOFGATE_SERVER_SHUTDOWN_SECONDS: '1' }
      server = await startTestServer(env)
      token = (await grantTo(server.parts, alice)).token
    })
    afterAll(() => server.stop())

    async function inspect(...args: string[]) {
      const program = join(folder, 'node_modules', inspector, 'clients/cli/build/index.js')
      const target = [
        `${server.addresses.mcpUrl}/mcp`,
        '--transport',
        'http',
        '--header',
        `Authorization: Bearer ${token}`,
      ]
      const child = Bun.spawn([process.execPath, program, ...target, ...args], { stdout: 'pipe', stderr: 'pipe' })
      const [out, code] = await Promise.all([new Response(child.stdout).text(), child.exited])
      return { code, answer: JSON.parse(out) }
    }

    test('lists the tools', async () => {
      const { code, answer } = await inspect('--method', 'tools/list')
      expect({ code, count: answer.tools.length }).toEqual({ code: 0, count: 12 })
    })

    test('calls a tool with arguments', async () => {
      const call = ['--method', 'tools/call', '--tool-name', 'svc_proofs_check']
      const { code, answer } = await inspect(...call, '--tool-arg', 'verifiers=["ownership-basic"]')
      expect({ code, answer: answer.structuredContent }).toMatchObject({
        code: 0,
        answer: { success: true, eligible: false },
      })
    })
  },
)
