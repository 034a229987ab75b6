import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { OutsideError, UnanswerableError } from '../../../src/outside/failure.ts'
import type { JudgedContent } from '../../../src/outside/moderation/moderation.ts'
import { openaiAnswer, openaiRefusal, sharedFaults, startOpenai } from '../../parts/moderation-providers.ts'
import { errorOf, openaiEnv, openedModerator } from './opened.ts'
import { gif, jpeg, png, webp } from './pictures.ts'

const text: JudgedContent = { kind: 'text', text: 'Good morning' }
const image: JudgedContent = { kind: 'image', bytes: png(), mime: 'image/png' }

describe('the provider openai', () => {
  const server = startOpenai()
  afterAll(() => server.stop())
  afterEach(() => {
    server.answerWith(undefined)
    expect(server.departures).toEqual([])
  })

  /** Each call opens a new moderator, so that an earlier failure does not shorten a later call. */
  const judge = async (content: JudgedContent, timeoutMs?: number) =>
    (await openedModerator('openai', openaiEnv(server), timeoutMs)).judge(content)
  const answerTo = (content: JudgedContent, body: unknown) => {
    server.answerWith(() => Response.json(body))
    return errorOf(judge(content))
  }

  test('passes harmless text and names the model that judged', async () => {
    const verdict = await judge(text)
    expect(verdict).toMatchObject({
      model: 'omni-moderation-2024-09-26',
      isFlagged: false,
      source: 'moderation.openai',
    })
    expect(Object.keys(verdict.categories)).toHaveLength(13)
    expect(verdict.scores.violence).toBe(0.0001)
    expect(server.taken.at(-1)).toEqual({
      model: 'omni-moderation-latest',
      input: [{ type: 'text', text: 'Good morning' }],
    })
  })

  test('flags text, by category', async () => {
    const { isFlagged, categories, scores } = await judge({ kind: 'text', text: 'I will kill you' })
    expect(isFlagged).toBe(true)
    expect(Object.keys(categories).filter((name) => categories[name])).toEqual(['violence'])
    expect(scores.violence).toBe(0.93)
  })

  test('sends text as it is, in every script', async () => {
    const awkward = '"quotes"\n\\u0041 \u0000 你好 👩‍👩‍👧 \u2028'
    await judge({ kind: 'text', text: awkward })
    expect(server.taken.at(-1).input[0].text).toBe(awkward)
  })

  test.each([
    ['image/png', async () => png()],
    ['image/jpeg', jpeg],
    ['image/webp', webp],
    ['image/gif', async () => gif()],
  ])('passes a harmless %s, and lists only categories that are looked for in images', async (mime, make) => {
    const bytes = await make()
    const { isFlagged, categories, scores } = await judge({ kind: 'image', bytes, mime })
    expect(isFlagged).toBe(false)
    const inImages = [
      'self-harm',
      'self-harm/instructions',
      'self-harm/intent',
      'sexual',
      'violence',
      'violence/graphic',
    ]
    expect(Object.keys(categories).sort()).toEqual(inImages)
    expect(Object.keys(scores).sort()).toEqual(inImages)
  })

  test('flags an image', async () => {
    const { isFlagged, categories } = await judge({ kind: 'image', bytes: png(2), mime: 'image/png' })
    expect({ isFlagged, sexual: categories.sexual }).toEqual({ isFlagged: true, sexual: true })
  })

  test('sends no key where none is set', async () => {
    const seen: (string | null)[] = []
    const open = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch(request) {
        seen.push(request.headers.get('authorization'))
        return Response.json(openaiAnswer('text'))
      },
    })
    const moderator = await openedModerator('openai', {
      PROOFGATE_MODERATION_TEXT: 'openai',
      PROOFGATE_MODERATION_OPENAI_URL: `http://127.0.0.1:${open.port}/v1`,
    })
    expect((await moderator.judge(text)).isFlagged).toBe(false)
    expect(seen).toEqual([null])
    await open.stop(true)
  })

  const [result] = openaiAnswer('text').results
  const safe = openaiAnswer('text')

  const found = openaiAnswer('text', ['hate'])
  test.each([
    ['last', [...safe.results, ...found.results]],
    ['first', [...found.results, ...safe.results]],
  ])('flags when one of several results does: the %s', async (_, results) => {
    server.answerWith(() => Response.json({ ...safe, results }))
    const { isFlagged, categories, scores } = await judge(text)
    expect({ isFlagged, hate: categories.hate, score: scores.hate }).toEqual({
      isFlagged: true,
      hate: true,
      score: 0.93,
    })
  })

  test.each([
    ['a category is found and "flagged" denies it', { ...result, categories: { ...result!.categories, hate: true } }],
    ['"flagged" is set and no category is', { ...result, flagged: true }],
  ])('flags when %s', async (_, one) => {
    server.answerWith(() => Response.json({ ...safe, results: [one] }))
    expect((await judge(text)).isFlagged).toBe(true)
  })

  test('leaves out a category that the model does not know', async () => {
    const categories = { ...result!.categories, illicit: null }
    const scores = { ...result!.category_scores, illicit: null }
    server.answerWith(() => Response.json({ ...safe, results: [{ ...result, categories, category_scores: scores }] }))
    const verdict = await judge(text)
    expect(verdict.isFlagged).toBe(false)
    expect(verdict.categories).not.toHaveProperty('illicit')
    expect(verdict.scores).not.toHaveProperty('illicit')
  })

  test('accepts text from an older model, which does not name its checks', async () => {
    const { category_applied_input_types: _, ...older } = result!
    server.answerWith(() => Response.json({ ...safe, results: [older] }))
    expect((await judge(text)).isFlagged).toBe(false)
  })

  const images = openaiAnswer('image')
  const [imageResult] = images.results
  test.each<[string, JudgedContent, unknown]>([
    ['no results', text, { model: 'm' }],
    ['an empty list of results', text, { ...safe, results: [] }],
    ['no model', text, { ...safe, model: undefined }],
    ['a model that is no plain name', text, { ...safe, model: 'm\n<script>' }],
    ['no "flagged"', text, { ...safe, results: [{ ...result, flagged: undefined }] }],
    ['"flagged" as a word', text, { ...safe, results: [{ ...result, flagged: 'false' }] }],
    ['"flagged" null', text, { ...safe, results: [{ ...result, flagged: null }] }],
    ['no categories', text, { ...safe, results: [{ ...result, categories: undefined }] }],
    ['empty categories', text, { ...safe, results: [{ ...result, categories: {} }] }],
    ['only unknown categories', text, { ...safe, results: [{ ...result, categories: { hate: null } }] }],
    ['a category that is a number', text, { ...safe, results: [{ ...result, categories: { hate: 1 } }] }],
    ['a category of a strange name', text, { ...safe, results: [{ ...result, categories: { '<b>': false } }] }],
    ['no scores', text, { ...safe, results: [{ ...result, category_scores: undefined }] }],
    ['a score above one', text, { ...safe, results: [{ ...result, category_scores: { hate: 7 } }] }],
    ['a second result that is broken', text, { ...safe, results: [result, {}] }],
    ['an error in place of results', text, { error: { message: 'overloaded' } }],
    ['a judgment of text for an image', image, safe],
    [
      'an image that nobody looked at',
      image,
      { ...images, results: [{ ...imageResult, category_applied_input_types: {} }] },
    ],
    [
      'an image without a word on what was looked at',
      image,
      { ...images, results: [{ ...imageResult, category_applied_input_types: undefined }] },
    ],
  ])('is not taken for safe: %s', async (_, content, body) => {
    const error = await answerTo(content, body)
    expect(error).toBeInstanceOf(OutsideError)
    expect(error).toMatchObject({ fault: 'malformed', source: 'moderation.openai' })
  })

  const faultOf: Record<keyof typeof sharedFaults, object> = {
    'a fault of its own': { fault: 'unreachable' },
    'a wish for fewer calls': { fault: 'rate-limited', retryAfterSeconds: 17 },
    'a refused key': { fault: 'credentials' },
    'a forbidden key': { fault: 'credentials' },
    'a redirect': { fault: 'malformed' },
    'a page in place of JSON': { fault: 'malformed' },
    'half of an answer': { fault: 'malformed' },
    'two megabytes': { fault: 'malformed' },
    'no answer': { fault: 'timeout' },
    'an address that does not exist': { fault: 'malformed' },
    'an empty object': { fault: 'malformed' },
    null: { fault: 'malformed' },
    'a list': { fault: 'malformed' },
  }
  test.each(Object.entries(faultOf))('is an error of the provider: %s', async (name, expected) => {
    server.answerWith(sharedFaults[name as keyof typeof sharedFaults])
    const error = await errorOf(judge(text, name === 'no answer' ? 500 : undefined))
    expect(error).toBeInstanceOf(OutsideError)
    expect(error).toMatchObject({ source: 'moderation.openai', ...expected })
    expect(JSON.stringify(error)).not.toContain('sk-')
  })

  test('is an error of the provider: it is unreachable', async () => {
    const gone = startOpenai()
    await gone.stop()
    const moderator = await openedModerator('openai', openaiEnv(gone))
    expect(await errorOf(moderator.judge(text))).toMatchObject({ fault: 'unreachable' })
  })

  test.each<[string, () => Response]>([
    ['its code', () => openaiRefusal(400, { message: 'Image is too large.', code: 'image_too_large' })],
    ['another code', () => openaiRefusal(400, { message: 'Bad.', code: 'invalid_image_format' })],
    ['the member it names', () => openaiRefusal(422, { message: 'Bad.', param: 'input[0].image_url' })],
    ['the status for a type', () => openaiRefusal(415, { message: 'No WebP.' })],
    ['the status for a size, on a page', () => new Response('<html>too large</html>', { status: 413 })],
  ])('content that it does not take is the caller’s: told by %s', async (_, answer) => {
    server.answerWith(answer)
    const error = await errorOf(judge(image))
    expect(error).toBeInstanceOf(UnanswerableError)
    expect((error as Error).message).toMatch(/^the provider openai does not take this image, it .*: send another one$/)
  })

  test.each<[string, object]>([
    [
      'a model that does not exist',
      { message: 'The model `x` does not exist', code: 'model_not_found', param: 'model' },
    ],
    ['a model that takes no images', { message: 'no images', code: 'model_image_input_unsupported' }],
    ['nothing in particular', {}],
  ])('a refusal is not blamed on the caller when it names %s', async (_, error) => {
    server.answerWith(() => openaiRefusal(400, error))
    expect(await errorOf(judge(image))).toMatchObject({ fault: 'malformed', mend: expect.stringContaining('.model') })
  })

  test.each([
    ['null', null],
    ['a list', []],
    ['an error that is null', { error: null }],
    ['an error that is a sentence', { error: 'no' }],
    ['an error without a message', { error: {} }],
  ])('a refusal with a body of another shape is an error of the provider: %s', async (_, body) => {
    server.answerWith(() => Response.json(body, { status: 400 }))
    expect(await errorOf(judge(image))).toMatchObject({ fault: 'malformed', happened: 'refused the request (400)' })
  })

  test('is quoted in short and plain words, without long ones', async () => {
    const secret = `sk-${'a1B2'.repeat(12)}`
    server.answerWith(() =>
      openaiRefusal(400, {
        code: 'invalid_image',
        message: `Bad <b>image</b>\u0007\n${secret} data:image/png;base64,${'QUJD'.repeat(5000)} ${'word '.repeat(100)}`,
      }),
    )
    const { message } = (await errorOf(judge(image))) as Error
    expect(message).toContain('"Bad b image /b …')
    expect(message).not.toMatch(/[^ -~…]|[<>]|QUJD|a1B2/)
    expect(message.length).toBeLessThan(300)
  })
})
