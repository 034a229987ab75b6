/** Finds and reads the configuration file. It does not check the settings. */
import { dirname, relative, resolve, sep } from 'node:path'
import { settings } from '../settings.ts'
import type { ConfigInput } from './config-input.ts'
import { type Finding, makeFinding } from './finding.ts'
import { findOtherKind } from './other-kind.ts'
import type { Path, Values } from './outline.ts'
import { mendOfFile, readSmallFile } from './read-file.ts'
import { makeSyntaxFinding } from './syntax-finding.ts'
import { readTomlLines } from './toml-lines.ts'
import { parseToml } from './toml-syntax.ts'

export interface ConfigFile {
  /** As the operator knows it: short when it is below the working directory. */
  readonly name: string
  readonly values: Values
  readonly findings: readonly Finding[]
  findLine(path: Path): number | undefined
}

export const configFileName = 'proofgate.toml'
const largestBytes = 1_048_576

/** The file of --config, else of PROOFGATE_CONFIG, else the one beside the data folder, if there is one. */
export async function readConfigFile(
  { file, env, cwd }: ConfigInput,
  dataFolder: string,
): Promise<ConfigFile | undefined> {
  const named = file ?? (env.PROOFGATE_CONFIG || undefined)
  const path = named === undefined ? resolve(dirname(resolve(cwd, dataFolder)), configFileName) : resolve(cwd, named)
  const name = named === '' ? '--config' : (named ?? shortenPath(path, cwd))

  const refuseUnread = (problem: string, expected = 'a readable TOML file') =>
    makeUnusable(
      name,
      makeFinding({ source: name }, { key: '', expected, problem, example: '--config proofgate.toml' }),
    )

  if (named === '') return refuseUnread('the name of a file is missing')
  const read = await readSmallFile(path, largestBytes)
  if ('bytes' in read) return parseConfigFile(name, read.bytes)
  if (named === undefined) return read.missing ? undefined : refuseUnread(read.problem)
  return refuseUnread(
    `${read.problem} (${path}): ${mendOfFile} in ${file === undefined ? 'PROOFGATE_CONFIG' : '--config'}`,
  )
}

function shortenPath(path: string, cwd: string): string {
  const short = relative(cwd, path)
  return short === '..' || short.startsWith(`..${sep}`) ? path : short
}

function parseConfigFile(name: string, bytes: Uint8Array): ConfigFile {
  let text: string
  try {
    // Takes a byte order mark away, as some editors on Windows leave one.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const problem = 'not UTF-8 text; save the file with the encoding UTF-8'
    return makeUnusable(name, makeFinding({ source: name }, { key: '', expected: 'UTF-8 text', problem, example: '' }))
  }
  const parsed = parseToml(text)
  const otherKind = findOtherKind(text, 'error' in parsed ? undefined : parsed.values, name)
  if (otherKind !== undefined)
    return makeUnusable(
      name,
      makeFinding({ source: name }, { key: '', expected: 'a configuration', problem: otherKind, example: '' }),
    )
  if ('error' in parsed) return makeUnusable(name, makeSyntaxFinding(settings, name, parsed.error))
  // Only messages need lines, and most starts have none.
  let lines: ReturnType<typeof readTomlLines> | undefined
  return {
    name,
    values: parsed.values,
    findings: [],
    findLine(path) {
      lines ??= readTomlLines(text)
      return lines.findLine(path)
    },
  }
}

const makeUnusable = (name: string, only: Finding): ConfigFile => ({
  name,
  values: {},
  findings: [only],
  findLine: () => undefined,
})
