import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { makePublishingProbes } from '../../src/publishing/probe.ts'
import { startApp } from '../app.ts'
import { east, newPublisher, nonceOf, openStage, type Stage, setBalance } from './stage.ts'

setDefaultTimeout(60_000)

let stage: Stage
beforeAll(async () => {
  stage = await openStage(east)
})
afterAll(() => stage.anvil.stop())

const findings = async (env: Record<string, string>) => {
  const { parts } = await startApp(env)
  return Promise.all(makePublishingProbes(parts).map(async ({ setting, run }) => ({ setting, ...(await run()) })))
}

test('doctor says with which account proofs are published, and for how many its money lasts', async () => {
  const { env, address } = await newPublisher([stage])
  const found = await findings(env)
  expect(found).toHaveLength(1)
  const says = new RegExp(
    `^publishes on eip155:${east} as ${address}, which holds 1 of its coin: .* about [1-9]\\d+ records$`,
  )
  expect(found[0]).toMatchObject({ setting: 'publishing.private_key', level: 'ok' })
  expect(found[0]!.says).toMatch(says)
  expect(await nonceOf(stage, address)).toBe(0)
})

test('doctor warns when the account is empty, and says whom to pay', async () => {
  const { env, address } = await newPublisher([stage])
  await setBalance(stage.anvil, address, 1n)
  const [found] = await findings(env)
  expect(found).toMatchObject({ level: 'warn', mend: `send funds to ${address} on eip155:${east}` })
})

test('doctor warns of a key with which nothing can be published, and is silent without a key', async () => {
  const { env } = await newPublisher([stage])
  const { [`PROOFGATE_CHAINS_C${east}_EAS`]: _, ...withoutContract } = env
  expect(await findings(withoutContract)).toMatchObject([{ level: 'warn', mend: expect.stringContaining('set eas') }])
  expect(await findings({})).toEqual([])
})
