/** A generator of types takes the description, and a program that is written against its types compiles. */
import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publishedByDefault } from './published.ts'

const root = join(import.meta.dir, '../..')
const folder = await mkdtemp(join(tmpdir(), 'generated-client-'))
afterAll(() => rm(folder, { recursive: true }))

async function run(...command: string[]): Promise<string> {
  const ran = Bun.spawn(command, { cwd: folder, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(ran.stdout).text(), new Response(ran.stderr).text()])
  return (await ran.exited) === 0 ? '' : out + err
}

const program = `
import type { components, operations, paths } from './api'

type Query<Id extends keyof operations> = NonNullable<operations[Id] extends { parameters: { query?: infer Q } } ? Q : never>
type Answer<Id extends keyof operations> = operations[Id] extends
  { responses: { 200: { content: { 'application/json': infer Json } } } } ? Json : never

export const list: Query<'listProofs'> = { limit: 20, offset: 0, includeHistory: true, tags: 'writing,novel' }
export const check: Query<'checkProofs'> = { address: '0x1', minCount: 2, requireAll: false, since: 0, traitGte: 1.5 }
export const method = (answer: Answer<'listPaymentMethods'>): string | undefined => answer.data.methods[0]?.network
export const ready = (answer: Answer<'getReadiness'>): boolean => answer.ready
export const token = (answer: Answer<'exchangeToken'>): string => answer.access_token
export const refused = (answer: components['schemas']['OAuthErrorAnswer']): string => answer.error_description
export const proof = (answer: Answer<'getProof'>): number => answer.data.createdAt
export const path: keyof paths = '/api/v1/proofs/check'

// @ts-expect-error: a number is no text
export const wrongKind: Query<'listProofs'> = { limit: '20' }
// @ts-expect-error: a flag is no text
export const wrongFlag: Query<'checkProofs'> = { requireAll: 'yes please' }
// @ts-expect-error: there is no such member
export const wrongMember = (answer: Answer<'getPricing'>) => answer.data.operations.nothing
`

test('a program compiles against types that are generated from it', async () => {
  await Bun.write(join(folder, 'api.json'), JSON.stringify(await publishedByDefault()))
  const generator = join(root, 'node_modules/openapi-typescript/bin/cli.js')
  expect(await run(process.execPath, generator, 'api.json', '--output', 'api.d.ts')).toBe('')
  await Bun.write(join(folder, 'program.ts'), program)
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
  }
  await Bun.write(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['program.ts'] }))
  expect(await run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')).toBe('')
})
