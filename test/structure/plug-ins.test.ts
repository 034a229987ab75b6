/** A plug-in is a folder and a line in a list: code outside of both asks for qualities, and names no id. */
import { describe, expect, test } from 'bun:test'
import { verifierIds } from '../../src/verifiers/index.ts'
import * as roles from '../../src/verifiers/roles.ts'
import { findFolderImports, findNamedIds } from './named-ids.ts'
import { readSources } from './sources.ts'

const sources = await readSources()

/** The lists beside the folders, by what they list. */
const lists: ReadonlyMap<string, string> = new Map([
  ['verifiers/index.ts', 'the rules, for the server'],
  ['verifiers/settings.ts', 'the settings'],
  ['verifiers/forms.ts', 'the forms, for browsers'],
  ['verifiers/roles.ts', 'the verifiers that a feature is built on'],
  ['verifiers/presets.ts', 'the bundles that links name'],
  ['verifiers/gate-templates.ts', 'the gates to start from'],
])

/** Files outside src/verifiers/ that may name a verifier, with the reason. */
const exceptions: readonly { readonly file: RegExp; readonly why: string }[] = [
  { file: /^config\/sections\/verifiers\.ts$/, why: 'examples of the configuration, which knows no plug-in' },
  { file: /(^|[/-])examples\.ts$/, why: 'requests and answers that the API description shows' },
  { file: /^guides\/index\.ts$/, why: 'guides about one verifier carry its name' },
  { file: /^payments\/routes\.ts$/, why: 'an example that stands with its route' },
]

const mayName = (file: string): boolean =>
  lists.has(file) ||
  verifierIds.some((id) => file.startsWith(`verifiers/${id}/`)) ||
  exceptions.some((one) => one.file.test(file))

/** Agents are set up by the shapes of the data that these verifiers check. */
const readsAgentData = new Set(['pages/agent-plan.ts', 'mcp/tools/agent-create.ts'])

describe('verifiers', () => {
  test('are named by their folders and lists alone', () => {
    expect(findNamedIds(sources, verifierIds, mayName)).toEqual([])
  })

  test('are imported by their folders and lists alone', () => {
    const mayImport = (file: string) => mayName(file) || readsAgentData.has(file)
    expect(findFolderImports(sources, 'verifiers', verifierIds, mayImport)).toEqual([])
  })

  test('exist for every list and every role', () => {
    for (const file of lists.keys()) expect(sources.has(file)).toBe(true)
    for (const id of Object.values(roles).flat()) expect(verifierIds).toContain(id)
  })

  test('each have a rule and words in their folder', () => {
    for (const id of verifierIds)
      for (const file of ['rule.ts', 'words.ts']) expect([...sources.keys()]).toContain(`verifiers/${id}/${file}`)
  })
})

describe('a planted id is found:', () => {
  test.each([
    ['as a value', "if (id === 'wallet-link') return"],
    ['as a key', "const words = { 'wallet-link': 'x' }"],
    ['in a list', "const ids = 'agent-identity,wallet-link'"],
    ['with a version', "const id = 'wallet-link@1'"],
    ['within SQL', "db.prepare(`SELECT 1 WHERE value ->> 'verifierId' = 'wallet-link'`)"],
    ['within markup', 'html`<proof-gate verifiers="wallet-link"></proof-gate>`'],
  ])('%s', (_, text) => {
    expect(findNamedIds(new Map([['gates/a.ts', text]]), verifierIds, mayName)).not.toEqual([])
  })

  test('as an import', () => {
    const files = new Map([['gates/a.ts', "import { words } from '../verifiers/wallet-link/words.ts'"]])
    expect(findFolderImports(files, 'verifiers', verifierIds, mayName)).toHaveLength(1)
  })

  test.each([
    ['in a comment', "// such as 'wallet-link'"],
    ['in a sentence', "const hint = 'link it with wallet-link first'"],
  ])('but not %s', (_, text) => {
    expect(findNamedIds(new Map([['gates/a.ts', text]]), verifierIds, mayName)).toEqual([])
  })
})
