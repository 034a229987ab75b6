/** Each kind of block has one way to be tried. A block of another kind could be wrong without a test that fails. */

import { findExpectedOutput } from './outputs.ts'
import type { Block, Page } from './page.ts'
import { readPackageScripts } from './words.ts'

/** Blocks that a test finds by their name: examples.test.ts, several-machines.test.ts and handover/example.test.ts. */
const knownByName = [
  'html widget',
  'js widget-server',
  'js fragment',
  'js site-server.mjs',
  'tsx widget-react',
  'json action',
  'json mcp',
  'json error',
  // test/packaging/machine.test.ts runs these on a machine, and test/build/release.test.ts checks a release.
  'console deb',
  'console deb-credential',
  'console deb-removal',
  // And test/packaging/three-machines.test.ts these.
  'console each',
  'console one',
  'console others',
  'console copy',
  'console doctor',
  'console pair',
  'console verify',
  'sh several',
  'text several',
  'text doctor',
  'text start',
  'text link',
  'text record',
  'text events',
  'yaml prometheus',
  'text logrotate',
  'text tracing',
  // test/db/postgres/erasure.test.ts
  'sql',
  // test/commands/database-backup.test.ts
  'sh postgres',
]

export function classifyBlock({ language, name }: Block): string {
  const kind = [language, name].filter(Boolean).join(' ')
  if (knownByName.includes(kind)) return kind
  if (language === 'js' && name?.endsWith('.mjs')) return 'js FILE'
  if (language === 'sh' && name?.endsWith('.sh')) return 'sh FILE'
  if (language === 'toml' && name?.endsWith('.toml')) return 'toml FILE'
  return kind
}

/** Files that readers save: programs, scripts, and input of `gates apply`. */
export const isSavedFile = (block: Block): boolean =>
  ['js FILE', 'sh FILE', 'toml FILE', 'js site-server.mjs'].includes(classifyBlock(block)) &&
  block.name !== 'proofgate.toml'

/** Programs that a line of `console` may start. These lines are for people: they install, build or go on for ever. */
const programs = ['npm', 'bun', 'docker', 'git', 'claude', './proofgate', 'node', 'node_modules/.bin/bun']

/** Lines of a `console` block that start an unknown program, or a script that package.json does not have. */
export function findUnknownConsoleLines({ code }: Block): string[] {
  const scripts = readPackageScripts()
  const calls = code
    .replaceAll('\\\n', ' ')
    .split(/\n| && /)
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter(Boolean)
  return calls.filter((call) => {
    const [program = '', ...rest] = call.replace(/^([A-Z_]+=\S+ )+/, '').split(/\s+/)
    if (!programs.includes(program)) return true
    if (program !== 'npm' && program !== 'bun') return false
    if (['install', 'ci', 'start'].includes(rest[0] ?? '')) return false
    if (rest[0] === 'test') return false
    return !(rest[0] === 'run' && rest.slice(1).find((word) => !word.startsWith('-'))! in scripts)
  })
}

/** The reason that a block is not tried, or undefined. A command whose answer is not shown could fail unseen. */
function findMisplacement({ blocks }: Page, place: number, verifierIds: readonly string[]): string | undefined {
  const block = blocks[place]!
  const { name = '' } = block
  const kind = classifyBlock(block)
  if (kind === 'sh') {
    const next = blocks[place + 1]
    return next?.name === 'answer' || next?.name === 'doctor' || findExpectedOutput(block.code) !== undefined
      ? undefined
      : 'commands are followed by the block "text answer" or "json answer"'
  }
  if (kind === 'text answer' || kind === 'json answer')
    return blocks[place - 1]?.language === 'sh' ? undefined : 'an answer follows the commands that it is of'
  if (kind === 'js FILE' || kind === 'sh FILE')
    return blocks.some(({ language, code }) => language === 'sh' && code.includes(name))
      ? undefined
      : 'commands of the guide run each program'
  if (kind === 'console') {
    const unknown = findUnknownConsoleLines(block)
    return unknown.length === 0 ? undefined : `no such script or program: ${unknown.join('; ')}`
  }
  const known = ['toml', 'toml FILE', ...knownByName, ...verifierIds.map((id) => `json ${id}`)]
  return known.includes(kind) ? undefined : 'no test knows blocks of this kind'
}

export const findMisplaced = (page: Page, verifierIds: readonly string[] = []): string[] =>
  page.blocks.flatMap((block, place) => {
    const wrong = findMisplacement(page, place, verifierIds)
    return wrong === undefined ? [] : [`${page.path}: \`\`\`${classifyBlock(block)}: ${wrong}`]
  })
