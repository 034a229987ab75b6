/** Changes `base_url = "…"` in the configuration file, where that is one plain line, and keeps a copy of the file. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { resolve } from 'node:path'
import { type AppliedSetting, checkConfig } from '../config/check.ts'
import type { ConfigInput } from '../config/config-input.ts'
import { nameVariable } from '../config/outline.ts'
import { makeEmptyLike } from '../db/file-owner.ts'

export interface NewSetting {
  readonly key: 'base_url' | 'auth_url' | 'mcp_url'
  readonly value: string
}

export type ConfigChange =
  | { readonly changed: true; readonly file: string; readonly copy: string; readonly says: string }
  | { readonly changed: false; readonly says: string }

/** Where the value has to change: in the words of a person who does it. */
export function describePlace(
  { key, value }: NewSetting,
  settings: readonly AppliedSetting[],
  file: string | undefined,
): string {
  const source = settings.find((one) => one.key === key)?.source ?? 'default'
  const line = `${key} = ${JSON.stringify(value)}`
  const variable = nameVariable([key])
  if (source === variable) return `set the variable ${variable}=${value} where the server is started`
  if (source === `${variable}_FILE`) return `write ${value} into the file that ${source} names`
  if (source !== 'default') return `change ${source} to: ${line}`
  return file === undefined
    ? `set the variable ${variable}=${value} where the server is started, or write a file proofgate.toml with the line: ${line}`
    : `add this line to ${file}, above the first [table]: ${line}`
}

/** Tries to do what `describePlace` says. The file is whole at every moment, and changes only if it then says what it shall. */
export async function changeConfigLine(
  setting: NewSetting,
  input: ConfigInput,
  {
    settings,
    file,
    stamp,
  }: { readonly settings: readonly AppliedSetting[]; readonly file: string | undefined; readonly stamp: string },
): Promise<ConfigChange> {
  const place = describePlace(setting, settings, file)
  const source = settings.find(({ key }) => key === setting.key)?.source ?? 'default'
  const line = file !== undefined && source.startsWith(`${file}:`) ? Number(source.slice(file.length + 1)) : Number.NaN
  if (file === undefined || !Number.isSafeInteger(line)) return { changed: false, says: place }
  let next: string | undefined
  try {
    const path = realpathSync(resolve(input.cwd, file))
    const text = replaceLine(readFileSync(path, 'utf8'), line, setting)
    if (text === undefined) return { changed: false, says: place }
    const aside = `${path}.moving`
    writeLike(path, aside, text)
    next = aside
    const { findings, settings: read } = await checkConfig({ ...input, file: next })
    const said = read.find(({ key }) => key === setting.key)?.value
    if (findings.length > 0 || said !== JSON.stringify(setting.value)) return { changed: false, says: place }
    const copy = findFreeName(`${path}.before-${stamp}`)
    makeEmptyLike(path, copy)
    copyFileSync(path, copy)
    renameSync(next, path)
    return {
      changed: true,
      file: path,
      copy,
      says: `${source} says ${setting.key} = ${JSON.stringify(setting.value)} now; the file of before is ${copy}`,
    }
  } catch (error) {
    return { changed: false, says: `${place} (it could not be changed here: ${(error as Error).message})` }
  } finally {
    if (next !== undefined) rmSync(next, { force: true })
  }
}

/** Two moves within a second each keep their copy. */
function findFreeName(wanted: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    if (!existsSync(name)) return name
  }
}

const plain = /^(\s*(?:base|auth|mcp)_url\s*=\s*)(?:"[^"\\]*"|'[^']*')(\s*(?:#.*)?\r?)$/

/** Undefined where the line is not a plain one. */
function replaceLine(text: string, line: number, { key, value }: NewSetting): string | undefined {
  const lines = text.split('\n')
  const found = plain.exec(lines[line - 1] ?? '')
  if (!found?.[1]?.trimStart().startsWith(key)) return undefined
  lines[line - 1] = `${found[1]}${JSON.stringify(value)}${found[2]}`
  return lines.join('\n')
}

function writeLike(model: string, file: string, text: string): void {
  rmSync(file, { force: true })
  makeEmptyLike(model, file)
  writeFileSync(file, text)
  const open = openSync(file, 'r')
  fsyncSync(open)
  closeSync(open)
}
