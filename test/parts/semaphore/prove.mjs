// Makes real Semaphore v4 proofs. Runs in Node: the prover's worker threads hang in Bun.
// stdin: [{ secret, members: [secret, …], message, scope, depth? }] with decimal message and scope.
// argv: the folder in which @semaphore-protocol/core and @zk-kit/semaphore-artifacts are installed.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const folder = process.argv[2]
const installed = createRequire(join(folder, 'package.json'))
const { Group, Identity, generateProof } = installed('@semaphore-protocol/core')
const artifacts = dirname(installed.resolve('@zk-kit/semaphore-artifacts/package.json'))

const proofs = []
for (const { secret, members, message, scope, depth } of JSON.parse(readFileSync(0, 'utf8'))) {
  const group = new Group(members.map((member) => new Identity(member).commitment))
  const at = depth ?? Math.max(1, group.depth)
  const files = { wasm: join(artifacts, `semaphore-${at}.wasm`), zkey: join(artifacts, `semaphore-${at}.zkey`) }
  proofs.push(await generateProof(new Identity(secret), group, message, scope, at, files))
}
process.stdout.write(`${JSON.stringify(proofs)}\n`, () => process.exit(0))
