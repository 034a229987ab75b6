/** A plug-in is a folder and a line in a list: other code asks for qualities, and names no id. */
import { describe, expect, test } from 'bun:test'
import { paymentMethods } from '../../src/payments/index.ts'
import { methodTables } from '../../src/payments/tables.ts'
import { paymentViews } from '../../src/payments/views.ts'
import { verifierIds } from '../../src/verifiers/index.ts'
import * as roles from '../../src/verifiers/roles.ts'
import { findForeignImports, findNamedIds, findNamedWords } from './named-ids.ts'
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
const readsAgentData = new Set([
  'pages/agent-plan.ts',
  'mcp/tools/agent-create.ts',
  // A delegation names its agent as agent-identity does.
  'verifiers/agent-delegation/rule.ts',
  'verifiers/agent-delegation/form.ts',
])

describe('verifiers', () => {
  test('are named by their folders and lists alone', () => {
    expect(findNamedIds(sources, verifierIds, mayName)).toEqual([])
  })

  test('are imported by their folders and lists alone', () => {
    const mayImport = (file: string) => lists.has(file) || readsAgentData.has(file)
    expect(findForeignImports(sources, 'verifiers', verifierIds, mayImport)).toEqual([])
  })

  test('exist for every list and every role', () => {
    for (const file of lists.keys()) expect(sources.has(file)).toBe(true)
    for (const id of Object.values(roles).flat()) expect(verifierIds).toContain(id)
  })

  test('each have a rule and words in their folder', () => {
    for (const id of verifierIds)
      for (const file of ['rule.ts', 'words/en.ts', 'words/de.ts'])
        expect([...sources.keys()]).toContain(`verifiers/${id}/${file}`)
  })
})

const methodIds = paymentMethods.map(({ id }) => id)
const methodNames = paymentMethods.map(({ name }) => name)
const paymentLists = ['payments/index.ts', 'payments/tables.ts', 'payments/views.ts']

/** An ordinary word that other code uses as well. As an id, it stands in quotes. */
const ordinaryWord = 'card'

/** Files outside the folders of payment methods that may name one, with the reason. */
const paymentExceptions: readonly { readonly file: RegExp; readonly why: string }[] = [
  { file: /(^|[/-])examples\.ts$/, why: 'requests and answers that the API description shows' },
  { file: /^guides\/decisions\/index\.ts$/, why: 'a decision about one method carries its name' },
  { file: /^auth\/owner-action\.ts$/, why: 'the path on the wire at which the text for a checkout is used' },
  { file: /^verifiers\/agent-delegation\/rule\.ts$/, why: 'a scope on the wire, and the payments that it allows' },
  { file: /^payments\/token-transfers\//, why: 'the table of the tokens, and stored identities of payments' },
  { file: /^pages\/shell\.ts$/, why: 'card is the look of a page there' },
]

const mayNameMethod = (file: string): boolean =>
  paymentLists.includes(file) ||
  methodIds.some((id) => file.startsWith(`payments/${id}/`)) ||
  paymentExceptions.some((one) => one.file.test(file))

/** As data, and other than the ordinary word also in sentences. */
const findNamedMethods = (files: ReadonlyMap<string, string>): string[] => {
  const words = [...new Set([...methodIds, ...methodNames])]
  return [
    ...findNamedIds(files, [ordinaryWord], mayNameMethod),
    ...findNamedWords(
      files,
      words.filter((word) => word !== ordinaryWord),
      mayNameMethod,
    ),
  ]
}

describe('payment methods', () => {
  test('are named by their folders and lists alone', () => {
    expect(findNamedMethods(sources)).toEqual([])
  })

  test('are imported by their lists alone, and not by each other', () => {
    const isList = (file: string) => paymentLists.includes(file)
    expect(findForeignImports(sources, 'payments', methodIds, isList)).toEqual([])
  })

  test('each have a method and words in their folder, and no exception is out of use', () => {
    for (const id of methodIds)
      for (const file of ['method.ts', 'words/en.ts', 'words/de.ts'])
        expect([...sources.keys()]).toContain(`payments/${id}/${file}`)
    for (const { file } of paymentExceptions)
      expect(
        [...sources].some(([path, text]) => file.test(path) && /x402|stripe|stablecoin|usdc|card/i.test(text)),
      ).toBe(true)
  })

  test('have their settings in the list that the configuration reads', () => {
    expect(methodTables).toEqual(paymentMethods.flatMap(({ settings }) => settings ?? []))
  })

  test('have views under names of the interface', () => {
    for (const { name } of paymentViews) expect(methodNames).toContain(name)
    expect(new Set(paymentViews.map(({ name }) => name)).size).toBe(paymentViews.length)
  })
})

describe('a planted payment method is found:', () => {
  test.each([
    ['as a value', "if (method === 'card') return"],
    ['as a name', "if (method === 'usdc') return"],
    ['in a path', "post('payments/stripe/checkout')"],
    ['in a setting', "const setting = 'payments.stablecoin'"],
    ['in a sentence', "const hint = 'Pay by x402.'"],
    ['in markup', '<p>Pay with stablecoins</p>'],
  ])('%s', (_, text) => {
    expect(findNamedMethods(new Map([['gates/a.ts', text]]))).toHaveLength(1)
  })

  test.each([
    ['of generic code', 'gates/a.ts', "import { refund } from '../payments/card/refund.ts'"],
    ['of another method', 'payments/x402/a.ts', "import { review } from '../stablecoin/review.ts'"],
    ['of shared code of payments', 'payments/watch.ts', "import type { A } from './x402/settle.ts'"],
  ])('as an import %s', (_, file, text) => {
    expect(findForeignImports(new Map([[file, text]]), 'payments', methodIds, () => false)).toHaveLength(1)
  })

  test.each([
    ['in a comment', 'gates/a.ts', "// such as 'stripe'"],
    ['as an ordinary word', 'agents/a.ts', "const hint = 'the card of an agent'"],
    ['in its folder', 'payments/card/a.ts', "const name = 'stripe'"],
  ])('it may stand %s', (_, file, text) => {
    expect(findNamedMethods(new Map([[file, text]]))).toEqual([])
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

  test.each([
    ['of generic code', 'gates/a.ts', "import { words } from '../verifiers/wallet-link/words.ts'"],
    ['of another verifier', 'verifiers/wallet-risk/a.ts', "import { rule } from '../wallet-link/rule.ts'"],
    ['of shared code of verifiers', 'verifiers/form.ts', "import type { A } from './wallet-link/rule.ts'"],
  ])('as an import %s', (_, file, text) => {
    expect(findForeignImports(new Map([[file, text]]), 'verifiers', verifierIds, () => false)).toHaveLength(1)
  })

  test.each([
    ['in a comment', "// such as 'wallet-link'"],
    ['in a sentence', "const hint = 'link it with wallet-link first'"],
  ])('it may stand %s', (_, text) => {
    expect(findNamedIds(new Map([['gates/a.ts', text]]), verifierIds, mayName)).toEqual([])
  })
})
