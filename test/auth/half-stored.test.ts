/** When a later write of a request fails, the answer does not claim that nothing happened. */

import { expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { expectRefused } from '../http/refused.ts'
import { dropTrigger, makeTrigger } from '../parts/triggers.ts'
import { alice } from '../wallets.ts'

test('deleting a profile whose history is already gone reports the stored part, and continues when asked again', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const { headers } = await app.signIn(alice)
  const remove = () => app.request('/api/v1/auth/me', { method: 'DELETE', headers })
  await app.parts.db.write(makeTrigger({ name: 'refusing', at: 'BEFORE DELETE ON profiles' }))
  const answer = await remove()
  expectRefused(answer, 'SERVICE_UNAVAILABLE', /a first part of this request was stored.*same request again/)
  expect(answer.body.error.details).toEqual({ uncertain: true })
  await app.parts.db.write(dropTrigger('refusing'))
  expect((await remove()).status).toBe(200)
  await app.close()
})

test('a request whose only write fails says that no change was stored, even after a session was touched', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const { headers } = await app.signIn(alice)
  app.wait(3_600_000)
  await app.parts.db.write(makeTrigger({ name: 'refusing', at: 'BEFORE INSERT ON access_keys' }))
  const answer = await app.post('/api/v1/auth/profile-keys', { name: 'a key' }, headers)
  expectRefused(answer, 'SERVICE_UNAVAILABLE', /did not happen/)
  expect(answer.body.error.details).toEqual({})
  await app.close()
})
