/** The worst known requests to the MCP endpoint: every tool, with as much as its arguments take. */
import { tools } from '../../src/mcp/tools/index.ts'
import { type HardJson, hardJson } from '../fuzz/hard-json.ts'
import { hardValue } from '../fuzz/hard-request.ts'
import { type HardText, hardTexts } from '../fuzz/hard-text.ts'
import { post, type Stage, type WorstCase } from './worst-case.ts'
import type { KnownWorst } from './worst-known-proofs.ts'
import { proofId, walletOf } from './worst-store.ts'

const accepting = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' }

/** Arguments of each tool that make it look at the most. */
const knownArguments: Readonly<Record<string, readonly object[]>> = {
  context: [{}],
  verifiers_catalog: [{}],
  proofs_check: [
    { gateId: 'gate_counts' },
    { gateId: 'gate_texts', wallet: walletOf('textHolder') },
    { verifiers: ['ownership-basic'], minCount: 1_000 },
    {
      verifiers: Array.from({ length: 16 }, (_, at) => (at % 2 ? 'ownership-basic' : `agent-delegation@${at}`)),
      minCount: 1_000,
    },
    {
      verifiers: Array.from({ length: 16 }, (_, at) => `ownership-basic@${at}`),
      minCount: 1_000,
      handle: 'h'.repeat(256),
    },
  ],
  verify_or_guide: [
    {
      verifierIds: Array.from(
        { length: 16 },
        (_, at) => ['ownership-basic', 'agent-delegation', 'wallet-link'][at % 3],
      ),
    },
    { verifierIds: ['ownership-basic'], data: { contentHash: 'x'.repeat(100_000) } },
  ],
  verify: [
    { verifierIds: ['ownership-basic'], data: { content: 'x'.repeat(49_000) } },
    { verifierIds: ['ai-content-moderation'], data: { content: 'f.u.c.k '.repeat(3_000), contentType: 'text/plain' } },
  ],
  proofs_get: [
    { limit: 100 },
    { limit: 100, include: 'content' },
    { limit: 100, include: 'content', verifierId: 'agent-delegation' },
    { limit: 100, tags: Array.from({ length: 32 }, (_, at) => `none-${at}`).join(',') },
    { offset: 100_000, limit: 100, tags: 'none' },
    { agentWallet: walletOf('owner') },
  ],
  agent_create: [{ agentId: 'agent-1', agentWallet: walletOf('textHolder'), instructions: 'i'.repeat(16_000) }],
  agent_link: [{ agentWallet: walletOf('textHolder'), agentId: 'none' }],
  agent_mount: [
    { agentId: 'none' },
    { agentId: 'agent-1' },
    { identityQHash: proofId(walletOf('owner'), 'delegation', 1) },
  ],
  secret_create: [{ alias: 'A', secretType: 'bundle', content: '{"a":"b"}' }],
  secret_list: [{ limit: 200 }, { limit: 200, offset: 799 }],
  secret_revoke: [{ qHash: proofId(walletOf('owner'), 'delegation', 1) }],
}

/** One kind of text for texts, one kind of document for free members. */
const hardArguments: readonly (readonly [HardText, HardJson])[] = [
  ...hardTexts.map((text) => [text, text] as const),
  ['one letter', 'many members'],
  ['one letter', 'deep nesting'],
  ['one letter', 'short texts'],
  ['one letter', 'long numbers'],
  ['one letter', 'marks in a name'],
]

const call = (stage: Stage, name: string, argumentsText: string, isSigned = true) =>
  post(
    '/mcp',
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${stage.credentials.brand}_${name}","arguments":${argumentsText}}}`,
    isSigned ? { ...accepting, authorization: `Bearer ${stage.credentials.accessToken}` } : accepting,
  )

export const knownMcp: KnownWorst = {
  'ALL /mcp': (stage) => [
    ...tools.flatMap((tool): Omit<WorstCase, 'route'>[] => {
      const known = knownArguments[tool.name]
      if (known === undefined)
        throw new Error(`no worst request is known of the tool ${tool.name}: add it to worst-known-mcp.ts`)
      const named = { wallet: walletOf('owner'), walletAddress: walletOf('owner'), identifier: walletOf('owner') }
      const hard = hardArguments.map(([text, document]): Omit<WorstCase, 'route'> => {
        const value = hardValue(tool.input, { text, document, bytes: 0 }, { texts: ['eip155:1', 'a'], named })
        const body = JSON.stringify(value).replaceAll('"@@document@@"', `{"a":${hardJson(document, 150_000)}}`)
        return {
          name: `${tool.name}: ${text}, ${document}`,
          sender: 'signed in',
          request: () => call(stage, tool.name, body),
        }
      })
      return [
        ...known.map(
          (one, at): Omit<WorstCase, 'route'> => ({
            name: `${tool.name}, ${at + 1}`,
            sender: 'signed in',
            request: () => call(stage, tool.name, JSON.stringify(one)),
          }),
        ),
        ...hard,
        {
          name: `${tool.name} without a token`,
          sender: 'stranger',
          request: () => call(stage, tool.name, JSON.stringify(known[0]), false),
        },
      ]
    }),
    ...['tools/list', 'prompts/list', 'resources/list', 'initialize', 'ping'].map(
      (method): Omit<WorstCase, 'route'> => ({
        name: method,
        sender: 'signed in',
        request: () =>
          post(
            '/mcp',
            { jsonrpc: '2.0', id: 1, method, params: {} },
            { ...accepting, authorization: `Bearer ${stage.credentials.accessToken}` },
          ),
      }),
    ),
    {
      name: 'a batch of 5,000 calls',
      sender: 'signed in',
      request: () =>
        post(
          '/mcp',
          Array.from({ length: 5_000 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' })),
          { ...accepting, authorization: `Bearer ${stage.credentials.accessToken}` },
        ),
    },
  ],
}
