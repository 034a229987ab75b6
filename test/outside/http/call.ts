/**
 * Makes one call in its own process, because environment variables are read when a process starts. Prints the answer,
 * or the failure, as JSON. Every name leads to 127.0.0.1.
 */
import { OutsideError } from '../../../src/outside/failure.ts'
import { makeGuard } from '../../../src/outside/http/address-guard.ts'
import { makeEndpoint } from '../../../src/outside/http/endpoint.ts'

const [, , url = ''] = process.argv
const guard = makeGuard(['127.0.0.1'], async () => [{ address: '127.0.0.1', family: 4 }])
const endpoint = makeEndpoint('test.url', url, { timeoutMs: 5000, attempts: 1, guard })
try {
  const { status, body } = await endpoint.send({ method: 'GET' })
  console.log(JSON.stringify({ status, text: new TextDecoder().decode(body) }))
} catch (error) {
  if (!(error instanceof OutsideError)) throw error
  const { fault, happened } = error
  console.log(JSON.stringify({ fault, happened }))
}
