/** Reads a policy file: TOML or JSON, reward values from where it says, and every finding with its line. */
import { readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { readSmallFile } from '../config/read-file.ts'
import type { DefineTools } from '../gates/definition/define.ts'
import { type Finding, writePath } from '../gates/definition/finding.ts'
import { type Policy, readPolicy, type ValueSource } from '../gates/definition/policy-file.ts'
import { buildTold, type ParsedText, parsePolicyText } from '../gates/definition/policy-text.ts'
import { type Terminal, UsageError } from './command.ts'

/** A file of a megabyte is nothing special: rewards are texts. */
const largestBytes = 4_194_304
const largestValueBytes = 65_536

export interface FileFinding {
  /** `policy.toml:12: gates[0].gate_id is missing`. */
  readonly message: string
  readonly path: string
  readonly line?: number
  readonly level: 'error' | 'warning'
}

export type ReadPolicy =
  | { readonly policy: Policy; readonly findings: readonly FileFinding[] }
  | { readonly policy?: undefined; readonly findings: readonly FileFinding[] }

export interface FileTools {
  readonly terminal: Pick<Terminal, 'env' | 'cwd'>
  readonly define: DefineTools
  /** For testing a file where its secrets are not, and where it will not run: any value will do. */
  readonly isTest?: boolean
}

/** Errors: UsageError, when there is no text to find faults in. */
export async function readPolicyFile(
  name: string,
  { terminal, define, isTest = false }: FileTools,
): Promise<ReadPolicy> {
  const path = resolve(terminal.cwd, name)
  const read = await readSmallFile(path, largestBytes)
  if (!('bytes' in read)) throw new UsageError(`${name}: ${read.problem}`)
  const text = decodeText(name, read.bytes)
  const parsed = parsePolicyText(text, name.endsWith('.json') ? 'json' : 'toml')
  if ('fault' in parsed)
    throw new UsageError(
      `${name}${parsed.line === undefined ? '' : `:${parsed.line}`}: ${parsed.path ? `${writePath(parsed.path)} ` : ''}${parsed.fault}`,
    )
  const outcome = readPolicy(parsed.value, parsed.spelling, {
    ...define,
    isForHere: !isTest,
    valueFrom: isTest ? makePlaceholder : (source) => readValue(source, dirname(path), terminal.env),
  })
  const findings = outcome.findings.map((finding) => fileFinding(basename(name), finding, parsed.lines))
  return outcome.gates ? { policy: outcome, findings } : { findings }
}

/** Errors: UsageError. */
export function decodeText(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UsageError(`${name}: this is not UTF-8 text`)
  }
}

type Value = { readonly value: string } | { readonly fault: string }

/** Fits every kind of reward. */
const makePlaceholder = (): Value => ({ value: 'https://reward.invalid/' })

function readValue(source: ValueSource, folder: string, env: Terminal['env']): Value {
  if ('env' in source) {
    const value = env[source.env]
    return value ? { value } : { fault: `names a variable that is not set: ${source.env}` }
  }
  try {
    const bytes = readFileSync(resolve(folder, source.file))
    if (bytes.length > largestValueBytes) return { fault: `names a file of more than ${largestValueBytes} bytes` }
    // Editors end a file with a line feed, which is no part of a link or a code.
    return { value: new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '') }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return {
      fault:
        code === 'ENOENT'
          ? 'names a file that is not there'
          : `names a file that cannot be read (${code ?? 'not UTF-8'})`,
    }
  }
}

function fileFinding(name: string, finding: Finding, lines: ParsedText['lines']): FileFinding {
  const { message, line } = buildTold(finding, lines)
  const where = finding.path.length === 0 ? 'the file' : writePath(finding.path)
  return {
    message: `${name}${line === undefined ? '' : `:${line}`}: ${where} ${message}`,
    path: writePath(finding.path),
    ...(line === undefined ? {} : { line }),
    level: finding.level,
  }
}
