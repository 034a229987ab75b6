/** The code that the reference copies: run unchanged, in a shell and by the client module, against a real server. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import {
  type Asked,
  buildAddress,
  buildRequest,
  fillExample,
  listHeaders,
} from '../../src/pages/browser/reference/asked.ts'
import { writeClientCode } from '../../src/pages/browser/reference/client-code.ts'
import { type Operation, readDescription } from '../../src/pages/browser/reference/description.ts'
import { writeLiteral } from '../../src/pages/browser/reference/literal.ts'
import { signForm } from '../../src/pages/browser/reference/signing.ts'
import { makeWallet } from '../../src/pages/browser/reference/throwaway.ts'
import { quoteShell, writeCurl } from '../../src/pages/browser/reference/try-form.tsx'
import type { RunningServer } from '../../src/start.ts'
import { publishedByDefault } from '../openapi/published.ts'
import { temporaryFolder } from '../parts/folders.ts'
import { startTestServer } from '../parts/test-server.ts'

setDefaultTimeout(60_000)

const operations = readDescription(await publishedByDefault()).operations.filter(({ isTryable }) => isTryable)
const operation = (id: string): Operation => operations.find((one) => one.id === id)!

const folder = temporaryFolder()
let server: RunningServer
let origin: string
beforeAll(async () => {
  const env = { PROOFGATE_PORT: '0', PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_LOG_LEVEL: 'error' }
  server = await startTestServer(env)
  origin = `http://127.0.0.1:${server.port}`
})
afterAll(async () => {
  await server.stop()
})

const run = async (...command: string[]): Promise<string> => {
  const ran = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe', cwd: folder })
  const [text, trouble] = await Promise.all([new Response(ran.stdout).text(), new Response(ran.stderr).text()])
  return (await ran.exited) === 0 ? text : `failed: ${trouble}`
}

/** Returns the answer with the values that differ between requests replaced by their type. */
function sameEachTime(text: string): unknown {
  return JSON.parse(text, (name, value) =>
    /^(timestamp|requestId|uptime|nonce|message|createdAt|lastUpdated|completedAt|expiresAt|ageMs|serverTime|lastCommit|heartbeat|waitingMs)$/.test(
      name,
    )
      ? typeof value
      : value,
  )
}

async function fetched(asked: Asked): Promise<string> {
  const response = await fetch(buildAddress(asked), {
    method: asked.operation.method,
    headers: Object.fromEntries(listHeaders(asked)),
    ...(asked.body === undefined ? {} : { body: asked.body }),
  })
  return response.text()
}

/** Seconds of age, in the sentence that refuses an old signature. */
const withoutAge = (text: string): string => text.replace(/is \d+ s old/g, 'is old')

/** Codes of refusals that concern the form of a request. */
const ofTheForm = /^(PAYLOAD_TOO_LARGE|UNSUPPORTED_MEDIA_TYPE|HEADERS_TOO_LARGE|METHOD_NOT_ALLOWED)$/

const each = operations.map((one) => [one.id, one] as const)

describe('the curl line of the example of', () => {
  test.each(each)('%s gets the answer that fetch gets', async (_, one) => {
    const asked = buildRequest(one, fillExample(one), origin)
    const text = withoutAge(await run('bash', '-c', `${writeCurl(asked)} -sS`))
    const answer = JSON.parse(text)
    expect(answer.error?.code ?? '').not.toMatch(ofTheForm)
    expect(answer.error?.message ?? '').not.toMatch(/body is not JSON|^there is nothing/)
    expect(sameEachTime(text)).toEqual(sameEachTime(withoutAge(await fetched(asked))))
  })
})

const awkward = [
  `it's "quoted" $HOME \`id\` \\ back\\slash`,
  '@/etc/passwd',
  "'; touch pwned; '",
  'two\nlines\r\nand a tab\t.',
  'שלום \u202E ab 😀 &amp; <b>',
  '!! %0a %s {a,b} [1-3] * ~ #',
]

const evaluated = (code: string): unknown => new Function(`return ${code}`)()

describe('awkward text', () => {
  test.each(awkward)('%j reaches the server as it is, through a shell', async (text) => {
    expect(await run('bash', '-c', `printf %s ${quoteShell(text)}`)).toBe(text)
    const standardize = operation('standardize')
    const { values, body } = fillExample(standardize)
    const claim = JSON.parse(body)
    const filled = { values, body: JSON.stringify({ ...claim, data: { ...claim.data, content: text } }, null, 2) }
    const asked = buildRequest(standardize, filled, origin)
    const answer = JSON.parse(await run('bash', '-c', `${writeCurl(asked)} -sS`))
    expect(answer.data.bodyPreview.data.content).toBe(text)
  })

  test.each(awkward)('%j is the same text in JavaScript', (text) => {
    const value = { [text]: [text, null, 1.5, true, { __proto__x: text }] }
    expect(evaluated(writeLiteral(value))).toEqual(value)
  })

  test('a body that begins with @ is sent, and no file is read', async () => {
    await Bun.write(join(folder, 'body.json'), fillExample(operation('resolveDid')).body)
    const asked = buildRequest(operation('resolveDid'), { values: {}, body: `@${folder}/body.json` }, origin)
    const { error } = JSON.parse(await run('bash', '-c', `${writeCurl(asked)} -sS`))
    expect(error.code).toBe('VALIDATION_ERROR')
  })

  test('in a path and in a query it is encoded', async () => {
    const filled = { values: { 'path address': "o'hara/…?#", 'query tag': `a&b='c' "d"` }, body: '' }
    const asked = buildRequest(operation('listProofs'), filled, origin)
    const text = await run('bash', '-c', `${writeCurl(asked)} -sS`)
    expect(sameEachTime(text)).toEqual(sameEachTime(await fetched(asked)))
    expect(buildAddress(asked)).toContain("o'hara%2F%E2%80%A6%3F%23?tag=a%26b%3D'c'%20%22d%22")
  })

  test('a member named __proto__ stays a member', () => {
    const value = JSON.parse('{"__proto__": {"a": 1}}')
    expect(JSON.stringify(evaluated(writeLiteral(value)))).toBe('{"__proto__":{"a":1}}')
  })
})

interface Ran {
  readonly logged?: unknown
  readonly error?: { readonly name: string; readonly code: string; readonly status: number; readonly message: string }
}

/**
 * Each piece of code as a module of its own, imported one after the other by one process. Only the import of the client
 * differs from the copied code: a file, as the page says.
 */
async function ranBy(runtime: string, codes: Readonly<Record<string, string>>): Promise<Record<string, Ran>> {
  const own = join(folder, runtime)
  await Bun.write(join(own, 'client.mjs'), await fetch(`${origin}/client.js`))
  for (const [id, code] of Object.entries(codes))
    await Bun.write(join(own, `${id}.mjs`), code.replace(`'${origin}/client.js'`, "'./client.mjs'"))
  await Bun.write(
    join(own, 'all.mjs'),
    `const ran = {}
    const { log } = console
    for (const id of ${JSON.stringify(Object.keys(codes))}) {
      console.log = (logged) => { ran[id] = { logged } }
      await import('./' + id + '.mjs').catch(({ name, code, status, message }) => {
        ran[id] = { error: { name, code, status, message } }
      })
    }
    log(JSON.stringify(ran))`,
  )
  const text = await run(runtime, join(own, 'all.mjs'))
  if (text.startsWith('failed')) throw new Error(text)
  return JSON.parse(text)
}

describe.each(['node', 'bun'])('in %s the client code', (runtime) => {
  test('for every example gets the same answer as fetch', async () => {
    const asked = operations.map((one) => buildRequest(one, fillExample(one), origin))
    const ran = await ranBy(runtime, Object.fromEntries(asked.map((one) => [one.operation.id, writeClientCode(one)!])))
    for (const one of asked) {
      const { id } = one.operation
      const { logged, error } = ran[id]!
      const answer = JSON.parse(await fetched(one))
      if (answer.error) {
        const { code } = error ?? {}
        expect({ id, code, message: withoutAge(error!.message) }).toEqual({
          id,
          code: answer.error.code,
          message: withoutAge(answer.error.message),
        })
        continue
      }
      expect({ id, error }).toEqual({ id, error: undefined })
      // A client method may return only the inner part of an answer.
      const got = JSON.stringify(sameEachTime(JSON.stringify(logged)))
      const { data, ...more } = answer
      const whole = [answer, data, data?.gate, { ...more, ids: data }]
      const seen = whole.map((value) => JSON.stringify(sameEachTime(JSON.stringify(value ?? null))))
      expect({ id, isOneOf: seen.includes(got) }).toEqual({ id, isOneOf: true })
    }
  })
})

describe('with a throw-away wallet, one operation after the other', () => {
  const wallet = makeWallet()
  const post = async (path: string, body: object) => {
    const response = await fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await response.json()).data
  }
  let remembered: Record<string, string> = {}
  const filled = async (id: string): Promise<Asked> => {
    const one = operation(id)
    const form = await signForm(one, fillExample(one, remembered), { wallet, now: Date.now(), remembered, post })
    return buildRequest(one, form, origin)
  }

  test.each([
    ...['diagnose', 'verify', 'getProof', 'listProofs', 'grantAccess', 'applyGate', 'getGate', 'listGates'],
    ...['listGateVersions', 'checkProofs', 'fulfillGate', 'rollbackGate', 'setGateStatus', 'deleteGate'],
    ...['revokeProof', 'eraseAll'],
  ])('the curl line of %s succeeds', async (id) => {
    const asked = await filled(id)
    const answer = JSON.parse(await run('bash', '-c', `${writeCurl(asked)} -sS`))
    expect(answer).toMatchObject({ success: true })
    if (id === 'diagnose') expect(answer.data.reason).toBe('signature_valid')
    if (id === 'verify') remembered = { ...remembered, qHash: answer.data.qHash }
  })

  test('the client code does the same', async () => {
    remembered = {}
    const asked = await filled('verify')
    remembered = { qHash: (await post('/api/v1/verification', JSON.parse(asked.body!))).qHash }
    const ids = ['getProof', 'listProofs', 'listGates', 'revokeProof']
    const codes: Record<string, string> = { verify: writeClientCode(asked)! }
    for (const id of ids) codes[id] = writeClientCode(await filled(id))!
    expect(codes.verify).toContain('client.submit({')
    const ran = await ranBy('bun', codes)
    for (const [id, { error }] of Object.entries(ran)) expect({ id, error }).toEqual({ id, error: undefined })
    expect(ran.verify!.logged).toMatchObject({ qHash: remembered.qHash, status: 'verified' })
    expect(ran.revokeProof!.logged).toMatchObject({ success: true, alreadyRevoked: false })
  })
})

test('an access key is read from the environment, never written out', async () => {
  const asked = buildRequest(operation('getMe'), fillExample(operation('getMe')), origin)
  expect(writeCurl(asked, true)).toContain('-H "authorization: Bearer $PROOFGATE_KEY"')
  expect(writeClientCode(asked, true)).toContain('process.env.PROOFGATE_KEY')
})

test('the script travels in less than 40 kB, the style in less than 5', async () => {
  const page = await (await fetch(`${origin}/docs`)).text()
  const sizeOf = async (pattern: RegExp): Promise<number> => {
    const address = `${origin}/${pattern.exec(page)![1]}`
    const packed = await fetch(address, { headers: { 'accept-encoding': 'gzip' }, decompress: false })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    return (await packed.bytes()).length
  }
  expect(await sizeOf(/src="(assets\/reference-\w+\.js)"/)).toBeLessThan(40_000)
  expect(await sizeOf(/href="(assets\/reference-\w+\.css)"/)).toBeLessThan(5000)
})
