/** The checks of doctor on x402. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { makeX402Probes } from '../../src/payments/x402/probe.ts'
import { startApp } from '../app.ts'
import { deploy } from '../parts/contracts/contracts.ts'
import { openX402Stage, toRealTime, type X402Stage } from './x402-stage.ts'

let stage: X402Stage

beforeAll(async () => {
  stage = await openX402Stage()
})
afterAll(() => stage.stop())
beforeEach(() => stage.facilitator.tellTheTruth())

async function probesWith(settings: Record<string, string> = {}) {
  const app = await startApp({ ...stage.env, ...settings })
  toRealTime(app)
  return makeX402Probes(app.parts)
}

const findingWith = async (settings: Record<string, string> = {}) => (await probesWith(settings))[0]!.run()

test('a facilitator that settles on the chain of the token is well', async () => {
  const [probe] = await probesWith()
  expect(probe?.setting).toBe('payments.x402.facilitator_url')
  expect(await probe?.run()).toEqual({ level: 'ok', says: 'settles payments in USDC on eip155:8453' })
})

test('a server without x402 runs no checks', async () => {
  const { PROOFGATE_PAYMENTS_X402_FACILITATOR_URL: _, ...env } = stage.env
  const { parts } = await startApp(env)
  expect(makeX402Probes(parts)).toEqual([])
})

test('a facilitator of another chain fails', async () => {
  const finding = await findingWith({
    PROOFGATE_PAYMENTS_STABLECOIN_USDC_CHAIN: 'eip155:31337',
    PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:31337',
  })
  expect(finding).toMatchObject({ level: 'fail' })
  expect(finding.says).toContain('does not settle payments of x402 version 2 (scheme exact) on eip155:31337')
})

test.each([
  ['NAME', 'USDC', 'the token has the name "USD Coin", and payers are told to sign for "USDC"'],
  ['VERSION', '1', 'the token has the version "2", and payers are told to sign for "1"'],
])('another EIP-712 domain than that of the token fails: %s', async (member, set, says) => {
  const finding = await findingWith({ [`PROOFGATE_PAYMENTS_X402_TOKEN_${member}`]: set })
  expect(finding).toMatchObject({ level: 'fail', says })
})

test('a chain that is not configured fails', async () => {
  const finding = await findingWith({ PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:1' })
  expect(finding).toMatchObject({ level: 'fail' })
  expect(finding.says).toContain('[chains.<name>] with chain = "eip155:8453"')
})

test('a token without signed transfers is named', async () => {
  const { address } = await deploy(stage.anvil, 'Erc20', [6])
  const error = await findingWith({ PROOFGATE_PAYMENTS_STABLECOIN_USDC_TOKEN: address }).catch((thrown) => thrown)
  expect(error).toMatchObject({ fault: 'malformed', source: 'payments.x402.token' })
})

test('an address that is no facilitator is named', async () => {
  const error = await findingWith({ PROOFGATE_PAYMENTS_X402_FACILITATOR_URL: stage.anvil.url }).catch(
    (thrown) => thrown,
  )
  expect(error).toMatchObject({ fault: 'malformed', source: 'payments.x402.facilitator_url' })
})
