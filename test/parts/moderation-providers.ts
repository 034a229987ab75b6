/**
 * Stand-ins for the two cloud providers of content moderation, written from their published shapes: OpenAI (API
 * reference, Moderations: "Create moderation") and Google Cloud Vision (REST reference v1, images.annotate). They take
 * only what the shape allows, decode the pictures they are sent, and judge by rules that tests know.
 */

export interface ContractServer {
  readonly url: string
  readonly key: string
  /** Bodies of the requests that were taken. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into requests of either shape
  readonly taken: any[]
  /** How requests departed from the published shape. Must stay empty. */
  readonly departures: string[]
  /** Sets its answer from now on. Undefined: as it should. */
  answerWith(answer: (() => Response | Promise<Response>) | undefined): void
  stop(): Promise<void>
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers })

/** Faults of any server on the way. */
export const sharedFaults = {
  'a fault of its own': () => new Response('upstream broke', { status: 503 }),
  'a wish for fewer calls': () => json(429, { error: { message: 'slow down' } }, { 'retry-after': '17' }),
  'a refused key': () => json(401, { error: { message: 'Incorrect key: sk-secret', type: 'invalid_request_error' } }),
  'a forbidden key': () => json(403, { error: { message: 'not for you' } }),
  'a redirect': () => new Response(null, { status: 307, headers: { location: 'http://127.0.0.1:1/' } }),
  'a page in place of JSON': () => new Response('<html>Welcome</html>', { headers: { 'content-type': 'text/html' } }),
  'half of an answer': () => new Response('{"results": [{"flagged": fal'),
  'two megabytes': () => new Response(`{"x":"${'y'.repeat(2_000_000)}"}`),
  'no answer': () => new Promise<Response>(() => {}),
  'an address that does not exist': () => json(404, { error: { message: 'Not Found' } }),
  'an empty object': () => json(200, {}),
  null: () => json(200, null),
  'a list': () => json(200, []),
} as const

interface Rules {
  readonly key: string
  readonly path: string
  /** Says how the headers depart from the shape. */
  readonly keyFault: (headers: Headers) => string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: the body of a request that is checked here
  readonly judge: (body: any, depart: (how: string) => void) => Promise<Response>
}

function serve({ key, path, keyFault, judge }: Rules, base: string): ContractServer {
  const taken: unknown[] = []
  const departures: string[] = []
  let instead: (() => Response | Promise<Response>) | undefined
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const depart = (how: string): void => void departures.push(how)
      const url = new URL(request.url)
      if (request.method !== 'POST') depart(`method ${request.method}`)
      if (url.pathname !== path || url.search !== '') depart(`path ${url.pathname}${url.search}`)
      if (!request.headers.get('content-type')?.startsWith('application/json')) depart('content type')
      const wrongKey = keyFault(request.headers)
      if (wrongKey) depart(wrongKey)
      const body = await request.json()
      if (instead) return instead()
      const answer = await judge(body, depart)
      taken.push(body)
      return answer
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}${base}`,
    key,
    taken,
    departures,
    answerWith: (answer) => {
      instead = answer
    },
    stop: () => server.stop(true),
  }
}

const onlyMembers = (value: object, names: readonly string[]): boolean =>
  JSON.stringify(Object.keys(value).sort()) === JSON.stringify([...names].sort())

/** Its type and width, read by a real decoder. */
const pictureIn = (base64: string) => new Bun.Image(Uint8Array.fromBase64(base64)).metadata()

/** The categories of omni-moderation, and whether they are looked for in images. */
const openaiCategories: Readonly<Record<string, boolean>> = {
  harassment: false,
  'harassment/threatening': false,
  sexual: true,
  hate: false,
  'hate/threatening': false,
  illicit: false,
  'illicit/violent': false,
  'self-harm/intent': true,
  'self-harm/instructions': true,
  'self-harm': true,
  'sexual/minors': false,
  violence: true,
  'violence/graphic': true,
}

/** One whole answer of the published shape. Tests change members of it to make it wrong. */
export function openaiAnswer(kind: 'text' | 'image', found: readonly string[] = []) {
  const each = <Value>(value: (name: string, inImages: boolean) => Value) =>
    Object.fromEntries(Object.entries(openaiCategories).map(([name, inImages]) => [name, value(name, inImages)]))
  return {
    id: 'modr-0d9740456c391e43c445bf0f010940c7',
    model: 'omni-moderation-2024-09-26',
    results: [
      {
        flagged: found.length > 0,
        categories: each((name) => found.includes(name)),
        category_scores: each((name) => (found.includes(name) ? 0.93 : 0.0001)),
        category_applied_input_types: each((_, inImages) => (kind === 'text' || inImages ? [kind] : [])),
      },
    ],
  }
}

export const openaiRefusal = (status: number, error: object): Response =>
  json(status, { error: { message: 'no', type: 'invalid_request_error', param: null, code: null, ...error } })

/** Text that says "kill" is violence; a picture wider than one pixel is sexual. */
export const startOpenai = (key = 'sk-test-key'): ContractServer =>
  serve(
    {
      key,
      path: '/v1/moderations',
      keyFault: (headers) =>
        headers.get('authorization') === `Bearer ${key}` ? undefined : `key ${headers.get('authorization')}`,
      async judge(body, depart) {
        if (!onlyMembers(body, ['model', 'input'])) depart(`members ${Object.keys(body)}`)
        if (body.model !== 'omni-moderation-latest') depart(`model ${body.model}`)
        const [input, ...more] = body.input
        if (more.length > 0) depart('more than one input')
        if (input.type === 'text') {
          if (!onlyMembers(input, ['type', 'text']) || typeof input.text !== 'string') depart('text')
          return json(200, openaiAnswer('text', input.text.includes('kill') ? ['violence'] : []))
        }
        if (!onlyMembers(input, ['type', 'image_url']) || !onlyMembers(input.image_url, ['url'])) depart('image')
        const [, format, data = ''] = /^data:image\/(png|jpeg|webp|gif);base64,(.*)$/.exec(input.image_url.url) ?? []
        const picture = await pictureIn(data).catch(() => undefined)
        if (!picture)
          return openaiRefusal(400, { message: 'Invalid image.', param: 'input[0].image_url', code: 'invalid_image' })
        if (picture.format !== format) depart(`${picture.format} sent as ${format}`)
        return json(200, openaiAnswer('image', picture.width > 1 ? ['sexual'] : []))
      },
    },
    '/v1',
  )

export const visionAnswer = (words: Record<string, string | undefined> = {}) => ({
  responses: [
    {
      safeSearchAnnotation: {
        adult: 'VERY_UNLIKELY',
        spoof: 'VERY_UNLIKELY',
        medical: 'VERY_UNLIKELY',
        violence: 'VERY_UNLIKELY',
        racy: 'VERY_UNLIKELY',
        ...words,
      },
    },
  ],
})

/** An error of the whole request, as googleapis.com words it. */
export const visionRefusal = (code: number, status: string, message: string, details: object[] = []): Response =>
  json(code, { error: { code, message, status, details } })

export const visionError = (code: number, message: string): Response =>
  json(200, { responses: [{ error: { code, message } }] })

/** A picture wider than one pixel is likely adult; medical and spoof are very likely always. */
export const startVision = (key = 'AIza-test-key'): ContractServer =>
  serve(
    {
      key,
      path: '/v1/images:annotate',
      keyFault: (headers) =>
        headers.get('x-goog-api-key') === key ? undefined : `key ${headers.get('x-goog-api-key')}`,
      async judge(body, depart) {
        if (!onlyMembers(body, ['requests']) || body.requests.length !== 1) depart('requests')
        const [{ image, features, ...more }] = body.requests
        if (Object.keys(more).length > 0 || !onlyMembers(image, ['content'])) depart('members')
        if (JSON.stringify(features) !== '[{"type":"SAFE_SEARCH_DETECTION"}]')
          depart(`features ${JSON.stringify(features)}`)
        const picture = await pictureIn(image.content).catch(() => undefined)
        if (!picture) return visionError(3, 'Bad image data.')
        const adult = picture.width > 1 ? 'LIKELY' : 'UNLIKELY'
        return json(200, visionAnswer({ adult, racy: 'POSSIBLE', medical: 'VERY_LIKELY', spoof: 'VERY_LIKELY' }))
      },
    },
    '',
  )
