/** Whatever the server refuses, a page says it in words for people. */
import { describe, expect, test } from 'bun:test'
import { ProofgateError } from '../../src/client/client.ts'
import { AppError, errorKinds } from '../../src/errors.ts'
import { describeProblem } from '../../src/pages/browser/dashboard/failure.ts'
import { Refusal } from '../../src/pages/browser/json-api.ts'
import { describeError } from '../../src/pages/browser/words.ts'
import { renderRefusalPage } from '../../src/pages/refusal.ts'
import { isForReaders, writeRefusal } from '../../src/pages/refusal-words.ts'
import { words } from '../../src/pages/words/words.ts'
import { startApp } from '../app.ts'

const codes = Object.keys(errorKinds)
const app = await startApp()
const description = (await app.get('/openapi.json')).body

/** Names that only programs know: members with an inner capital or an underscore, headers, error codes, paths. */
const names = new Set<string>([...codes, ...Object.keys(description.paths)])
function collect(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const { properties, in: place, name } = value as Record<string, unknown>
  for (const member of Object.keys((properties as object | undefined) ?? {}))
    if (/^[a-z]+[A-Z]|_/.test(member)) names.add(member)
  if (place === 'header' && typeof name === 'string') names.add(name)
  for (const inner of Object.values(value)) collect(inner)
}
collect(description)
names.delete('/')
const programNames = [...names]

/** Every refusal that stands in the source, with its values filled in. */
const messages: { readonly code: string; readonly message: string }[] = []
for (const file of new Bun.Glob('**/*.ts').scanSync('src')) {
  if (file.startsWith('commands/') || file.startsWith('client/')) continue
  const text = await Bun.file(`src/${file}`).text()
  for (const [, code, , message] of text.matchAll(/new AppError\(\s*'([A-Z_]+)',\s*(['`])((?:(?!\2)[^\\]|\\.)*)\2/g))
    messages.push({ code: code!, message: message!.replaceAll(/\$\{[^}]*\}/g, 'value') })
  for (const [, , message] of text.matchAll(/fails\(\s*'[A-Z_]+',\s*(['`])((?:(?!\1)[^\\]|\\.)*)\1/g))
    messages.push({ code: 'VERIFICATION_FAILED', message: message!.replaceAll(/\$\{[^}]*\}/g, 'value') })
}

const listProgramText = (shown: string): string[] => [
  ...programNames.filter((name) => new RegExp(`(^|[^\\w-])${RegExp.escape(name)}($|[^\\w-])`).test(shown)),
  ...(shown.match(/\b(GET|POST|PUT|DELETE)\b|\b[A-Z]+_[A-Z_]+\b|\bx-[a-z]+\b|\/api\/|[{}`]|requestId|"\w+":/g) ?? []),
]

const speakers = [
  ['the hosted pages', (code: string, message: string) => describeError(refusalOf(code, message))],
  [
    'the dashboard',
    (code: string, message: string) =>
      describeProblem(
        new ProofgateError(code, message, {
          status: errorKinds[code as 'CONFLICT']?.status ?? 500,
          requestId: 'req_1',
        }),
      ),
  ],
  ['pages of the server', (code: string, message: string) => writeRefusal({ code, message })],
] as const
const refusalOf = (code: string, message: string) => new Refusal(code, message, {}, undefined, undefined)

describe.each(speakers)('%s', (_, speak) => {
  test.each(codes)('say %s in whole sentences, whatever the server wrote', (code) => {
    for (const message of [
      '',
      'data.ownerAddress is missing',
      'x-csrf-token is missing: send the csrfToken of GET /api/v1/auth/me in the header X-CSRF-Token',
      'BODY_INVALID',
      '{"error":"invalid_request"}',
      'verifiers.app_links is off',
      'status 502',
    ]) {
      const shown = speak(code, message)
      expect(listProgramText(shown)).toEqual([])
      expect(shown).not.toContain('status 502')
      expect(shown).toMatch(/^[A-Z].{15,}[.!?]$/)
    }
  })

  test.each(['502', 'HTTP_502', 'BODY_INVALID', 'NO_JSON'])(
    'say %s, a code that is not known, the same way',
    (code) => {
      const shown = speak(code, 'Bad Gateway at upstream_host')
      expect(shown).toContain('Something failed on this server')
      expect(listProgramText(shown)).toEqual([])
    },
  )

  test('show no name, path or code of the API for any refusal in the source', () => {
    expect(messages.length).toBeGreaterThan(200)
    const leaks = messages.flatMap(({ code, message }) => {
      const found = listProgramText(speak(code, message))
      return found.length > 0 ? [{ code, message, found }] : []
    })
    expect(leaks).toEqual([])
  })
})

test('a page that the server answers a refusal with holds no text for programs', async () => {
  const refusal = new AppError('VALIDATION_ERROR', 'data.ownerAddress is missing: send it in the body')
  const page = await renderRefusalPage(refusal, { path: '/', language: 'en' })
  expect(page).toContain('Something that you entered is not valid.')
  expect(page).not.toContain('ownerAddress')
})

describe('in German', () => {
  const german = words.de

  test.each(codes)('%s is said in German, whatever the server wrote', (code) => {
    const shown = writeRefusal({ code, message: 'data.ownerAddress is missing' }, german)
    expect(shown).toBe(german.refusals[code as keyof typeof german.refusals])
    expect(shown).not.toBe(writeRefusal({ code, message: 'data.ownerAddress is missing' }))
    expect(shown).toMatch(/^[A-ZÄÖÜ].{15,}[.!?]$/)
  })

  test('a message of the server follows the sentence, and is said to be English', () => {
    expect(writeRefusal({ code: 'CONFLICT', message: 'the gate is archived' }, german)).toBe(
      `${german.refusals.CONFLICT} Der Server meldet auf Englisch: „The gate is archived.“`,
    )
  })

  test('a page of the server takes the language of its reader', async () => {
    const refusal = new AppError('VALIDATION_ERROR', 'data.ownerAddress is missing: send it in the body')
    const page = await renderRefusalPage(refusal, { path: '/', language: 'de' })
    expect(page).toContain(german.refusals.VALIDATION_ERROR)
  })
})

test.each([
  'the name _svc.example.org has no TXT record',
  '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A holds less than 5 of the token at block 12',
  'the wallet 7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv does not hold the token at slot 5',
  'a wallet cannot be linked to itself',
  'this payment was already used for another gate: pay again',
])('is for readers: %s', (text) => {
  expect(isForReaders(text)).toBe(true)
})
