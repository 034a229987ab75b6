/** Each of these requests once blocked the server for seconds. */
import { alice, bob } from '../wallets.ts'
import type { HardRequest } from './hard-request.ts'
import type { HardStage } from './hard-stage.ts'
import { hardText } from './hard-text.ts'

const api = '/api/v1'
const json = { 'content-type': 'application/json' }

const get = (path: string, headers: Record<string, string> = {}): HardRequest => ({
  method: 'GET',
  path,
  headers,
  body: undefined,
})
const post = (path: string, body: unknown, headers: Record<string, string> = {}): HardRequest => ({
  method: 'POST',
  path,
  headers: { ...json, ...headers },
  body: JSON.stringify(body),
})

const session = (stage: HardStage): Record<string, string> => stage.credentials({ method: 'GET', path: '/' })

const claim = (stage: HardStage, text: string, more: object = {}) => ({
  walletAddress: alice.address,
  verifierIds: ['ownership-basic'],
  data: { owner: alice.address, text },
  signedTimestamp: stage.app.now(),
  ...more,
})

const run = hardText('a run of marks', 60_000)
const forged = { signature: `0x${'11'.repeat(64)}1b` }
const preview = (body: object) => (stage: HardStage) => post(`${api}/profile/gates/preview`, body, session(stage))

const requirement = { id: 'r1', verifierId: 'ownership-basic' }
const longRequirement = {
  ...requirement,
  match: Array.from({ length: 16 }, (_, at) => ({ path: `input.a${at}`, op: 'eq', value: 'v'.repeat(500) })),
}
const keys = (count: number): string =>
  Array.from({ length: count }, (_, at) => `k${at}="${'v'.repeat(18)}"`).join('\n')
const tags = (count: number): string => Array.from({ length: count }, (_, at) => `none-of-these-${at}`).join(',')
const many = (parameters: object) => ({ checks: Array.from({ length: 100 }, () => parameters) })
const tool = (name: string, args: object) => (stage: HardStage) =>
  post(
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: `svc_${name}`, arguments: args } },
    {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
      ...stage.credentials({ method: 'ALL', path: '/mcp' }),
    },
  )

export const knownRequests: readonly (readonly [title: string, request: (stage: HardStage) => HardRequest])[] = [
  ['standardize of a run of marks', (stage) => post(`${api}/verification/standardize`, claim(stage, run))],
  [
    'standardize of a name that is a run of marks',
    (stage) => post(`${api}/verification/standardize`, claim(stage, '', { data: { [run]: 1 } })),
  ],
  ['diagnose of a run of marks', (stage) => post(`${api}/verification/diagnose`, claim(stage, run, forged))],
  ['verification of a run of marks', (stage) => post(`${api}/verification`, claim(stage, run, forged))],
  [
    'a gate named by a run of marks',
    () =>
      post(`${api}/profile/gates`, {
        definition: { gateId: 'gate_x', name: run },
        walletAddress: alice.address,
        ...forged,
        signedTimestamp: Date.now(),
      }),
  ],
  ['a tool that is told a run of marks', tool('verify', { verifierIds: ['ownership-basic'], data: { text: run } })],
  [
    'runs of 30 marks, which text may have',
    (stage) => post(`${api}/verification/standardize`, claim(stage, hardText('30 marks in a row', 60_000))),
  ],
  ['a check of a gate of long texts', () => get(`${api}/proofs/check?address=${bob.address}&gateId=gate_texts`)],
  [
    'an explained check of a gate of long texts',
    () => get(`${api}/proofs/check?address=${bob.address}&gateId=gate_texts&explain=1`),
  ],
  [
    '100 checks of a gate of long texts',
    () => post(`${api}/proofs/check`, many({ address: bob.address, gateId: 'gate_texts' })),
  ],
  ['a tool that checks a gate of long texts', tool('proofs_check', { wallet: bob.address, gateId: 'gate_texts' })],
  [
    'a trial of a gate of long texts',
    (stage) => post(`${api}/profile/gates/test`, { gateId: 'gate_texts', wallet: bob.address }, session(stage)),
  ],
  [
    'a check of a gate that wants 32 times 1,000 proofs',
    () => get(`${api}/proofs/check?address=${alice.address}&gateId=gate_counts&explain=1&includeQHashes=1`),
  ],
  [
    '100 checks of a gate that wants 32 times 1,000 proofs',
    () => post(`${api}/proofs/check`, many({ address: alice.address, gateId: 'gate_counts' })),
  ],
  [
    '100 checks that no index helps',
    () => post(`${api}/proofs/check`, many({ address: alice.address, tokenId: '1', explain: true })),
  ],
  [
    'a trial whose conditions no proof meets',
    (stage) =>
      post(
        `${api}/profile/gates/test`,
        {
          wallet: alice.address,
          definition: {
            gateId: 'gate_x',
            name: 'x',
            requirements: Array.from({ length: 32 }, () => ({
              verifierId: 'ownership-basic',
              minCount: 31,
              match: [{ path: 'contentType', op: 'eq', value: 'none' }],
            })),
          },
        },
        session(stage),
      ),
  ],
  [
    'a preview of a rule of 20,000 entries, without a name',
    preview({
      definition: {
        gateId: 'gate_x',
        name: '',
        requirements: [longRequirement],
        rule: { any: Array.from({ length: 20_000 }, () => 'r1') },
      },
    }),
  ],
  [
    'a preview of a rule of 84,000 entries',
    preview({
      definition: {
        gateId: 'gate_x',
        name: 'x',
        requirements: [requirement],
        rule: { any: Array.from({ length: 84_000 }, () => 'r1') },
      },
    }),
  ],
  [
    'a preview of TOML that ends in a long broken list',
    preview({ policy: { format: 'toml', text: `${keys(1_900)}\nk=[${'1,\n'.repeat(499)}` } }),
  ],
  [
    'a preview of TOML that sets a key twice',
    preview({ policy: { format: 'toml', text: `${keys(1_900)}\nk0=[${'\n'.repeat(499)}]` } }),
  ],
  ['a list by 63 tags', () => get(`${api}/proofs/by-wallet/${alice.address}?tags=${tags(63)}`)],
  [
    'a list with its most frequent tags',
    () => get(`${api}/proofs/by-wallet/${alice.address}?includeFacets=1&limit=1000`),
  ],
  [
    'the longest list of the owner',
    (stage) => get(`${api}/proofs/by-wallet/${alice.address}?limit=1000`, session(stage)),
  ],
  ['all gates on display', () => get(`${api}/profile/gates/discoverable?limit=120`)],
  ['all gates of an owner', (stage) => get(`${api}/profile/gates`, session(stage))],
]
