/** The port is served with the routes that Elysia itself would give to Bun. */
import { expect, spyOn, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { listNativeRoutes } from '../../src/http/native-routes.ts'
import { startApp } from '../app.ts'

type Routes = Readonly<Record<string, object>>

const listMethods = (routes: Routes): string[] =>
  Object.entries(routes)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))
    .sort()

test('Bun finds the same routes by itself as with the listen of Elysia', async () => {
  const { parts } = await startApp({ PROOFGATE_MCP_URL: 'https://mcp.example/agents' })
  const app = createApp(parts)
  const serve = spyOn(Bun, 'serve')
  try {
    app.listen({ port: 0, hostname: '127.0.0.1' })
    const [options] = serve.mock.calls[0] as unknown as readonly [{ readonly routes: Routes }]
    const expected = listMethods(options.routes)
    expect(expected.length).toBeGreaterThan(100)
    expect(listMethods(listNativeRoutes(app))).toEqual(expected)
  } finally {
    serve.mockRestore()
    await app.stop(true)
  }
})
