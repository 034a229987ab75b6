/** Proofs of contract wallets away from their server: only the chain can say whether the wallet signed. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UnavailableError } from '../../src/commands/command.ts'
import { verify } from '../../src/commands/verify.ts'
import { startApp } from '../app.ts'
import { contractWallet } from '../contract-wallet.ts'
import { type Anvil, startAnvil } from '../parts/anvil.ts'
import { type Deployed, deploy } from '../parts/contracts/contracts.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { alice, bob } from '../wallets.ts'
import { run } from './terminal.ts'

const newFolder = temporaryFolders()

const chain = 'eip155:8453'

let anvil: Anvil
let wallet: Deployed
let proof: Record<string, unknown>
let now: number

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453 })
  wallet = await deploy(anvil, 'Wallet1271', [alice.address])
  const app = await startApp({ PROOFGATE_CHAINS_BASE_CHAIN: chain, PROOFGATE_CHAINS_BASE_RPC: anvil.url })
  const signer = contractWallet(wallet.address, chain, alice)
  const data = { owner: wallet.address, content: 'Signed by a contract' }
  const { body } = await app.submit(signer, { verifierIds: ['ownership-basic'], data })
  proof = body.data.portableProof
  now = app.now()
})
afterAll(() => anvil?.stop())

function check(given: object, args: string[] = [], rpc = anvil.url) {
  const cwd = newFolder()
  writeFileSync(join(cwd, 'proofgate.toml'), `[chains.base]\nchain = "${chain}"\nrpc = ["${rpc}"]`)
  return run(verify, ['-', ...args], { cwd, now: () => now, stdin: JSON.stringify(given) })
}

const withChain = ['--config', 'proofgate.toml']

describe('proofgate verify, of a proof that a contract wallet signed', () => {
  test('is undecided without a chain, and names the missing check', async () => {
    const { code, out } = await check(proof)
    expect(code).toBe(69)
    expect(out).toStartWith('UNDECIDED')
    expect(out).toContain('only eip155:8453 can tell')
    expect(out).toContain('--config')
    expect(out).not.toContain('NOT VALID')
  })

  test('is valid where the configuration has the chain and the wallet accepts', async () => {
    const { code, out } = await check(proof, withChain)
    expect(out).toStartWith('VALID')
    expect(code).toBe(0)
  })

  test('is not valid when it was changed, chain or no chain', async () => {
    const changed = { ...proof, signedTimestamp: now + 1 }
    expect((await check(changed)).code).toBe(1)
    expect((await check(changed, withChain)).code).toBe(1)
  })

  test('is not valid any more when the wallet has another key', async () => {
    await wallet.write('setSigner', [bob.address])
    const { code, out } = await check(proof, withChain)
    expect(code).toBe(1)
    expect(out).toContain('does not accept this signature')
    await wallet.write('setSigner', [alice.address])
  })

  test('says that the chain does not answer, and never that the proof is wrong', async () => {
    expect(check(proof, withChain, 'http://127.0.0.1:1')).rejects.toThrow(UnavailableError)
    expect(check(proof, withChain, 'http://127.0.0.1:1')).rejects.toThrow(/could not be asked: chains\.base/)
  })
})
