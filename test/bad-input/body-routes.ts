/** Every route that takes JSON, and the headers of a caller whose body it reads. */
import { listRoutes } from '../../src/app.ts'
import type { TestApp } from '../app.ts'

/** Routes for signed-in people alone read no body of strangers, so their requests carry a session. */
export async function listBodyRoutes(app: TestApp): Promise<[path: string, headers: Record<string, string>][]> {
  const { headers } = await app.signIn()
  return listRoutes(app.parts)
    .filter(({ bodyFormat }) => bodyFormat === 'json')
    .map(({ path, callers }) => [
      path.replace(':qHash', `0x${'ab'.repeat(32)}`),
      callers.includes('anyone') || callers.includes('signature') ? {} : { ...headers },
    ])
}
