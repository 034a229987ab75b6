/**
 * Programs in Node, Bun and Deno use the client module that the executable serves. All run the same checks
 * (test/client/whole-way.mjs).
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeFunctionData, erc20Abi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { oddEnvelopes } from '../client/odd-envelopes.ts'
import { addGate } from '../pages/gates-here.ts'
import { type Anvil, startAnvil } from '../parts/anvil.ts'
import { deploy } from '../parts/contracts/contracts.ts'
import { findDeno } from '../parts/deno.ts'
import { temporaryFolder } from '../parts/folders.ts'
import { freePort } from '../parts/free-port.ts'
import { base as chainId, coinEnv, mintTo, putToken, shop, usdc } from '../payments/coin-stage.ts'
import vectors from '../vectors/envelopes.json' with { type: 'json' }
import { build, removeAll, start } from './executable.ts'

setDefaultTimeout(180_000)

const folder = temporaryFolder()
const paidAmount = 4_990_000n

let anvil: Anvil
let server: Awaited<ReturnType<typeof start>>
let tight: Awaited<ReturnType<typeof start>>
let facts: object
beforeAll(async () => {
  build()
  // Uses the present time, because the executable has no other clock.
  anvil = await startAnvil({ chainId, timestamp: Math.floor(Date.now() / 1000) })
  await anvil.rpc('anvil_autoImpersonateAccount', [true])
  await putToken(anvil, usdc)
  server = await start(['serve'], { env: { ...coinEnv(anvil.url), PROOFGATE_LIMITS_ENABLED: 'false' } })
  tight = await start(['serve'], { env: { PROOFGATE_LIMITS_RATES_READS: '2/1h' } })

  const requirements = [{ id: 'own', verifierId: 'ownership-basic' }]
  const reveal = (value: string) => [{ kind: 'reveal', value, label: 'How to get in' }]
  const freeGate = await addGate(server.base, {
    gateId: 'gate_free',
    name: 'Free',
    requirements,
    rewards: reveal('Ring twice'),
  })
  const paidGate = await addGate(server.base, {
    gateId: 'gate_paid',
    name: 'Paid',
    requirements,
    rewards: reveal('Paid for'),
    price: { amountUsd: '4.99', methods: ['stablecoin'], recipient: shop },
  })
  const module = join(folder, 'client.mjs')
  await Bun.write(module, await fetch(`${server.base}/client.js`))
  facts = {
    module,
    base: server.base,
    tight: tight.base,
    closed: `http://127.0.0.1:${await freePort()}`,
    freeGate,
    paidGate,
    rpc: anvil.url,
    token: usdc,
    transfer: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [shop, paidAmount] }),
    published: vectors.flatMap(({ request, did, qHash, signature, signatureMethod }) =>
      signature ? [{ qHash, did, ...request, signature, signatureMethod }] : [],
    ),
    odd: await oddEnvelopes(),
  }
})
afterAll(async () => {
  expect(await server.stop()).toBe(0)
  expect(await tight.stop()).toBe(0)
  await anvil.stop()
  removeAll()
})

interface Line {
  readonly name: string
  readonly ok: boolean
  readonly error?: string
}

const program = join(import.meta.dir, '../client/whole-way.mjs')

async function checksIn(runtime: readonly string[], key: `0x${string}`): Promise<Line[]> {
  const from = privateKeyToAccount(key).address
  await mintTo(anvil, { from, amount: paidAmount })
  await anvil.rpc('anvil_setBalance', [from, '0xde0b6b3a7640000'])
  const { address: contract } = await deploy(anvil, 'Wallet1271', [from])
  const file = join(folder, `${key.slice(-4)}.json`)
  writeFileSync(file, JSON.stringify({ ...facts, key, contract }))
  const child = Bun.spawn([...runtime, program, file], { stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  // Node 20 calls some of Web Cryptography an experiment, and says so.
  expect({ code: await child.exited, err: err.replace(/^\(.*\n/gm, '') }).toEqual({ code: 0, err: '' })
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

describe('the client module from the executable', () => {
  const names: string[][] = []

  test.each<[string, string[], `0x${string}`]>([
    ['Node', ['node'], `0x${'71'.repeat(32)}`],
    ['Bun', [process.execPath], `0x${'72'.repeat(32)}`],
    ['Deno', [findDeno(), 'run', '--quiet', '--no-lock', '--allow-all'], `0x${'73'.repeat(32)}`],
  ])('does everything in %s', async (_, runtime, key) => {
    const lines = await checksIn(runtime, key)
    expect(lines.filter(({ ok }) => !ok)).toEqual([])
    expect(lines.length).toBeGreaterThan(20)
    names.push(lines.map(({ name }) => name))
  })

  test('by the same checks in each, Node being one of those that we promise', () => {
    expect(names[1]).toEqual(names[0]!)
    expect(names[2]).toEqual(names[0]!)
    const { stdout } = Bun.spawnSync(['node', '--version'])
    expect(Number(/^v(\d+)/.exec(stdout.toString())?.[1])).toBeGreaterThanOrEqual(20)
  })

  test('Deno imports it from the server, and finds its types by itself', () => {
    const deno = (command: string, lines: string) => {
      const file = join(folder, `${command}.ts`)
      writeFileSync(file, `import { createClient } from '${server.base}/client.js'\n${lines}`)
      const flags = ['--quiet', '--no-lock', '--no-config', '--allow-import']
      const args = [command, ...flags, ...(command === 'run' ? ['--allow-net'] : []), file]
      const env = { ...process.env, DENO_DIR: join(folder, 'deno'), NO_COLOR: '1' }
      const { stdout, stderr, exitCode } = Bun.spawnSync([findDeno(), ...args], { cwd: folder, env })
      return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
    }
    const use = `const client = createClient({ url: '${server.base}' })\n`
    expect(deno('run', `${use}console.log((await client.health()).status)`)).toEqual({
      exitCode: 0,
      stdout: 'ok\n',
      stderr: '',
    })
    expect(deno('check', `${use}const status: string = (await client.health()).status\nexport { status }`)).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: '',
    })
    expect(deno('check', `${use}client.verify()`).stderr).toContain("Property 'verify' does not exist on type 'Client'")
  })
})
