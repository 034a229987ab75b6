/**
 * The Semaphore proofs of the tests, and the claim that each proves. The real prover made test/vectors/semaphore.json
 * with these commands:
 *
 *   npm install --prefix FOLDER --ignore-scripts @semaphore-protocol/core@4.14.2 @zk-kit/semaphore-artifacts@4.13.0
 *   bun test/parts/semaphore/cases.ts FOLDER > test/vectors/semaphore.json && npm run fix
 *
 * The prover and its keys have 164 MB, too much for a dependency. SEMAPHORE=1 makes the tests install them into a
 * temporary folder, and prove anew.
 */

import { keccak256, toBytes } from 'viem'
import { alice, bob, sol, type TestWallet } from '../../wallets.ts'

export interface SemaphoreProof {
  readonly merkleTreeDepth: number
  readonly merkleTreeRoot: string
  readonly nullifier: string
  readonly message: string
  readonly scope: string
  readonly points: readonly string[]
}

interface Case {
  readonly secret: string
  readonly members: readonly string[]
  readonly message: string
  readonly scope: string
  readonly depth?: number
}

/** Computes here, a second time, the numbers that a proof must be made for. */
const numberOf = (...lines: readonly string[]): string => BigInt(keccak256(toBytes(lines.join('\n')))).toString()
export const messageFor = (wallet: TestWallet, domain = 'localhost'): string =>
  numberOf(domain, wallet.signing.chain ? wallet.address : wallet.address.toLowerCase())
export const scopeOf = (scope: string, domain = 'localhost'): string => numberOf(domain, scope)

const persons = ['ada', 'ben', 'cyn']
const by = (secret: string, wallet: TestWallet, more: Partial<Case> = {}): Case => ({
  secret,
  members: persons,
  message: messageFor(wallet),
  scope: scopeOf('svc-v1'),
  ...more,
})

export const cases = {
  adaForAlice: by('ada', alice),
  adaForBob: by('ada', bob),
  adaForSol: by('ada', sol),
  benForBob: by('ben', bob),
  cynForBob: by('cyn', bob),
  adaInOtherScope: by('ada', alice, { scope: scopeOf('airdrop') }),
  adaForBobInOtherScope: by('ada', bob, { scope: scopeOf('airdrop') }),
  adaOnOtherDomain: by('ada', alice, {
    message: messageFor(alice, 'proofs.example.com'),
    scope: scopeOf('svc-v1', 'proofs.example.com'),
  }),
  adaForBobOnPage: by('ada', bob, {
    message: messageFor(bob, '127.0.0.1'),
    scope: scopeOf('svc-v1', '127.0.0.1'),
  }),
  dotOfOtherGroup: by('dot', alice, { members: ['dot', 'eve'] }),
  adaAtDepth10: by('ada', alice, { depth: 10 }),
  adaAtDepth20: by('ada', alice, { depth: 20 }),
  adaAtDepth32: by('ada', alice, { depth: 32 }),
} as const satisfies Record<string, Case>

export type CaseName = keyof typeof cases

const prover = new URL('./prove.mjs', import.meta.url).pathname

/** Makes real proofs by Node, with the packages installed in the folder. */
export async function proveIn(folder: string, asked: readonly Case[]): Promise<readonly SemaphoreProof[]> {
  const child = Bun.spawn(['node', prover, folder], { stdin: new Blob([JSON.stringify(asked)]), stdout: 'pipe' })
  const text = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error('the prover failed')
  return JSON.parse(text)
}

if (import.meta.main) {
  const proofs = await proveIn(Bun.argv[2] ?? '', Object.values(cases))
  const named = Object.fromEntries(Object.keys(cases).map((name, at) => [name, proofs[at]]))
  process.stdout.write(`${JSON.stringify(named, null, 2)}\n`)
}
