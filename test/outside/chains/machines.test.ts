/** Several names of one machine are one voice of `agree`, over names that a resolver of the test leads somewhere. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { networkInterfaces } from 'node:os'
import { makeGuard } from '../../../src/outside/http/address-guard.ts'
import { type Anvil, startAnvil } from '../../parts/anvil.ts'
import { type LyingRpc, lies, startLyingRpc } from '../../parts/lying-rpc.ts'
import { openBase, outageOf } from './evm-chain.ts'

const anybody = '0x00000000000000000000000000000000000000bb'
let anvil: Anvil
let liar: LyingRpc
let other: LyingRpc
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453 })
  liar = startLyingRpc(anvil.url)
  other = startLyingRpc(anvil.url)
  liar.lie(lies.balance(1000n))
  other.lie(lies.balance(1000n))
})
afterAll(() => Promise.all([liar.stop(), other.stop(), anvil.stop()]))

let addresses: Record<string, readonly string[]>
beforeEach(() => {
  addresses = { 'one.test': ['127.0.0.1'], 'two.test': ['127.0.0.1'] }
})
const guard = makeGuard(['127.0.0.0/8'], async (name) =>
  (addresses[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
)
const named = (name: string, { url } = liar) => `http://${name}:${new URL(url).port}`
const readBalance = async (rpc: readonly string[], more: object = {}): Promise<string> => {
  const { chain } = openBase(rpc, { agree: 2, guard, ...more })
  return outageOf(chain.at().then((view) => view.readNativeBalance(anybody).then(String)))
}
const readAgreement = async (rpc: readonly string[], more: object = {}) => {
  const { probes } = openBase(rpc, { agree: 2, guard, ...more })
  return probes
    .find(({ setting }) => setting === 'chains.base.agree')!
    .run()
    .then(
      ({ level, says }) => `${level} ${says}`,
      (error) => `thrown ${error.message} (${error.mend})`,
    )
}

describe('two names of one machine', () => {
  test('count as one vote, and the message names both and the address', async () => {
    const port = new URL(liar.url).port
    const why = `chains.base.rpc[1] leads to the same machine as chains.base.rpc[0] (one.test:${port}), 127.0.0.1`
    const answer = await readBalance([named('one.test'), named('two.test')])
    expect(answer).toBe(`disagree chains.base.rpc: has 1 endpoint that counts, and 2 must agree (${why})`)
    expect(await readAgreement([named('one.test'), named('two.test')])).toStartWith('thrown ')
    expect(await readAgreement([named('one.test'), named('two.test')])).toContain(why)
    expect(await readAgreement([named('one.test'), named('two.test')])).toContain('agree_counts = "addresses"')
  })

  test('count as one also where one is written as an address, and stay one for the next question', async () => {
    const { chain } = openBase([liar.url, named('two.test')], { agree: 2, guard })
    const ask = () => outageOf(chain.at().then((view) => view.readNativeBalance(anybody).then(String)))
    expect(await ask()).toStartWith('disagree ')
    expect(await ask()).toStartWith('disagree chains.base.agree: asks for 2 endpoints that agree, and rpc has 1')
  })

  test('count as one beside a third, which takes the place of the second', async () => {
    const honest = startLyingRpc(anvil.url)
    expect(await readBalance([named('one.test'), named('two.test'), honest.url])).toStartWith(
      'disagree chains.base.rpc: gave different answers',
    )
    await honest.stop()
  })

  test('count as two where the operator counts addresses', async () => {
    const rpc = [named('one.test'), named('two.test')]
    expect(await readBalance(rpc, { agreeCounts: 'addresses' })).toBe('answered "1000"')
  })

  test('count as two while their ports differ: two nodes of the operator', async () => {
    expect(await readBalance([named('one.test'), named('two.test', other)])).toBe('answered "1000"')
  })

  const own = Object.values(networkInterfaces()).flatMap((list = []) =>
    list.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address),
  )
  test('count as one where one is an address of an interface of this machine', async () => {
    const everywhere = Bun.serve({
      port: 0,
      hostname: '0.0.0.0',
      fetch: async (request) => fetch(liar.url, { method: 'POST', body: await request.text() }),
    })
    for (const address of ['127.0.0.2', ...own])
      expect(
        await readBalance([`http://one.test:${everywhere.port}`, `http://${address}:${everywhere.port}`]),
      ).toStartWith('disagree chains.base')
    await everywhere.stop(true)
  })
})

describe('names that share a public address', () => {
  test('count as they are written, and doctor warns of them with the address', async () => {
    addresses['a.example'] = ['5.5.5.5']
    addresses['b.example'] = ['6.6.6.6', '5.5.5.5']
    const honest = startLyingRpc(anvil.url)
    const rpc = [anvil.url, honest.url, liar.url, 'https://a.example/k', 'https://b.example/k']
    const finding = await readAgreement(rpc, { agree: 3 })
    expect(finding).toStartWith('warn 3 endpoints agree on block ')
    expect(finding).toContain(
      'chains.base.rpc[4] (b.example) leads to the same address as chains.base.rpc[3] (a.example), 5.5.5.5: they count as two',
    )
    addresses['b.example'] = ['6.6.6.6']
    expect(await readAgreement(rpc, { agree: 3 })).toStartWith('ok ')
    await honest.stop()
  })
})
