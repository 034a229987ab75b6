/** A file of few lines that only one other file imports belongs into that file, or beside it. */
import { describe, expect, test } from 'bun:test'
import { dirname, join, normalize } from 'node:path'
import { readImports, readSources } from './sources.ts'

const fewestLines = 25

/** Entries, lists, types, and files that stand alone by another rule. */
const mayBeSmall: readonly RegExp[] = [
  // Sections of the configuration, rows of a table and parts of a plug-in have one file each, and a list.
  /^config\/sections\//,
  /^db\/schema(?:\.ts$|\/)/,
  /^(?:verifiers|payments)\/[^/]+\/(?!.*-store\.ts$)/,
  // Commands whose steps have files of their own. The list of commands loads each.
  /^commands\/(?:keys|sweep)\.ts$/,
  // A value that those who publish builds replace.
  /^release\/release-key\.ts$/,
  // A list collected from the folders.
  /^moved-times\.ts$/,
  // The words of a script, which may be few.
  /^pages\/words\//,
  // A list that grows with each measure.
  /families\.ts$/,
  // A list that grows with each plug-in.
  /^verifiers\/(?:presets|settings)\.ts$/,
  /^payments\/(?:tables|views)\.ts$/,
  // The way into the folder of a network.
  /^outside\/[^/]+\/open\.ts$/,
  // SQL has a file of its own (table-owners.test.ts).
  /(?:^|[/-])store\.ts$/,
  /\.d\.ts$/,
]

/** Files with fewer lines than are worth a name, that exactly one other file imports. */
function listTooSmall(files: ReadonlyMap<string, string>): string[] {
  const importers = new Map<string, Set<string>>()
  for (const [file, text] of files)
    for (const { target } of readImports(text)) {
      const path = normalize(join(dirname(file), target))
      importers.set(path, (importers.get(path) ?? new Set()).add(file))
    }
  return [...files]
    .filter(([file, text]) => text.split('\n').length - 1 < fewestLines && importers.get(file)?.size === 1)
    .map(([file]) => file)
    .filter((file) => !mayBeSmall.some((pattern) => pattern.test(file)))
    .sort()
}

const source = await readSources()

describe('the source', () => {
  test('has no small file for a single importer', () => {
    expect(listTooSmall(source)).toEqual([])
  })
})

describe('a planted small file', () => {
  const small = 'export const one = 1\n'
  const user = "import { one } from './one.ts'\n"

  test('is found where a single file imports it', () => {
    expect(
      listTooSmall(
        new Map([
          ['a/one.ts', small],
          ['a/two.ts', user],
        ]),
      ),
    ).toEqual(['a/one.ts'])
  })

  test.each([
    ['that two files import', 'a/one.ts', small, ['a/two.ts', 'a/three.ts']],
    ['that is an entry', 'a/one.ts', small, []],
    ['with enough lines', 'a/one.ts', small.repeat(fewestLines), ['a/two.ts']],
    ['of SQL', 'a/one-store.ts', small, ['a/two.ts']],
  ])('%s is left alone', (_, file, text, users) => {
    const imported = user.replace('./one.ts', `./${file.slice(2)}`)
    expect(listTooSmall(new Map([[file, text], ...users.map((name) => [name, imported] as const)]))).toEqual([])
  })
})
