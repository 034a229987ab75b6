import { afterAll, describe, expect, test } from 'bun:test'
import type { ContentKind } from '../../../src/outside/moderation/moderation.ts'
import {
  openaiAnswer,
  openaiRefusal,
  sharedFaults,
  startOpenai,
  startVision,
} from '../../parts/moderation-providers.ts'
import { errorOf, openaiEnv, opened, visionEnv } from './opened.ts'

const openaiKey = { PROOFGATE_MODERATION_OPENAI_API_KEY: 'sk-x' }
const visionKey = { PROOFGATE_MODERATION_GOOGLE_VISION_API_KEY: 'AIza' }
const none = { PROOFGATE_MODERATION_TEXT: 'none', PROOFGATE_MODERATION_IMAGE: 'none' }

describe('the moderation providers', () => {
  test.each<[string, Record<string, string>, object]>([
    ['without settings', {}, { names: ['embedded'], text: ['embedded'] }],
    ['with everything off', none, { names: [] }],
    ['with a key alone, which nobody asks', { ...none, ...openaiKey }, { names: ['openai'] }],
    [
      'with openai for text: the word list is no way round it',
      { PROOFGATE_MODERATION_TEXT: 'openai' },
      { names: ['openai'], text: ['openai'] },
    ],
    [
      'with one for each kind',
      { PROOFGATE_MODERATION_IMAGE: 'google-vision', ...visionKey },
      { names: ['embedded', 'google-vision'], text: ['embedded'], image: ['google-vision'] },
    ],
    [
      'with google-vision and no key',
      { PROOFGATE_MODERATION_IMAGE: 'google-vision' },
      { names: ['embedded'], text: ['embedded'] },
    ],
    [
      'with lists: each in its order, for what it judges',
      {
        PROOFGATE_MODERATION_TEXT_PROVIDERS: 'openai,embedded',
        PROOFGATE_MODERATION_IMAGE_PROVIDERS: 'google-vision,openai',
        ...visionKey,
      },
      {
        names: ['embedded', 'openai', 'google-vision'],
        text: ['openai', 'embedded'],
        image: ['google-vision', 'openai'],
      },
    ],
    [
      'with one of two that has no key: nobody, and not the other alone',
      { PROOFGATE_MODERATION_IMAGE_PROVIDERS: 'google-vision,openai' },
      { names: ['embedded', 'openai'], text: ['embedded'] },
    ],
    [
      'with an empty list',
      { ...openaiKey, PROOFGATE_MODERATION_TEXT: 'none', PROOFGATE_MODERATION_IMAGE: 'none' },
      { names: ['openai'] },
    ],
  ])('%s', async (_, env, expected) => {
    const { moderation } = await opened(env)
    const standard = (kind: ContentKind) => (moderation[kind].standard ? moderation[kind].chosen : undefined)
    const names = moderation.configured.map(({ moderator }) => moderator.name)
    expect({ names, text: standard('text'), image: standard('image') }).toEqual({
      text: undefined,
      image: undefined,
      ...expected,
    } as never)
  })

  test('a list and a single name together stop the start', () =>
    expect(
      opened({ PROOFGATE_MODERATION_TEXT: 'openai', PROOFGATE_MODERATION_TEXT_PROVIDERS: 'embedded' }),
    ).rejects.toThrow(/text_providers says who judges already/))

  test('a provider may be chosen only for the kinds that it judges', async () => {
    const { moderation } = await opened({
      PROOFGATE_MODERATION_SELECTABLE: 'embedded,openai,google-vision',
      ...visionKey,
    })
    const names = ['embedded', 'openai', 'google-vision', 'google-perspective', 'constructor']
    const found = (kind: ContentKind) => names.filter((name) => moderation[kind].selected(name) !== undefined)
    expect(found('text')).toEqual(['embedded', 'openai'])
    expect(found('image')).toEqual(['openai', 'google-vision'])
  })

  test('accept no choice of a request outside the operator’s list', async () => {
    const { moderation } = await opened({ ...openaiKey, ...visionKey, PROOFGATE_MODERATION_SELECTABLE: 'openai' })
    expect(moderation.text.selected('embedded')).toBeUndefined()
    expect(moderation.image.selected('google-vision')).toBeUndefined()
    expect(moderation.image.selectable).toEqual(['openai'])
  })
})

describe('doctor tries', () => {
  const openai = startOpenai()
  const vision = startVision()
  afterAll(() => Promise.all([openai.stop(), vision.stop()]))
  const probesOf = async (env: Record<string, string>) => (await opened(env)).probes

  test('the word list', async () => {
    const [probe, ...more] = await probesOf({})
    expect(more).toEqual([])
    expect(probe!.setting).toBe('moderation.text')
    expect(await probe!.run()).toEqual({ level: 'ok', says: 'allprofanity 2.4.0 (English) judged a harmless text' })
  })

  test('openai, with text and with an image where it judges both', async () => {
    const [probe, ...more] = await probesOf(openaiEnv(openai))
    expect(more).toEqual([])
    expect(probe!.setting).toBe('moderation.openai')
    expect(await probe!.run()).toEqual({
      level: 'ok',
      says: 'omni-moderation-2024-09-26 judged a harmless text and a harmless image',
    })
    expect(openai.taken.map(({ input }) => input[0].type)).toEqual(['text', 'image_url'])
    expect(openai.departures).toEqual([])
  })

  test('openai, with text only where nothing relies on it for images', async () => {
    const before = openai.taken.length
    const probes = await probesOf({ ...openaiEnv(openai), PROOFGATE_MODERATION_IMAGE: 'none' })
    await probes[0]!.run()
    expect(openai.taken.slice(before).map(({ input }) => input[0].type)).toEqual(['text'])
  })

  test('google-vision, beside the word list', async () => {
    const probes = await probesOf(visionEnv(vision))
    expect(probes.map(({ setting }) => setting)).toEqual(['moderation.text', 'moderation.google_vision'])
    expect(await probes[1]!.run()).toEqual({
      level: 'ok',
      says: 'Google Cloud Vision v1 SAFE_SEARCH_DETECTION judged a harmless image',
    })
    expect(vision.departures).toEqual([])
  })

  test('google-vision without its key fails, and says which setting is missing', async () => {
    const probes = await probesOf({ PROOFGATE_MODERATION_IMAGE: 'google-vision' })
    expect(probes.map(({ setting }) => setting)).toEqual(['moderation.text', 'moderation.image'])
    expect(await probes[1]!.run()).toMatchObject({ level: 'fail', mend: 'set moderation.google_vision.api_key' })
  })

  test('a provider that flags everything is a warning', async () => {
    openai.answerWith(() => Response.json(openaiAnswer('text', ['hate'])))
    const [probe] = await probesOf(openaiEnv(openai))
    expect(await probe!.run()).toMatchObject({
      level: 'warn',
      says: 'omni-moderation-2024-09-26 flags a harmless text',
    })
    openai.answerWith(undefined)
  })

  test('a provider that takes no such content is a failure', async () => {
    openai.answerWith(() => openaiRefusal(400, { message: 'No.', param: 'input' }))
    const [probe] = await probesOf(openaiEnv(openai))
    expect(await probe!.run()).toMatchObject({ level: 'fail' })
    openai.answerWith(undefined)
  })

  test('a refused key is thrown, with its remedy', async () => {
    openai.answerWith(sharedFaults['a refused key'])
    const [probe] = await probesOf(openaiEnv(openai))
    expect(await errorOf(probe!.run())).toMatchObject({ fault: 'credentials', source: 'moderation.openai' })
    openai.answerWith(undefined)
  })
})
