import { describe, expect, test } from 'bun:test'
import { keccak256, toBytes } from 'viem'
import { startApp } from '../app.ts'
import { alice, bob, sol } from '../wallets.ts'
import { asking, evidenceIn, failed, refused } from './ask.ts'

const id = 'ownership-basic'
const hashOf = (text: string) => keccak256(toBytes(text))
const composed = 'Caf\u00e9'
const decomposed = 'Cafe\u0301'

describe('ownership-basic (src/guides/wire.md, "ownership-basic")', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const ask = asking(app, id)
  const owner = alice.address

  test.each<[string, object, object]>([
    ['the content itself', { content: 'Hello' }, { contentHash: hashOf('Hello') }],
    ['empty content', { content: '' }, { contentHash: hashOf('') }],
    ['a hash of content that stays at home', { contentHash: hashOf('Hello') }, { contentHash: hashOf('Hello') }],
    ['a hash in upper case', { contentHash: `0x${'AB'.repeat(32)}` }, { contentHash: `0x${'ab'.repeat(32)}` }],
    ['content and its hash', { content: 'Hello', contentHash: hashOf('Hello') }, { contentHash: hashOf('Hello') }],
    [
      'decomposed content, hashed as it is, counts by the hash of its composed form',
      { content: decomposed, contentHash: hashOf(decomposed) },
      { contentHash: hashOf(composed) },
    ],
    [
      'decomposed content with the hash of its composed form',
      { content: decomposed, contentHash: hashOf(composed) },
      { contentHash: hashOf(composed) },
    ],
    [
      'a reference with an id',
      { reference: { type: 'url', id: 'https://example.com/a', title: 'T' } },
      { reference: { type: 'url', id: 'https://example.com/a', title: 'T' } },
    ],
    [
      'a reference without an id beside content',
      { content: 'x', reference: { type: 'other' } },
      { reference: { type: 'other' } },
    ],
    ...['doc', 'media', 'other', 'ipfs'].map((type): [string, object, object] => [
      `any id in a reference of the type ${type}`,
      { reference: { type, id: 'shelf:7' } },
      { reference: { type, id: 'shelf:7' } },
    ]),
    [
      'the oldest type of reference',
      { reference: { type: 'content', id: 'a' } },
      { reference: { type: 'content', id: 'a' } },
    ],
    [
      'provenance and a content type',
      {
        content: 'x',
        contentType: 'text/plain',
        provenance: { declaredKind: 'ai', aiContext: { generatorType: 'saas', model: 'm' } },
      },
      {
        contentType: 'text/plain',
        provenance: { declaredKind: 'ai', aiContext: { generatorType: 'saas', model: 'm' } },
      },
    ],
    ['content of 50,000 characters', { content: 'x'.repeat(50_000) }, { contentHash: hashOf('x'.repeat(50_000)) }],
  ])('holds: %s', async (_, data, evidence) => {
    const answer = await ask(alice, { owner, ...data })
    expect(answer.status).toBe(200)
    expect(answer.body.data.verifiedVerifiers[0]).toMatchObject({ verified: true, status: 'origin-authenticated' })
    expect(evidenceIn(answer)).toMatchObject({
      owner: owner.toLowerCase(),
      timestamp: app.now(),
      chainId: 84532,
      ...evidence,
    })
    expect(evidenceIn(answer)).not.toHaveProperty('content')
  })

  test('holds: the owner may be spelled in either case, and a Solana owner as it is', async () => {
    expect((await ask(alice, { owner: owner.toLowerCase(), content: 'x' })).status).toBe(200)
    const answer = await ask(sol, { owner: sol.address, content: 'x' })
    expect(evidenceIn(answer)).toMatchObject({ owner: sol.address, chain: 'solana:mainnet' })
    expect(evidenceIn(answer)).not.toHaveProperty('chainId')
  })

  test.each<[string, object, string]>([
    ['the owner is another wallet', { owner: bob.address, content: 'x' }, 'OWNER_MISMATCH'],
    ['the hash is of other content', { content: 'Hello', contentHash: hashOf('Hallo') }, 'CONTENT_HASH_MISMATCH'],
  ])('fails: %s', async (_, data, reason) => {
    expect(await ask(alice, { owner, ...data })).toMatchObject(failed(id, reason))
  })

  test.each<[string, object, string]>([
    ['nothing durable to point at', {}, '/content'],
    ['a reference without an id alone', { reference: { type: 'url' } }, '/content'],
    ['an empty id alone', { reference: { type: 'url', id: '' } }, '/content'],
    ['no owner', { owner: undefined, content: 'x' }, '/owner'],
    ['an owner that is no wallet', { owner: 'Alice!', content: 'x' }, '/owner'],
    ['a hash that is too short', { contentHash: '0x12' }, '/contentHash'],
    ['content of 50,001 characters', { content: 'x'.repeat(50_001) }, '/content'],
    ...[
      'javascript:alert(1)',
      'https:e.example',
      'https:/e.example',
      'https:\\\\e.example',
      'ftp://e.example',
      'e.example',
    ].map((address): [string, object, string] => [
      `${address} as a reference of the type url`,
      { content: 'x', reference: { type: 'url', id: address } },
      '/reference/id',
    ]),
    ['an unknown type of reference', { reference: { type: 'carrier-pigeon', id: 'a' } }, '/reference/type'],
    ['a negative size', { reference: { type: 'file', id: 'a', size: -1 } }, '/reference/size'],
    ['an id of 2049 characters', { reference: { type: 'file', id: 'a'.repeat(2049) } }, '/reference/id'],
    [
      'an unknown kind of provenance',
      { content: 'x', provenance: { declaredKind: 'alien' } },
      '/provenance/declaredKind',
    ],
  ])('refused: %s', async (_, data, path) => {
    expect(await ask(alice, { owner, ...data })).toMatchObject(refused(id, path))
  })

  test('two runs of one claim are versions of it, whichever way the content was spelled', async () => {
    const first = await ask(
      alice,
      { owner, content: composed },
      { options: { privacyLevel: 'public', publicDisplay: true } },
    )
    const second = await ask(
      alice,
      { owner, content: decomposed, contentType: 'text/plain' },
      { options: { privacyLevel: 'public', publicDisplay: true } },
    )
    const { body } = await app.get(`/api/v1/proofs/${first.body.data.qHash}?latestScope=1`)
    expect(body.data.qHash).toBe(second.body.data.qHash)
  })
})
