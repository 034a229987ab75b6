import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { OutsideError, UnanswerableError } from '../../../src/outside/failure.ts'
import type { JudgedContent } from '../../../src/outside/moderation/moderation.ts'
import {
  sharedFaults,
  startVision,
  visionAnswer,
  visionError,
  visionRefusal,
} from '../../parts/moderation-providers.ts'
import { errorOf, openedModerator, visionEnv } from './opened.ts'
import { base64, png } from './pictures.ts'

const image: JudgedContent = { kind: 'image', bytes: png(), mime: 'image/png' }

describe('the provider google-vision', () => {
  const server = startVision()
  afterAll(() => server.stop())
  afterEach(() => {
    server.answerWith(undefined)
    expect(server.departures).toEqual([])
  })

  const judge = async (content: JudgedContent = image, timeoutMs?: number) =>
    (await openedModerator('google-vision', visionEnv(server), timeoutMs)).judge(content)

  test('passes content that is at most possible, and reports medical and spoof without flagging them', async () => {
    expect(await judge()).toEqual({
      model: 'Google Cloud Vision v1 SAFE_SEARCH_DETECTION',
      isFlagged: false,
      categories: { adult: false, violence: false, racy: false },
      scores: { adult: 0.25, violence: 0, racy: 0.5, spoof: 1, medical: 1 },
      source: 'moderation.google_vision',
    })
    expect(server.taken.at(-1).requests[0].image.content).toBe(base64(png()))
  })

  test('flags likely content', async () => {
    const { isFlagged, categories } = await judge({ kind: 'image', bytes: png(2), mime: 'image/png' })
    expect(isFlagged).toBe(true)
    expect(categories).toEqual({ adult: true, violence: false, racy: false })
  })

  test.each([
    ['adult', 'LIKELY', true],
    ['adult', 'VERY_LIKELY', true],
    ['violence', 'LIKELY', true],
    ['violence', 'VERY_LIKELY', true],
    ['racy', 'LIKELY', true],
    ['racy', 'VERY_LIKELY', true],
    ['adult', 'POSSIBLE', false],
    ['medical', 'VERY_LIKELY', false],
    ['spoof', 'LIKELY', false],
  ])('%s %s: flagged is %p', async (name, word, expected) => {
    server.answerWith(() => Response.json(visionAnswer({ [name]: word })))
    expect((await judge()).isFlagged).toBe(expected)
  })

  test.each<[string, unknown]>([
    ...['adult', 'violence', 'racy', 'spoof', 'medical'].flatMap((name): [string, unknown][] => [
      [`${name} is UNKNOWN`, visionAnswer({ [name]: 'UNKNOWN' })],
      [`${name} is left out`, visionAnswer({ [name]: undefined })],
    ]),
    ['a word nobody knows', visionAnswer({ adult: 'SURELY' })],
    ['a word every object has', visionAnswer({ adult: 'constructor' })],
    ['a word in lower case', visionAnswer({ adult: 'unlikely' })],
    ['no annotation', { responses: [{}] }],
    ['no responses', { responses: [] }],
    ['two responses', { responses: [...visionAnswer().responses, ...visionAnswer().responses] }],
    ['responses null', { responses: null }],
    ['an annotation that is a list', { responses: [{ safeSearchAnnotation: [] }] }],
    ['an error beside a harmless annotation', { responses: [{ ...visionAnswer().responses[0], error: {} }] }],
  ])('is not taken for safe: %s', async (_, body) => {
    server.answerWith(() => Response.json(body))
    const error = await errorOf(judge())
    expect(error).toBeInstanceOf(OutsideError)
    expect(error).toMatchObject({ fault: 'malformed', source: 'moderation.google_vision' })
  })

  test.each<[string, () => Response | Promise<Response>, object]>([
    ['a fault of its own', sharedFaults['a fault of its own'], { fault: 'unreachable' }],
    [
      'a wish for fewer calls',
      sharedFaults['a wish for fewer calls'],
      { fault: 'rate-limited', retryAfterSeconds: 17 },
    ],
    ['a refused key', sharedFaults['a refused key'], { fault: 'credentials' }],
    ['a forbidden key', sharedFaults['a forbidden key'], { fault: 'credentials' }],
    [
      'a key that is not valid, as Google says it',
      () =>
        visionRefusal(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID', domain: 'googleapis.com' },
        ]),
      { fault: 'credentials', mend: expect.stringContaining('moderation.google_vision.api_key') },
    ],
    [
      'an expired key',
      () => visionRefusal(400, 'INVALID_ARGUMENT', 'API key expired. Please renew the API key.'),
      { fault: 'credentials' },
    ],
    ['a redirect', sharedFaults['a redirect'], { fault: 'malformed' }],
    ['a page in place of JSON', sharedFaults['a page in place of JSON'], { fault: 'malformed' }],
    ['half of an answer', sharedFaults['half of an answer'], { fault: 'malformed' }],
    ['two megabytes', sharedFaults['two megabytes'], { fault: 'malformed' }],
    ['no answer', sharedFaults['no answer'], { fault: 'timeout' }],
    ['an address that does not exist', sharedFaults['an address that does not exist'], { fault: 'malformed' }],
    ['an empty object', sharedFaults['an empty object'], { fault: 'malformed' }],
    ['null', sharedFaults.null, { fault: 'malformed' }],
    ['a list', sharedFaults['a list'], { fault: 'malformed' }],
    ['a missing precondition', () => visionRefusal(400, 'FAILED_PRECONDITION', 'Billing.'), { fault: 'malformed' }],
    ['its own deadline, in the answer', () => visionError(4, 'late'), { fault: 'timeout' }],
    ['a key without rights, in the answer', () => visionError(7, 'denied'), { fault: 'credentials' }],
    ['a used-up quota, in the answer', () => visionError(8, 'quota'), { fault: 'rate-limited' }],
    ['a fault of its own, in the answer', () => visionError(13, 'oops'), { fault: 'unreachable' }],
    ['a service that is away, in the answer', () => visionError(14, 'later'), { fault: 'unreachable' }],
    ['another error, in the answer', () => visionError(2, 'unknown'), { fault: 'malformed' }],
  ])('is an error of the provider: %s', async (_, answer, expected) => {
    server.answerWith(answer)
    const error = await errorOf(judge(image, answer === sharedFaults['no answer'] ? 500 : undefined))
    expect(error).toBeInstanceOf(OutsideError)
    expect(error).toMatchObject({ source: 'moderation.google_vision', ...expected })
    expect((error as OutsideError).happened).not.toContain('AIza')
  })

  test('an image that it cannot read is reported as a mistake of the caller', async () => {
    const broken = png().subarray(0, 20)
    const error = await errorOf(judge({ kind: 'image', bytes: broken, mime: 'image/png' }))
    expect(error).toBeInstanceOf(UnanswerableError)
    expect((error as Error).message).toBe(
      'the provider google-vision does not take this image, it answers "Bad image data.": send another one',
    )
  })

  test.each<[string, () => Response]>([
    ['the whole request', () => visionRefusal(400, 'INVALID_ARGUMENT', 'Request payload size exceeds the limit.')],
    ['the status for a size, on a page', () => new Response('<html>too large</html>', { status: 413 })],
  ])('an image that is too large is the caller’s: told by %s', async (_, answer) => {
    server.answerWith(answer)
    expect(await errorOf(judge())).toBeInstanceOf(UnanswerableError)
  })

  test.each([
    ['null', null],
    ['a list', []],
    ['an error that is null', { error: null }],
    ['an error that is a sentence', { error: 'no' }],
    ['an error without a message', { error: {} }],
  ])('a refusal with a body of another shape is an error of the provider: %s', async (_, body) => {
    server.answerWith(() => Response.json(body, { status: 400 }))
    expect(await errorOf(judge())).toMatchObject({ fault: 'malformed', happened: 'refused the request (400)' })
  })
})
