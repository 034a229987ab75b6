/** Files and folders depend in one direction. An import of a type alone counts: a reader follows it like any other. */
import { describe, expect, test } from 'bun:test'
import { dirname, join, normalize } from 'node:path'
import { readImports, readSources } from './sources.ts'

type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** Maps each file to the files that it imports, by path below src/. */
const readFileGraph = (files: ReadonlyMap<string, string>): Graph =>
  new Map(
    [...files].map(([file, text]) => [
      file,
      new Set(readImports(text).map(({ target }) => normalize(join(dirname(file), target)))),
    ]),
  )

/** Maps each folder to the folders that it imports. Files directly in src/ put folders together, and are left out. */
function readFolderGraph(files: Graph): Graph {
  const folders = new Map<string, Set<string>>()
  for (const [file, targets] of files)
    for (const target of targets) {
      const [from, to] = [file.split('/'), target.split('/')]
      if (from.length === 1 || to.length === 1 || to[0] === '..' || from[0] === to[0]) continue
      folders.set(from[0]!, (folders.get(from[0]!) ?? new Set()).add(to[0]!))
    }
  return folders
}

/** All that a node reaches, itself only where a circle leads back to it. */
function listReached(graph: Graph, start: string): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [start]
  for (let node = open.pop(); node !== undefined; node = open.pop())
    for (const next of graph.get(node) ?? [])
      if (!reached.has(next)) {
        reached.add(next)
        open.push(next)
      }
  return reached
}

/** Each circle as its sorted members: all that reach one another. */
function findCircles(graph: Graph): string[] {
  const reached = new Map([...graph.keys()].map((node) => [node, listReached(graph, node)]))
  const circles = new Set<string>()
  for (const [node, targets] of reached)
    if (targets.has(node))
      circles.add(
        [...targets]
          .filter((other) => reached.get(other)?.has(node))
          .sort()
          .join(' '),
      )
  return [...circles].sort()
}

const source = readFileGraph(await readSources())

describe('the source', () => {
  test('has no circle between files', () => {
    expect(findCircles(source)).toEqual([])
  })

  test('has no circle between folders', () => {
    expect(findCircles(readFolderGraph(source))).toEqual([])
  })
})

const plant = (...files: readonly (readonly [string, string])[]): Graph => readFileGraph(new Map(files))

describe('a planted circle is found:', () => {
  test('between two files', () => {
    const files = plant(['a/one.ts', "import { two } from './two.ts'"], ['a/two.ts', "import { one } from './one.ts'"])
    expect(findCircles(files)).toEqual(['a/one.ts a/two.ts'])
  })

  test('by types alone, over a third file', () => {
    const files = plant(
      ['a/one.ts', "import type { Two } from './two.ts'"],
      ['a/two.ts', "import { type Three } from './three.ts'"],
      ['a/three.ts', "export type { One } from './one.ts'"],
    )
    expect(findCircles(files)).toEqual(['a/one.ts a/three.ts a/two.ts'])
  })

  test('between folders whose files have none', () => {
    const files = plant(
      ['a/one.ts', "import { low } from '../b/low.ts'"],
      ['b/high.ts', "import { two } from '../a/two.ts'"],
      ['a/two.ts', ''],
      ['b/low.ts', ''],
    )
    expect(findCircles(files)).toEqual([])
    expect(findCircles(readFolderGraph(files))).toEqual(['a b'])
  })
})
