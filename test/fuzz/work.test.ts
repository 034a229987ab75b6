/**
 * Every route of the app gets expensive input: long runs, deep nesting, many members, repeated ones. The work of a
 * request is counted in characters (counted-work.ts), and not in time.
 *
 * WORK_RUNS=20000 runs longer; fast-check prints the seed of a failure.
 */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import fc from 'fast-check'
import { startCounting, stopCounting, totalOf, type Work, workOf } from './counted-work.ts'
import { hardJsons } from './hard-json.ts'
import { type Hardness, type HardRequest, hardBody, hardPath, hardQuery, type Route } from './hard-request.ts'
import { nameOf, openHardStage } from './hard-stage.ts'
import { hardTexts } from './hard-text.ts'
import { knownRequests } from './known-work.ts'

setDefaultTimeout(60_000)

const runs = Number(process.env.WORK_RUNS ?? 500)

/**
 * A request is read, checked, put into canonical form, hashed and answered: each is one walk over its bytes. Text of 30
 * marks in a row costs 30 steps for each mark where it is normalized.
 */
const mostPerByte = 200
/** Work that a short request may cause: the budget of a gate check, and pages of the longest rows. */
const mostOfStore = 12_000_000
const mostAnswerBytes = 2 * 1024 * 1024
/** Requests of far more work are stopped there, and fail. */
const stopAt = 120_000_000

startCounting()
const stage = await openHardStage()
afterAll(async () => {
  stopCounting()
  await stage.app.close()
})

const byName = new Map(stage.routes.map((route) => [nameOf(route), route]))

const sizeOf = ({ path, headers, body }: HardRequest): number =>
  path.length +
  Buffer.byteLength(body ?? '') +
  Object.entries(headers).reduce((sum, [name, text]) => sum + name.length + text.length, 0)

/** Returns the fault in the work of a request, or undefined. */
async function faultOf(request: HardRequest): Promise<string | undefined> {
  const answer = { status: 0, bytes: 0 }
  const work: Work = await workOf(async () => void Object.assign(answer, await stage.send(request)), stopAt)
  const size = sizeOf(request)
  const most = mostPerByte * size + mostOfStore
  const done = totalOf(work)
  const shown = `${request.method} ${request.path.slice(0, 120)}, ${size} bytes, answered ${answer.status}`
  if (done > most) return `${shown}: ${done} units of work, of ${most}: ${JSON.stringify(work)}`
  const isExport = /\/export\b/.test(request.path)
  if (!isExport && answer.bytes > mostAnswerBytes) return `${shown} with ${answer.bytes} bytes`
  return answer.status === 500 ? `${shown}` : undefined
}

const methodOf = ({ method }: Route): string => (method === 'ALL' ? 'POST' : method)

interface Attack extends Hardness {
  readonly isSignedIn: boolean
  readonly inQuery: boolean
}

function attackOn(route: Route, attack: Attack): HardRequest {
  const samples = stage.samples(route)
  const method = methodOf(route)
  const isForm = /\/oauth\/consent$|\/mcp\/(token|revoke)$/.test(route.path)
  const query = attack.inQuery ? `?${hardQuery(route, attack, samples)}` : ''
  const document = method === 'POST' ? hardBody(route, attack, samples) : undefined
  return {
    method,
    path: `${hardPath(route, samples)}${query}`,
    headers: {
      ...(method === 'POST'
        ? { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }
        : {}),
      ...(route.path === '/mcp' ? { accept: 'application/json, text/event-stream' } : {}),
      ...(attack.isSignedIn ? stage.credentials(route) : {}),
    },
    body:
      isForm && document !== undefined
        ? `handle=${encodeURIComponent(document.toWellFormed()).slice(0, 60_000)}`
        : document,
  }
}

describe('every route of the app', () => {
  test('takes a hard body that is made from its schema, so that the attack gets past the look at its shape', () => {
    expect(stage.routes.filter(({ shapes }) => shapes?.body).length).toBeGreaterThan(40)
    expect(stage.routes.filter(({ shapes }) => shapes?.query).length).toBeGreaterThan(20)
    const refused = stage.routes.flatMap((route) => {
      const schema = route.shapes?.body
      if (schema === undefined) return []
      const hardness: Hardness = { text: 'one letter', document: 'many members', bytes: 1_000 }
      const body = JSON.parse(hardBody(route, hardness, stage.samples(route)))
      const check = TypeCompiler.Compile(schema)
      return check.Check(body) ? [] : [`${nameOf(route)}: ${JSON.stringify(check.Errors(body).First())}`]
    })
    expect(refused).toEqual([])
  })

  test('does work in proportion to the bytes of each kind of hard document', async () => {
    const faults: string[] = []
    const attacked = new Set<string>()
    for (const route of stage.routes) {
      // Kinds of text are in both lists: each is once the text of members, and once the document.
      for (const document of methodOf(route) === 'POST' ? hardJsons : hardTexts) {
        const text = (hardTexts as readonly string[]).includes(document) ? (document as Hardness['text']) : 'one letter'
        const attack = {
          text,
          document,
          bytes: 20_000,
          isSparse: true,
          isSignedIn: true,
          inQuery: methodOf(route) !== 'POST',
        }
        const fault = await faultOf(attackOn(route, attack))
        attacked.add(nameOf(route))
        if (fault !== undefined) faults.push(`${document}: ${fault}`)
      }
    }
    expect(faults).toEqual([])
    expect([...attacked].sort()).toEqual(stage.routes.map(nameOf).sort())
  })

  test(`survives ${runs} hard requests of every size`, async () => {
    const attacks = fc.record({
      // Routes are picked by name, because fast-check would print all code of a route object.
      name: fc.constantFrom(...byName.keys()),
      text: fc.constantFrom(...hardTexts),
      document: fc.constantFrom(...hardJsons),
      bytes: fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: 1, max: 20_000 }) },
        fc.integer({ min: 20_000, max: 480_000 }),
      ),
      isSparse: fc.boolean(),
      isSignedIn: fc.boolean(),
      inQuery: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(attacks, async ({ name, ...attack }) => {
        expect(await faultOf(attackOn(byName.get(name)!, attack))).toBeUndefined()
      }),
      { numRuns: runs, seed: Number(process.env.WORK_SEED ?? 12), endOnFailure: true },
    )
  })
})

describe('a request that is known to be hard', () => {
  for (const [title, request] of knownRequests)
    test(title, async () => {
      expect(await faultOf(request(stage))).toBeUndefined()
    })
})
