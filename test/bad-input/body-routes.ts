/** Every route that takes JSON, and the headers of a caller whose body it reads. */
import { listRoutes } from '../../src/app.ts'
import type { TestApp } from '../app.ts'

/** Where no signature may stand in the body, no body of strangers is read, so those requests carry a session. */
export async function listBodyRoutes(app: TestApp): Promise<[path: string, headers: Record<string, string>][]> {
  const { headers } = await app.signIn()
  return listRoutes(app.parts)
    .filter(({ bodyFormat }) => bodyFormat === 'json')
    .map(({ path, callers, shapes }) => [
      path.replace(':qHash', `0x${'ab'.repeat(32)}`),
      callers.includes('anyone') || shapes.body?.properties?.signature ? {} : { ...headers },
    ])
}
