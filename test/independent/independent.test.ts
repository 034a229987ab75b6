/** Portable proofs are useful without our code: two scripts with other libraries check proofs of the real server. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startApp, type TestApp } from '../app.ts'
import { temporaryFolder } from '../parts/folders.ts'
import vectors from '../vectors/envelopes.json' with { type: 'json' }
import { alice, sol, type TestWallet } from '../wallets.ts'

const folder = temporaryFolder()
const javascript = Bun.which('node') ?? process.execPath
let count = 0

type Proof = Record<string, unknown>

function judge(script: string, proof: Proof): { code: number; out: string } {
  const file = join(folder, `proof-${++count}.json`)
  writeFileSync(file, JSON.stringify(proof))
  const { exitCode, stdout } = Bun.spawnSync([javascript, join(import.meta.dir, script), file])
  return { code: exitCode, out: stdout.toString() }
}

const datas: [string, object][] = [
  ['plain', {}],
  [
    'with a text whose characters are composed in two ways',
    { content: 'Gru\u0308ße, e\u0301lève 🎟 \u0000\u001f"\\/\u2028' },
  ],
  ['with a flag', { content: 'x', '\u{1f600}': 1, '\ue000': 2, ä: 3, a: 4 }],
  ['with nesting', { content: 'x', nested: { b: [1, { z: null, a: [] }], a: { '10': 1, '9': 2 } } }],
  ['with numbers', { content: 'x', numbers: [1.0, -0, 1e21, 1e-7, 0.1, 123456789012345680000, 5e-324] }],
  ['with members of the prototype', JSON.parse('{"content":"x","__proto__":{"a":1},"constructor":2}')],
]

const wallets: [string, TestWallet, string][] = [
  ['an EVM wallet', alice, 'verify-ethers.mjs'],
  ['a Solana wallet', sol, 'verify-solana.mjs'],
]

for (const [name, wallet, script] of wallets)
  describe(`a portable proof of ${name}, checked without our code`, () => {
    let app: TestApp
    let sample: Proof
    async function prove(data: object, more: object = {}): Promise<Proof> {
      const claim = {
        verifierIds: ['ownership-basic'],
        data: { content: 'x', ...data, owner: wallet.address },
        ...more,
      }
      const { status, body } = await app.submit(wallet, claim)
      expect({ status, error: body.error }).toEqual({ status: 200, error: undefined })
      // The proof as it arrives at a client: through JSON.
      return JSON.parse(JSON.stringify(body.data.portableProof))
    }
    beforeAll(async () => {
      app = await startApp()
      sample = await prove({ content: 'The sample', list: ['é', 1] })
    })

    test.each(datas)('is valid: %s', async (_, data) => {
      expect(judge(script, await prove(data))).toEqual({
        code: 0,
        out: expect.stringContaining('valid: signed by did:pkh:'),
      })
    })

    test('is valid with several verifiers, in the order of the request', async () => {
      const verifierIds = ['ownership-pseudonym', 'ownership-basic']
      const data = {
        'ownership-basic': { owner: wallet.address, content: 'x' },
        'ownership-pseudonym': { pseudonymId: `name-${wallet.address.slice(2, 8).toLowerCase()}` },
      }
      const { status, body } = await app.submit(wallet, { verifierIds, data })
      expect({ status, error: body.error }).toEqual({ status: 200, error: undefined })
      expect(judge(script, body.data.portableProof).code).toBe(0)
    })

    const changes: [string, (proof: Proof) => object][] = [
      ['data', ({ data }) => ({ data: { ...(data as object), content: 'The Sample' } })],
      ['data, with one member more', ({ data }) => ({ data: { ...(data as object), more: 1 } })],
      ['signedTimestamp', ({ signedTimestamp }) => ({ signedTimestamp: (signedTimestamp as number) + 1 })],
      ['verifierIds', () => ({ verifierIds: ['wallet-link'] })],
      ['qHash', ({ qHash }) => ({ qHash: `0x${'0'.repeat(63)}${(qHash as string).endsWith('1') ? 2 : 1}` })],
      ['did', ({ did }) => ({ did: `${did}x` })],
      [
        'signature',
        ({ signature }) => ({ signature: `${(signature as string).slice(0, 40)}1${(signature as string).slice(41)}2` }),
      ],
      [
        'walletAddress',
        ({ chain }) => ({ walletAddress: chain ? '11111111111111111111111111111112' : `0x${'1'.repeat(40)}` }),
      ],
      ['signatureMethod', () => ({ signatureMethod: 'other' })],
      ['chain and chainId', () => ({ chain: 'eip155:84532', chainId: 84532 })],
    ]
    test.each(changes)('is not valid with another %s', (_, change) => {
      const { code, out } = judge(script, { ...sample, ...change(sample) })
      expect(out).toStartWith('not valid: ')
      expect(code).toBe(1)
    })

    test('agrees with the published vectors', () => {
      const published = vectors.filter(
        ({ signatureMethod, request }) =>
          signatureMethod && (request.chain?.startsWith('solana:') ?? false) === (wallet === sol),
      )
      expect(published.length).toBeGreaterThan(0)
      for (const { request, did, qHash, signature, signatureMethod } of published)
        expect(judge(script, { qHash, did, ...request, signature, signatureMethod }).code).toBe(0)
    })
  })
