import { afterAll, describe, expect, test } from 'bun:test'
import { keccak256, toBytes } from 'viem'
import { mapInOrder } from '../../src/in-order.ts'
import { startApp, type TestApp } from '../app.ts'
import { leavesNothing } from '../http/refused.ts'
import { openaiEnv, visionEnv } from '../outside/moderation/opened.ts'
import {
  animatedGif,
  animatedPng,
  base64,
  extendedWebp,
  gif,
  jpeg,
  png,
  unreadablePng,
  webp,
} from '../outside/moderation/pictures.ts'
import { startOpenai, startVision } from '../parts/moderation-providers.ts'
import { select } from '../parts/select.ts'
import { alice, bob, sol } from '../wallets.ts'
import { asking, evidenceIn, failed, refused } from './ask.ts'

const id = 'ai-content-moderation'
const unlimited = { PROOFGATE_LIMITS_ENABLED: 'false' }
const hashOf = (text: string) => keccak256(toBytes(text))

/** Everything that the tables of proofs and contents hold. */
const storedIn = async ({ parts }: TestApp): Promise<string> =>
  JSON.stringify(await mapInOrder(['proofs', 'contents'], (table) => select(parts.db, `SELECT * FROM ${table}`).all()))

describe('ai-content-moderation as it is shipped (src/guides/wire.md, "ai-content-moderation")', async () => {
  const app = await startApp(unlimited)
  const ask = asking(app, id)
  afterAll(() => app.close())

  test('is in the catalog, permanent, and says how the content is hashed', async () => {
    const { body } = await app.get('/api/v1/verification/verifiers')
    expect(body.data).toContain(id)
    expect(body.metadata[id]).toMatchObject({
      category: 'ai',
      flowType: 'external_lookup',
      expiryType: 'permanent',
      allowsDelegatedSubject: false,
      supportsDirectApi: true,
      description: expect.stringContaining('keccak-256'),
      requiredFields: ['content', 'contentType'],
      optionalFields: ['provider'],
    })
  })

  test('holds for harmless text, with the hash, the judge and the time, and without the content', async () => {
    const content = 'A walk in the park, seen from above.'
    const answer = await ask(alice, { content, contentType: 'text/plain' })
    expect(answer.status).toBe(200)
    expect(answer.body.data.verifiedVerifiers[0]).toMatchObject({ verified: true, status: 'content_moderated' })
    expect(evidenceIn(answer)).toEqual({
      contentHash: hashOf(content),
      contentType: 'text/plain',
      provider: 'embedded',
      model: 'allprofanity 2.4.0 (English)',
      safe: true,
      categories: { profanity: false },
      scores: {},
      chosenByCaller: false,
      asked: [
        {
          provider: 'embedded',
          answered: true,
          model: 'allprofanity 2.4.0 (English)',
          safe: true,
          checked: ['profanity'],
        },
      ],
      checkedAt: app.now(),
      sources: ['moderation.text'],
    })
    // The portable proof returns the signed content to the signer alone, and none of it is stored.
    expect(answer.body.data.portableProof.data.content).toBe(content)
    expect(await storedIn(app)).not.toContain('seen from above')
  })

  test.each([
    ['text/plain', 'text/plain'],
    ['text/markdown', 'text/markdown'],
    ['text/x-markdown', 'text/x-markdown'],
    ['application/json', 'application/json'],
    ['application/xml', 'application/xml'],
    ['text/plain; charset=utf-8', 'text/plain'],
    ['text/plain;charset=UTF-8', 'text/plain'],
    ['application/json; charset=utf-8', 'application/json'],
  ])('holds for %s', async (contentType, stored) => {
    const answer = await ask(alice, { content: '{"a": "harmless"}', contentType })
    expect(answer.status).toBe(200)
    expect(evidenceIn(answer).contentType).toBe(stored)
  })

  test('holds with the word list by name, and for a wallet of another chain', async () => {
    expect((await ask(alice, { content: 'x', contentType: 'text/plain', provider: 'embedded' })).status).toBe(200)
    expect((await ask(sol, { content: 'x', contentType: 'text/plain' })).status).toBe(200)
  })

  test('has the content hash of ownership-basic, so that both speak of one content', async () => {
    const content = 'Cafe\u0301'
    const claim = { content, contentType: 'text/plain' }
    const answer = await app.submit(alice, {
      verifierIds: ['ownership-basic', id],
      data: { 'ownership-basic': { owner: alice.address, content }, [id]: claim },
    })
    const [basic, moderation] = answer.body.data.verifiedVerifiers
    expect(moderation.data.contentHash).toBe(basic.data.contentHash)
    expect(moderation.data.contentHash).toBe(hashOf('Caf\u00e9'))
  })

  test('is not judged where ligatures make the text longer than it may be', async () => {
    const judge = (count: number) => ask(alice, { content: '\ufdfa'.repeat(count), contentType: 'text/plain' })
    expect((await judge(1_000)).status).toBe(200)
    const answer = await judge(2_000)
    expect(answer).toMatchObject(refused(id, '/content'))
    expect(answer.body.error.message).toContain('more than 51200 bytes of UTF-8 once its ligatures')
  })

  test('holds for 51,200 bytes of text, and refuses one more, also when it is few characters', async () => {
    const contentType = 'text/plain'
    expect((await ask(alice, { content: 'é'.repeat(25_600), contentType })).status).toBe(200)
    const answer = await ask(alice, { content: `${'é'.repeat(25_600)}x`, contentType })
    expect(answer).toMatchObject(refused(id, '/content'))
    expect(answer.body.error.message).toContain('51201 bytes')
  })

  test.each([
    ['text/plain', 'Well, shit.'],
    ['text/markdown', '**f.u.c.k**'],
    ['application/json', '{"a":"\\u0066uck"}'],
  ])('fails for a listed word in %s, says the category, and stores nothing', async (contentType, content) => {
    const answer = await leavesNothing(app.parts, () => ask(alice, { content, contentType }))
    expect(answer).toMatchObject(failed(id, 'CONTENT_FLAGGED'))
    expect(answer.body.error.message).toBe(`${id}: embedded flags this content: profanity`)
  })

  const text = { content: 'x', contentType: 'text/plain' }
  test.each<[string, object, string]>([
    ['no content', { contentType: 'text/plain' }, '/content'],
    ['empty content', { content: '', contentType: 'text/plain' }, '/content'],
    ['content that is no string', { content: { a: 1 }, contentType: 'application/json' }, '/content'],
    ['no content type', { content: 'x' }, '/contentType'],
    ['a type of another kind', { ...text, contentType: 'video/mp4' }, '/contentType'],
    ['a type of image that is none of the four', { ...text, contentType: 'image/svg+xml' }, '/contentType'],
    ['a type in capitals', { ...text, contentType: 'TEXT/PLAIN' }, '/contentType'],
    ['another charset', { ...text, contentType: 'text/plain; charset=latin1' }, '/contentType'],
    ['a charset of an image', { ...text, contentType: 'image/png; charset=utf-8' }, '/contentType'],
    ['more behind the charset', { ...text, contentType: 'text/plain; charset=utf-8; x=y' }, '/contentType'],
    ['a provider nobody knows', { ...text, provider: 'skynet' }, '/provider'],
    ['a reference in place of text', { ...text, content: 'ipfs://bafybeigdyrzt5sfp7' }, '/content'],
    ['a reference in other letters', { ...text, content: ' IPFS://bafybeigdyrzt5sfp7\n' }, '/content'],
  ])('refused: %s', async (_, data, path) => {
    const answer = await leavesNothing(app.parts, () => ask(alice, data))
    expect(answer).toMatchObject(refused(id, path))
  })

  test('text that only mentions a reference is text', async () => {
    expect((await ask(alice, { ...text, content: 'see ipfs://bafybeigdyrzt5sfp7 for more' })).status).toBe(200)
  })

  test.each([
    ['openai', 'openai is not in moderation.selectable, and is not configured'],
    ['google-perspective', 'Google closes it on 2026-12-31'],
    ['google-vision', 'google-vision is not in moderation.selectable, and is not configured'],
  ])('refused: the provider %s, with the setting that decides and who judges', async (provider, hint) => {
    const answer = await ask(alice, { ...text, provider })
    expect(answer).toMatchObject(refused(id, '/provider'))
    expect(answer.body.error.message).toContain(hint)
    expect(answer.body.error.message).toEndWith('Leave it out, and embedded will judge')
  })

  test('refused: the word list for an image, and an image without a judge', async () => {
    const image = { content: base64(png()), contentType: 'image/png' }
    const named = await ask(alice, { ...image, provider: 'embedded' })
    expect(named).toMatchObject(refused(id, '/provider'))
    expect(named.body.error.message).toContain('the provider embedded does not judge images')
    const unnamed = await ask(alice, image)
    expect(unnamed).toMatchObject(refused(id, '/contentType'))
    expect(unnamed.body.error.message).toContain('moderation.image')
  })

  test('refused: about another wallet than the signer', async () => {
    const answer = await ask(alice, text, { subjectWallet: bob.address })
    expect({ status: answer.status, code: answer.body.error.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
  })

  test('two runs over one text are versions of one claim, and another text is another claim', async () => {
    const options = { privacyLevel: 'public', publicDisplay: true }
    const first = await ask(alice, { content: 'Cafe\u0301 one', contentType: 'text/plain' }, { options })
    const second = await ask(alice, { content: 'Caf\u00e9 one', contentType: 'text/markdown' }, { options })
    await ask(alice, { content: 'Café two', contentType: 'text/plain' }, { options })
    const { body } = await app.get(`/api/v1/proofs/${first.body.data.qHash}?latestScope=1`)
    expect(body.data.qHash).toBe(second.body.data.qHash)
  })

  test.each([
    ['shows content that was to be kept', true],
    ['does not show content that was not to be kept', false],
  ])('a public proof %s, and its evidence never does', async (_, storeOriginalContent) => {
    const content = `The quiet words of ${app.now()}`
    const options = { privacyLevel: 'public', storeOriginalContent }
    const { body } = await ask(alice, { content, contentType: 'text/plain' }, { options })
    const { data } = (await app.get(`/api/v1/proofs/${body.data.qHash}`)).body
    expect(data.publicContent).toEqual(storeOriginalContent ? { content } : undefined)
    expect(data.contentResolutionStatus).toBe(storeOriginalContent ? 'resolved' : 'hash_only_not_recoverable')
    expect(data.verifiedVerifiers[0].data).toMatchObject({ safe: true, contentHash: hashOf(content) })
    expect(JSON.stringify(data.verifiedVerifiers)).not.toContain('quiet words')
  })

  test('a private proof shows strangers no content, and its owner the content that was kept', async () => {
    const content = `The secret words of ${app.now()}`
    const options = { privacyLevel: 'private', storeOriginalContent: true }
    const { body } = await ask(alice, { content, contentType: 'text/plain' }, { options })
    const { qHash } = body.data
    const path = `/api/v1/proofs/${qHash}`
    expect(Object.keys((await app.get(path)).body.data).sort()).toEqual([
      'createdAt',
      'lastUpdated',
      'privacyLevel',
      'qHash',
      'status',
    ])
    const own = await app.get(path, await app.ownerHeaders(alice, { action: 'access_private_proof', qHash }))
    expect(own.body.data.publicContent).toEqual({ content })
    expect(own.body.data.verifiedVerifiers[0].data.contentHash).toBe(hashOf(content))
    expect(await storedIn(app)).not.toContain('secret words')
  })

  test('an image above limits.body_bytes is answered with 413 and the name of the setting', async () => {
    const answer = await ask(alice, { content: 'A'.repeat(600_000), contentType: 'image/png' })
    expect(answer.status).toBe(413)
    expect(answer.body.error.message).toContain('limits.body_bytes')
  })
})

describe('ai-content-moderation of images', async () => {
  const openai = startOpenai()
  const vision = startVision()
  const app = await startApp({
    ...unlimited,
    ...openaiEnv(openai),
    ...visionEnv(vision),
    PROOFGATE_MODERATION_SELECTABLE: 'openai',
    PROOFGATE_LIMITS_BODY_BYTES: '16777216',
  })
  const ask = asking(app, id)
  afterAll(async () => {
    await Promise.all([openai.stop(), vision.stop(), app.close()])
    expect([...openai.departures, ...vision.departures]).toEqual([])
  })

  const pictures = {
    'image/png': png(),
    'image/jpeg': await jpeg(),
    'image/webp': await webp(),
    'image/gif': gif(),
  } as const

  test.each(Object.entries(pictures))('holds for a harmless %s', async (contentType, bytes) => {
    const answer = await ask(alice, { content: base64(bytes), contentType })
    expect(answer.status).toBe(200)
    expect(evidenceIn(answer)).toEqual({
      contentHash: keccak256(bytes),
      contentType,
      provider: 'google-vision',
      model: 'Google Cloud Vision v1 SAFE_SEARCH_DETECTION',
      safe: true,
      categories: { adult: false, violence: false, racy: false },
      scores: { adult: 0.25, violence: 0, racy: 0.5, spoof: 1, medical: 1 },
      chosenByCaller: false,
      asked: [
        {
          provider: 'google-vision',
          answered: true,
          model: 'Google Cloud Vision v1 SAFE_SEARCH_DETECTION',
          safe: true,
          checked: ['adult', 'violence', 'racy'],
        },
      ],
      checkedAt: app.now(),
      sources: ['moderation.google_vision'],
    })
    expect(await storedIn(app)).not.toContain(base64(bytes))
  })

  test('holds for a data: URL of the type, with the same hash', async () => {
    const answer = await ask(alice, {
      content: `data:image/png;base64,${base64(png())}`,
      contentType: 'image/png',
      provider: 'openai',
    })
    expect(evidenceIn(answer)).toMatchObject({
      contentHash: keccak256(png()),
      provider: 'openai',
      model: 'omni-moderation-2024-09-26',
      sources: ['moderation.openai'],
    })
  })

  test('is never kept, also where the request asks for it', async () => {
    const content = base64(png())
    const options = { privacyLevel: 'public', storeOriginalContent: true }
    const { body } = await ask(alice, { content, contentType: 'image/png' }, { options })
    const read = await app.get(`/api/v1/proofs/${body.data.qHash}`)
    expect(read.body.data).not.toHaveProperty('publicContent')
    expect(JSON.stringify(read.body)).not.toContain(content)
  })

  test.each([
    ['google-vision', 'adult'],
    ['openai', 'sexual'],
  ])('fails where %s flags it, says the category, and stores nothing', async (provider, category) => {
    const data = { content: base64(png(2)), contentType: 'image/png', provider }
    const answer = await leavesNothing(app.parts, () => ask(alice, data))
    expect(answer).toMatchObject(failed(id, 'CONTENT_FLAGGED'))
    expect(answer.body.error.message).toBe(`${id}: ${provider} flags this content: ${category}`)
  })

  test('a flagged image beside a claim that holds makes a proof that says so, without the image', async () => {
    app.wait(1)
    const content = base64(png(2))
    const answer = await app.submit(alice, {
      verifierIds: ['ownership-basic', id],
      data: {
        'ownership-basic': { owner: alice.address, content: 'mine' },
        [id]: { content, contentType: 'image/png' },
      },
    })
    expect(answer.body.data.status).toBe('partially_verified')
    expect(answer.body.data.verifiedVerifiers[1]).toMatchObject({
      verified: false,
      data: { reason: 'CONTENT_FLAGGED' },
    })
    expect(await storedIn(app)).not.toContain(content)
  })

  const image = base64(png())
  test.each<[string, string, string, RegExp]>([
    ['a PNG called a JPEG', image, 'image/jpeg', /contentType is image\/jpeg, but the content is image\/png/],
    ['a JPEG called a PNG', base64(pictures['image/jpeg']), 'image/png', /is image\/jpeg/],
    ['a GIF called a WebP', base64(gif()), 'image/webp', /is image\/gif/],
    ['text called a PNG', base64(Buffer.from('Hello, this is text')), 'image/png', /no such image/],
    ['an SVG called a PNG', base64(Buffer.from('<svg xmlns="x"/>')), 'image/png', /no such image/],
    ['nothing in a data: URL', 'data:image/png;base64,', 'image/png', /no such image/],
    ['text that is not base64', 'Hello, this is text', 'image/png', /base64/],
    ['base64 without its padding', image.replace(/=+$/, ''), 'image/png', /base64/],
    ['base64 with a line break', `${image.slice(0, 8)}\n${image.slice(8)}`, 'image/png', /base64/],
    ['base64 with a space at its end', `${image} `, 'image/png', /base64/],
    [
      'base64 of addresses (RFC 4648 section 5)',
      base64(Buffer.concat([png(), Uint8Array.of(0xfb, 0xff, 0xfe)]))
        .replaceAll('+', '-')
        .replaceAll('/', '_'),
      'image/png',
      /base64/,
    ],
    [
      'base64 with bits behind its end',
      `${base64(Buffer.concat([png(), Uint8Array.of(1)]).subarray(0, 70)).slice(0, -3)}R==`,
      'image/png',
      /base64/,
    ],
    ['a data: URL of another type', `data:image/jpeg;base64,${image}`, 'image/png', /base64/],
    ['a data: URL with a parameter', `data:image/png;x=y;base64,${image}`, 'image/png', /base64/],
    ['a data: URL in the middle', `${image.slice(0, 8)}data:image/png;base64,${image.slice(8)}`, 'image/png', /base64/],
    ['a reference', 'ipfs://bafybeigdyrzt5sfp7', 'image/png', /ipfs:\/\/ references are not fetched/],
    ['an animated GIF', base64(animatedGif()), 'image/gif', /still picture/],
    ['an animated PNG', base64(animatedPng()), 'image/png', /still picture/],
    ['an animated WebP', base64(await extendedWebp(true)), 'image/webp', /still picture/],
    ['a PNG that the provider cannot read', base64(unreadablePng()), 'image/png', /Bad image data/],
  ])('refused: %s', async (_, content, contentType, message) => {
    const answer = await leavesNothing(app.parts, () => ask(alice, { content, contentType }))
    expect({ status: answer.status, code: answer.body.error.code }).toEqual({
      status: 400,
      code: 'INVALID_VERIFIER_DATA',
    })
    expect(answer.body.error.details.verifierId).toBe(id)
    expect(answer.body.error.message).toMatch(message)
  })

  test('refused: google-vision for text', async () => {
    const answer = await ask(alice, { content: 'x', contentType: 'text/plain', provider: 'google-vision' })
    expect(answer).toMatchObject(refused(id, '/provider'))
    expect(answer.body.error.message).toContain(
      'the provider google-vision does not judge text. Leave it out, and openai will judge',
    )
  })

  test('holds for the largest image, and refuses one above it', async () => {
    // 10,239,999 bytes, most of them in a chunk that no decoder needs.
    const filler = new Uint8Array(10_239_999 - png().length)
    const largest = Buffer.concat([png(), filler])
    const content = base64(largest)
    expect(content).toHaveLength(13_653_332)
    const answer = await ask(alice, { content, contentType: 'image/png' })
    expect(answer.status).toBe(200)
    expect(evidenceIn(answer).contentHash).toBe(keccak256(largest))
    const more = await ask(alice, { content: `${content}AAAA`, contentType: 'image/png' })
    expect(more).toMatchObject(refused(id, '/content'))
  })
})
