/** Finds out what is to be imported: the folder of an export, its tar file, or portable proofs. */
import { createReadStream, existsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { exporters } from '../export/index.ts'
import { manifestFile } from '../export/manifest.ts'
import { type Terminal, UsageError } from './command.ts'

export type Source =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'tar' | 'proofs'; readonly title: string; readonly chunks: () => AsyncIterable<Uint8Array> }

/** A tar file says "ustar" here. */
const tarMark = { at: 257, word: 'ustar' }
const enough = tarMark.at + tarMark.word.length

/** Errors: UsageError. */
export async function lookIntoSource(named: string, { cwd, input }: Pick<Terminal, 'cwd' | 'input'>): Promise<Source> {
  const path = named === '-' ? undefined : resolve(cwd, named)
  const title = path ?? 'standard input'
  if (path !== undefined && requireThere(path).isDirectory()) return { kind: 'folder', path }
  if (path !== undefined) refusePart(path)
  const iterator = (path === undefined ? input() : (createReadStream(path) as AsyncIterable<Uint8Array>))[
    Symbol.asyncIterator
  ]()
  const first: Uint8Array[] = []
  for (let length = 0; length < enough; ) {
    const { value, done } = await iterator.next().catch((error: Error) => {
      throw new UsageError(`${title} cannot be read (${error.message})`)
    })
    if (done) break
    first.push(value)
    length += value.length
  }
  const beginning = Buffer.concat(first)
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    yield beginning
    for (;;) {
      const { value, done } = await iterator.next()
      if (done) return
      yield value
    }
  }
  return { kind: readKind(beginning, title), title, chunks }
}

/** Of the files of an export, only opened portable proofs can be brought in by themselves. */
function refusePart(path: string): void {
  const [folder, file] = [dirname(path), basename(path)]
  const isPart = file === manifestFile || exporters.some(({ name }) => file === `${name}.jsonl`)
  if (isPart && file !== 'portable-proofs.jsonl' && existsSync(join(folder, manifestFile)))
    throw new UsageError(`${path} is one file of an export: name its folder, ${folder}`)
}

function requireThere(path: string) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) throw new UsageError(`${path} is not there: name the folder or the file of an export`)
  if (!found.isDirectory() && !found.isFile() && !found.isFIFO()) throw new UsageError(`${path} is no file`)
  return found
}

function readKind(beginning: Buffer, title: string): 'tar' | 'proofs' {
  if (beginning.subarray(tarMark.at, enough).toString() === tarMark.word) return 'tar'
  if (/^\s*\{/.test(beginning.toString())) return 'proofs'
  if (beginning[0] === 0x1f && beginning[1] === 0x8b)
    throw new UsageError(`${title} is compressed: unpack it first, for example with gunzip`)
  throw new UsageError(
    `${title} is ${beginning.length === 0 ? 'empty' : 'no tar file and no JSON'}: name the folder or the tar file of an export, or a portable proof`,
  )
}
