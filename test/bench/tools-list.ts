import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Goal, ours, peer } from './contenders.ts'
import type { Call } from './load.ts'
import { rssMegabytes } from './process.ts'
import { address } from './refresh.ts'
import { emptyFolder, type Launch, launch, listening, load, type RunningServer, workFolder } from './server.ts'
import { signPeopleIn } from './sign-in.ts'
import { inTurns, type SpeedRun, type SpeedRuns, speedRun } from './speed.ts'

/**
 * `tools/list` at the MCP endpoint by 256 people with access tokens, as clients of the handshake revisions ask for it.
 * The peers offer the very tools that ours lists.
 */

const connections = 32
const people = 256
const warmUpAtLeast = 2000

export type ToolServerId = 'prepared' | 'declared' | 'ours'

export interface ToolServer extends Launch {
  readonly id: ToolServerId
  readonly name: string
  readonly share: number
  /** Makes the access tokens; where it is missing, the server has written them to `token-file.json` at its start. */
  readonly seed?: (server: RunningServer) => Promise<readonly string[]>
}

export const toolGoals: readonly Goal<ToolServerId>[] = [
  { who: 'ours', than: 'prepared', factor: 2 },
  { who: 'ours', than: 'declared', factor: 2 },
]

const toolsFile = join(workFolder, 'tools.json')
const tokenFileIn = (folder: string): string => join(folder, 'token-file.json')

export function toolServers(executable: string, say: (line: string) => void): ToolServer[] {
  const list: ToolServer[] = []
  const node = Bun.which('node')
  if (node) {
    const { command, env } = peer(node, 'peers/mcp-sdk.mjs')
    const sdk = (style: string): Launch => ({
      command,
      env: (port, folder) => ({
        ...env(port, folder),
        STYLE: style,
        TOOLS_FILE: toolsFile,
        SEED: String(people),
        SEED_FILE: tokenFileIn(folder),
      }),
    })
    list.push({ ...sdk('prepared'), id: 'prepared', name: 'MCP SDK, Server with a ready list, Node', share: 0.2 })
    list.push({ ...sdk('declared'), id: 'declared', name: 'MCP SDK, McpServer with zod schemas, Node', share: 0.05 })
  } else say('The MCP SDK is left out: there is no node here.')
  list.push({
    ...ours(executable, { PROOFGATE_BASE_URL: address }),
    id: 'ours',
    name: 'Proofgate',
    share: 1,
    seed: async ({ port }) => (await signPeopleIn({ port, address })).accessTokens,
  })
  return list
}

export async function measureToolLists(
  list: readonly ToolServer[],
  rounds: number,
  requests: number,
  say: (line: string) => void,
): Promise<SpeedRuns<ToolServerId>> {
  writeFileSync(toolsFile, JSON.stringify({ tools: await toolsOfOurs(list) }))
  return inTurns(list, rounds, (contender) => runOnce(contender, Math.ceil(requests * contender.share)), say)
}

/** The tools that Proofgate lists: the other servers have to offer the same. */
async function toolsOfOurs(list: readonly ToolServer[]): Promise<Tool[]> {
  const contender = list.find(({ id }) => id === 'ours')!
  const folder = emptyFolder(contender.id)
  const server = launch(contender, folder)
  try {
    await listening(server)
    const [token = ''] = await tokensOf(contender, server, folder)
    const { tools } = await listed(server, token)
    if (tools.length === 0) throw new Error('there are no tools')
    return tools
  } finally {
    await server.stop('SIGKILL')
  }
}

async function runOnce(contender: ToolServer, requests: number): Promise<SpeedRun> {
  const folder = emptyFolder(contender.id)
  const server = launch(contender, folder)
  try {
    await listening(server)
    const tokens = await tokensOf(contender, server, folder)
    const answerBytes = await probe(contender, server, tokens[0]!)
    const file = join(folder, 'calls.json')
    writeFileSync(file, JSON.stringify(tokens.map(listCall)))
    const warmUp = Math.max(warmUpAtLeast, requests)
    const result = await load(server, { connections, warmUp, requests, source: { replay: file }, answerBytes })
    return speedRun(result, rssMegabytes(server.pid))
  } finally {
    await server.stop('SIGKILL')
  }
}

async function tokensOf({ seed }: ToolServer, server: RunningServer, folder: string): Promise<readonly string[]> {
  const tokens: readonly string[] = seed ? await seed(server) : JSON.parse(readFileSync(tokenFileIn(folder), 'utf8'))
  if (tokens.length !== people) throw new Error(`${people} access tokens were wanted, ${tokens.length} made`)
  return tokens
}

const listCall = (token: string): Call => ({
  method: 'POST',
  path: '/mcp',
  headers: {
    Accept: 'application/json, text/event-stream',
    Authorization: `Bearer ${token}`,
    'MCP-Protocol-Version': '2025-11-25',
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
})

interface Tool {
  readonly name: string
}

/** Checks that each server does the work: it lists the same tools, and refuses a missing or altered token. */
async function probe({ id }: ToolServer, server: RunningServer, token: string): Promise<number> {
  const { tools, bytes } = await listed(server, token)
  const wanted = readFileSync(toolsFile, 'utf8')
  const names = ({ tools }: { tools: Tool[] }) => tools.map(({ name }) => name).join()
  // Schemas that have been through zod say the same in other words.
  const isSame =
    id === 'declared' ? names({ tools }) === names(JSON.parse(wanted)) : JSON.stringify({ tools }) === wanted
  if (!isSame) throw new Error(`other tools are listed: ${JSON.stringify(tools).slice(0, 400)}`)

  const altered = token.slice(0, -10) + (token.at(-10) === 'A' ? 'B' : 'A') + token.slice(-9)
  for (const bad of ['none', altered]) {
    const { status, headers } = await send(server, listCall(bad))
    if (status !== 401 || !headers.has('www-authenticate')) throw new Error(`a bad token was answered ${status}`)
  }
  return bytes
}

async function listed(
  server: RunningServer,
  token: string,
): Promise<{ readonly tools: Tool[]; readonly bytes: number }> {
  const answer = await send(server, listCall(token))
  const text = await answer.text()
  if (!answer.ok || !answer.headers.get('content-type')?.startsWith('application/json'))
    throw new Error(`tools/list was answered ${answer.status}: ${text.slice(0, 800)}`)
  const { result } = JSON.parse(text) as { result: { tools: Tool[] } }
  return { tools: result.tools, bytes: Buffer.byteLength(text) }
}

const send = ({ port }: RunningServer, { method, path, headers = {}, body = '' }: Call): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  })
