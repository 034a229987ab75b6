/** Every route was made by route(), and its description is complete: nothing about a route stands in a second list. */
import { describe, expect, test } from 'bun:test'
import { createApp, listRoutes } from '../../src/app.ts'
import { errorKinds } from '../../src/errors.ts'
import { everyRoute } from '../../src/http/describe.ts'
import { policies } from '../../src/http/rate-policies.ts'
import { type Route, readOperation, readProtocol } from '../../src/http/route.ts'
import { makeRouteTable } from '../../src/http/route-table.ts'
import { surfaces } from '../../src/http/surfaces.ts'
import { startApp } from '../app.ts'
import { readImports, readSources, removeComments } from './sources.ts'

const { parts } = await startApp({ PROOFGATE_MCP_URL: 'https://mcp.example/agents' })
const routes = listRoutes(parts)
const source = await readSources()
const name = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`

const fillPath = (path: string): string => path.replace(/:[a-zA-Z]+|\*/g, 'x')

/** Cookies protect the first ones: their answers to other pages would tell who is signed in. */
const unknownAddresses = [
  ['/api/v1/auth', 'own pages'],
  ['/api/v1/auth/me/', 'own pages'],
  ['/api/v1/auth/nothing', 'own pages'],
  ['/api/v1/auth/oauth/nothing/at/all', 'own pages'],
  ['/oauth', 'own pages'],
  ['/oauth/nothing', 'own pages'],
  ['/verify/more', 'own pages'],
  ['/login/more', 'own pages'],
  ['/proof', 'own pages'],
  ['/proof/a/b', 'own pages'],
  ['/agent/a/b', 'own pages'],
  ['/api/v1/auth/mcp/nothing', 'mcp hosts'],
  ['/oauth/register/nothing', 'mcp hosts'],
  ['/mcp/nothing', 'mcp hosts'],
  ['/.well-known/nothing', 'mcp hosts'],
  ['/api', 'listed pages'],
  ['/api/v1/nothing', 'listed pages'],
  ['/nothing', 'listed pages'],
  ['/', 'listed pages'],
] as const

describe('the routes', () => {
  test('are those that the server answers to, and no other', () => {
    const served = createApp(parts).routes.map(({ method, path }) => `${method} ${path}`)
    expect(served).toEqual(routes.map(name))
    expect(new Set(served).size).toBe(served.length)
  })

  test('come from files whose group stands in app.ts', () => {
    const app = source.get('app.ts')!
    const list = /const list: [^=]*= \[\n([\s\S]*?)\n {2}\]/.exec(app)?.[1]
    for (const [file, text] of source) {
      if (file === 'http/route.ts' || !/(?<!\.)\broute\(/.test(removeComments(text))) continue
      const maker = /export (?:const|(?:async )?function) (\w+Routes)\b/.exec(text)?.[1]
      expect(`${file}: ${maker}`).toMatch(/^\S+: \w+Routes$/)
      // The routes of a payment method stand in its plug-in, and the list of methods stands in app.ts.
      const method = /^payments\/([\w-]+)\/routes\.ts$/.exec(file)?.[1]
      if (method !== undefined) {
        expect(source.get(`payments/${method}/plugin.ts`)).toMatch(new RegExp(`^ {2}routes: .*\\b${maker}\\(`, 'm'))
        expect(source.get('payments/index.ts')).toContain(`'./${method}/plugin.ts'`)
        expect(list).toMatch(/^ {4}\.\.\.paymentMethods\.flatMap\(\(method\) => method\.routes\?\./m)
        continue
      }
      expect(readImports(app).map(({ target }) => target)).toContain(`./${file}`)
      expect(list).toMatch(new RegExp(`^ {4}\\.\\.\\.${maker}\\(`, 'm'))
    }
  })

  test('are given to Elysia in one place', () => {
    const givers = [...source].filter(([, text]) => /\bnew Elysia\(|\bapp\.route\(/.test(removeComments(text)))
    expect(givers.map(([file]) => file).sort()).toEqual(['app.ts', 'http/mount-routes.ts'])
  })

  test('are read by the pages that they name, and unknown addresses by those of the routes beside them', () => {
    const table = makeRouteTable(routes)
    for (const { path, readers } of routes)
      expect({ path, readers: table.listReaders(fillPath(path)) }).toEqual({ path, readers })
    for (const [path, readers] of unknownAddresses)
      expect({ path, readers: table.listReaders(path) }).toEqual({ path, readers })
  })

  test('agree with other methods at the same path on the checks before a method is known', () => {
    for (const one of routes)
      for (const other of routes.filter(({ path }) => path === one.path)) {
        const shared = ({ refusalFormat, cacheControl, checksOrigin, isOffered }: Route) => ({
          refusalFormat,
          cacheControl,
          checksOrigin,
          isOffered,
        })
        expect({ at: name(one), ...shared(other) }).toEqual({ at: name(one), ...shared(one) })
        if (one.surface !== other.surface) expect(`${name(one)}: ${one.surface}, ${other.surface}`).toBe('one surface')
        expect(other.operation === 'hidden').toBe(one.operation === 'hidden')
      }
  })
})

describe.each(routes.map((one) => [name(one), one] as const))('%s', (_, one) => {
  test('name their callers, their cost and their metrics', () => {
    expect(one.path).toMatch(/^\/([^/]|\/(?!$))*$/)
    expect(one.callers.length).toBeGreaterThan(0)
    expect(Object.keys(policies)).toContain(one.rate)
    expect([...Object.keys(surfaces), 'untimed']).toContain(one.surface)
    // A rate that is counted for a signer or a person needs the handler, which knows them.
    if (policies[one.rate].per !== 'client address') expect(one.rateTakenIn).toBe('handler')
  })

  test('says how its body is read', () => {
    const { body } = one.shapes
    if (body) expect(one).toMatchObject({ method: 'POST', bodyFormat: 'json' })
    if (one.bodyFormat === 'json') expect(body).toBeDefined()
    if (one.method === 'GET' || one.method === 'DELETE') expect(one.bodyFormat).toBe('none')
  })

  test('says how it refuses', () => {
    const operation = readOperation(one)
    if (readProtocol(one)) expect(one.refusalFormat === 'oauth' || one.checksOrigin).toBe(true)
    if (!operation) return
    const statuses = [...operation.refusals, ...everyRoute]
    for (const code of operation.codes ?? []) expect(Object.keys(errorKinds)).toContain(code)
    if (!one.callers.includes('anyone')) expect(statuses).toContain(401)
    if (one.bodyFormat !== 'none') expect(statuses).toEqual(expect.arrayContaining([413, 415]))
  })

  test('is described with an example, unless it is for people, for operators or another address of one that is', () => {
    const operation = readOperation(one)
    if (!operation) {
      expect(readProtocol(one) !== undefined || typeof one.operation === 'string').toBe(true)
      return
    }
    const example = typeof operation.example === 'function' ? operation.example('https://x.example') : operation.example
    expect(operation.summary.length).toBeGreaterThan(8)
    expect(example.response).toBeObject()
    if (one.bodyFormat !== 'none') expect(example.request).toBeObject()
    const inPath = [...one.path.matchAll(/:(\w+)/g)].map(([, member]) => member!)
    expect(Object.keys(example.params ?? {}).sort()).toEqual(inPath.sort())
    expect(Object.keys(one.shapes.params?.properties ?? {}).sort()).toEqual(inPath)
  })
})

/** Whether a text holds a regular expression that begins with the slash of a path. */
const matchesPaths = (text: string): boolean => /\/\^\\\/[a-z(.]/.test(removeComments(text))

describe('the files that serve every route', () => {
  test('know no path: they derive all facts about an address from the routes', () => {
    const generic = [...source].filter(([file]) => /^(app\.ts|(http|metrics|openapi)\/)/.test(file))
    const matching = generic.filter(([, text]) => matchesPaths(text)).map(([file]) => file)
    expect(matching).toEqual([])
  })

  test('are searched by a rule that finds a planted path', () => {
    expect(matchesPaths('const isProof = (path) => /^\\/proof\\//.test(path)')).toBe(true)
    expect(matchesPaths('const isWord = (text) => /^[a-z]+$/.test(text)')).toBe(false)
  })
})
