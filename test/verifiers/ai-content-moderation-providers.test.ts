/** ai-content-moderation by cloud providers: a provider's fault never counts as "safe" or "untrue". */
import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { leavesNothing } from '../http/refused.ts'
import { openaiEnv, visionEnv } from '../outside/moderation/opened.ts'
import { base64, png } from '../outside/moderation/pictures.ts'
import {
  openaiAnswer,
  openaiRefusal,
  sharedFaults,
  startOpenai,
  startVision,
  visionAnswer,
} from '../parts/moderation-providers.ts'
import { alice } from '../wallets.ts'
import { asking, evidenceIn, failed } from './ask.ts'

const id = 'ai-content-moderation'
const once = {
  PROOFGATE_LIMITS_ENABLED: 'false',
  PROOFGATE_OUTSIDE_ATTEMPTS: '1',
}

describe('ai-content-moderation by openai and google-vision', async () => {
  const openai = startOpenai()
  const vision = startVision()
  const app = await startApp({
    ...once,
    ...openaiEnv(openai),
    ...visionEnv(vision),
    PROOFGATE_MODERATION_SELECTABLE: 'openai',
  })
  const ask = asking(app, id)
  afterAll(() => Promise.all([openai.stop(), vision.stop(), app.close()]))
  afterEach(() => {
    openai.answerWith(undefined)
    vision.answerWith(undefined)
    expect([...openai.departures, ...vision.departures]).toEqual([])
  })

  const text = { content: 'Good morning', contentType: 'text/plain' }
  const image = { content: base64(png()), contentType: 'image/png' }

  test('text goes to openai and an image to google-vision, unless the request names one that is free to choose', async () => {
    expect(evidenceIn(await ask(alice, text)).provider).toBe('openai')
    expect(evidenceIn(await ask(alice, image)).provider).toBe('google-vision')
    const chosen = evidenceIn(await ask(alice, { ...image, provider: 'openai' }))
    expect(chosen).toMatchObject({ provider: 'openai', chosenByCaller: true, asked: [{ provider: 'openai' }] })
  })

  test('fails where openai flags text, with the categories it names', async () => {
    const flagged = () => ask(alice, { ...text, content: 'I will kill you' })
    const answer = await leavesNothing(app.parts, flagged)
    expect(answer).toMatchObject(failed(id, 'CONTENT_FLAGGED'))
    expect(answer.body.error.message).toBe(`${id}: openai flags this content: violence`)
    openai.answerWith(() => Response.json(openaiAnswer('text', ['hate', 'hate/threatening'])))
    expect((await ask(alice, text)).body.error.message).toEndWith(': hate, hate/threatening')
  })

  const emptyResults = () => Response.json({ ...openaiAnswer('text'), results: [] })
  test.each<[string, () => Response | Promise<Response>, string, string]>([
    ['a refused key', sharedFaults['a refused key'], 'credentials', '5'],
    ['a forbidden key', sharedFaults['a forbidden key'], 'credentials', '5'],
    ['a wish for fewer calls', sharedFaults['a wish for fewer calls'], 'rate-limited', '17'],
    ['a fault of its own', sharedFaults['a fault of its own'], 'unreachable', '5'],
    ['a page in place of JSON', sharedFaults['a page in place of JSON'], 'malformed', '5'],
    ['half of an answer', sharedFaults['half of an answer'], 'malformed', '5'],
    ['no answer in time', sharedFaults['no answer'], 'timeout', '5'],
    ['no results', emptyResults, 'malformed', '5'],
    ['an error in place of results', () => Response.json({ error: { message: 'sk-secret' } }), 'malformed', '5'],
    ['a refusal of the model', () => openaiRefusal(400, { param: 'model', message: 'sk-secret' }), 'malformed', '5'],
  ])('openai gives %s: 503, and nothing is stored', async (_, answerOfProvider, fault, retryAfter) => {
    // One of its own: a provider that wants fewer calls is left alone, also by the tests that follow.
    // A short limit only for the provider that never answers: a busy machine takes longer to answer.
    const limit = fault === 'timeout' ? { PROOFGATE_OUTSIDE_TIMEOUT_SECONDS: '1' } : {}
    const other = await startApp({ ...once, ...openaiEnv(openai), ...limit })
    openai.answerWith(answerOfProvider)
    const answer = await leavesNothing(other.parts, () => asking(other, id)(alice, text))
    expect(answer).toMatchObject({
      status: 503,
      body: {
        success: false,
        error: { code: 'VERIFIER_UNAVAILABLE', details: { verifierId: id, source: 'moderation.openai', fault } },
      },
    })
    expect(answer.headers.get('retry-after')).toBe(retryAfter)
    expect(JSON.stringify(answer.body)).not.toMatch(/sk-|127\.0\.0\.1/)
    await other.close()
  })

  test.each<[string, () => Response | Promise<Response>, string]>([
    ['UNKNOWN', () => Response.json(visionAnswer({ racy: 'UNKNOWN' })), 'malformed'],
    ['no annotation', () => Response.json({ responses: [{}] }), 'malformed'],
    [
      'an error for the image',
      () => Response.json({ responses: [{ error: { code: 14, message: 'x' } }] }),
      'unreachable',
    ],
    ['a refused key', sharedFaults['a forbidden key'], 'credentials'],
  ])('google-vision gives %s: 503, and nothing is stored', async (_, answerOfProvider, fault) => {
    vision.answerWith(answerOfProvider)
    const answer = await leavesNothing(app.parts, () => ask(alice, image))
    expect(answer).toMatchObject({
      status: 503,
      body: { error: { code: 'VERIFIER_UNAVAILABLE', details: { source: 'moderation.google_vision', fault } } },
    })
    expect(answer.headers.get('retry-after')).toBe('5')
  })

  test('an image that openai does not take is for the caller to change', async () => {
    openai.answerWith(() => openaiRefusal(400, { code: 'image_too_large', message: 'The image is too large.' }))
    const answer = await leavesNothing(app.parts, () => ask(alice, { ...image, provider: 'openai' }))
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_VERIFIER_DATA', details: { verifierId: id, reason: 'CONTENT_NOT_TAKEN' } } },
    })
    expect(answer.body.error.message).toBe(
      `${id}: the provider openai does not take this image, it answers "The image is too large.": send another one`,
    )
  })

  test('a provider that fails beside a claim that holds stops the whole request', async () => {
    openai.answerWith(sharedFaults['a refused key'])
    app.wait(1)
    const answer = await leavesNothing(app.parts, () =>
      app.submit(alice, {
        verifierIds: ['ownership-basic', id],
        data: { 'ownership-basic': { owner: alice.address, content: 'mine' }, [id]: text },
      }),
    )
    expect(answer.status).toBe(503)
  })
})

describe('a catalog that tells the truth about moderation', () => {
  test('the verifier is absent when no provider is set, and names the settings that bring it', async () => {
    const app = await startApp({ ...once, PROOFGATE_MODERATION_TEXT: 'none' })
    expect((await app.get('/api/v1/verification/verifiers')).body.data).not.toContain(id)
    const answer = await asking(app, id)(alice, { content: 'x', contentType: 'text/plain' })
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VERIFIER_NOT_FOUND' } } })
    expect(answer.body.error.message).toBe(
      '"ai-content-moderation" is not offered here: it needs somebody who judges content: set moderation.text_providers, or moderation.image_providers and the keys of those in it',
    )
    await app.close()
  })

  test('with images only, text is refused with the setting that is missing', async () => {
    const vision = startVision()
    const app = await startApp({ ...once, ...visionEnv(vision), PROOFGATE_MODERATION_TEXT: 'none' })
    const ask = asking(app, id)
    expect((await ask(alice, { content: base64(png()), contentType: 'image/png' })).status).toBe(200)
    const answer = await ask(alice, { content: 'x', contentType: 'text/plain' })
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'INVALID_VERIFIER_DATA' } } })
    expect(answer.body.error.message).toBe('nobody judges text here: the operator can set moderation.text_providers')
    await Promise.all([vision.stop(), app.close()])
  })

  test('with only a provider of free choice, a request must name it, and the refusal says so', async () => {
    const openai = startOpenai()
    const app = await startApp({
      ...once,
      ...openaiEnv(openai),
      PROOFGATE_MODERATION_TEXT: 'none',
      PROOFGATE_MODERATION_IMAGE: 'none',
      PROOFGATE_MODERATION_SELECTABLE: 'openai',
    })
    const ask = asking(app, id)
    const text = { content: 'x', contentType: 'text/plain' }
    expect((await ask(alice, text)).body.error.message).toEndWith('data.provider may be openai')
    expect((await ask(alice, { ...text, provider: 'openai' })).status).toBe(200)
    await Promise.all([openai.stop(), app.close()])
  })

  test('a provider that is down is asked again before the caller hears of it', async () => {
    const openai = startOpenai()
    const app = await startApp({ ...once, ...openaiEnv(openai), PROOFGATE_OUTSIDE_ATTEMPTS: '2' })
    let calls = 0
    openai.answerWith(() => {
      calls++
      return calls === 1 ? new Response('', { status: 502 }) : Response.json(openaiAnswer('text'))
    })
    expect((await asking(app, id)(alice, { content: 'x', contentType: 'text/plain' })).status).toBe(200)
    expect(calls).toBe(2)
    await openai.stop()
    const gone = await leavesNothing(app.parts, () =>
      asking(app, id)(alice, { content: 'x', contentType: 'text/plain' }),
    )
    expect({ status: gone.status, fault: gone.body.error.details.fault }).toEqual({ status: 503, fault: 'unreachable' })
    await app.close()
  })
})
