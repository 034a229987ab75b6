/** Names in the code spans of a page: settings, error codes, routes, commands, tools and members. Each must exist. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { findCommand } from '../../src/commands/index.ts'
import { listSettingsAlong } from '../../src/config/outline.ts'
import { errorKinds } from '../../src/errors.ts'
import { toolNames, writeBrandedName } from '../../src/mcp/tool.ts'
import type { ApiDocument } from '../../src/openapi/document.ts'
import { settings } from '../../src/settings.ts'
import { operationsOf, schemasOf } from '../openapi/published.ts'
import { type Page, root } from './page.ts'

const sections = Object.keys(settings.properties)
const kinds: Readonly<Record<string, { readonly status: number }>> = errorKinds
const tools = toolNames.map((name) => writeBrandedName('svc', { name }))
export const readPackageScripts = (): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts
const scripts = readPackageScripts()

const readAll = (pattern: string): string =>
  [...new Glob(pattern).scanSync(root)].map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
const source = readAll('src/**/*.{ts,tsx}')
const tests = readAll('test/**/*.ts')

const dottedName = /^[A-Za-z_]\w*(\[\])?(\.([A-Za-z_-]+|<name>)(\[\])?)+$/
const isFile = (word: string): boolean => /\.(md|mjs|cjs|js|ts|mts|tsx|toml|json|jsonl|txt|key|html|sh)$/.test(word)

const isSetting = (name: string): boolean => {
  const path = name.split('.')
  return listSettingsAlong(settings, path).length === path.length
}

/** Words that begin with the name of a section of the configuration, and are no setting. */
export const findUnknownSettings = ({ words }: Page): string[] =>
  words.filter((word) => {
    if (!/^[a-z_]\w*(\.([a-z0-9_-]+|<name>))+$/.test(word) || isFile(word)) return false
    // "gate" and "gates" are near; answers have a member "gate", and so do pages.
    return sections.includes(word.split('.')[0]!) && !isSetting(word)
  })

/** Codes that no error has, and codes beside a status that is not theirs. */
export function findUnknownCodes({ prose }: Page): string[] {
  const named = [...prose.matchAll(/(?:\b(\d{3}) )?`(?:(\d{3}) )?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z]{5,})`/g)]
  return named.flatMap(([, before, inside, code = '']) => {
    const status = before ?? inside
    // Variables of the environment.
    if (/^(PROOFGATE|OTEL)_/.test(code) || tests.includes(`env.${code}`)) return []
    const kind = kinds[code]
    if (kind) return status === undefined || Number(status) === kind.status ? [] : [`${status} ${code}`]
    return new RegExp(`['"]${code}['"]|\\b${code}:`).test(source) ? [] : [code]
  })
}

export interface Route {
  readonly method: string
  readonly path: string
}

/** `/gates/:gateId` fits `/gates/{gateId}`, `/gates/:gateId` and the id of a gate. */
const fitsRoute = (path: string, route: string): boolean => {
  const parts = path.replace(/\?.*$/, '').replace(/\/$/, '').split('/')
  const wanted = route.replace(/\/$/, '').split('/')
  return wanted.length === parts.length && wanted.every((part, place) => part[0] === ':' || part === parts[place])
}

/** Routes that the server does not have. `/api/...` stands for many. */
export const findUnknownRoutes = ({ words }: Page, routes: readonly Route[]): string[] =>
  words.filter((word) => {
    const [, method, path = ''] = /^(?:([A-Z]{3,7}) )?(\/\S*)$/.exec(word) ?? []
    if (!/^\/[a-z.]+$|^\/(api|oauth)\//.test(path) || path.includes('...')) return false
    return !routes.some((one) => fitsRoute(path, one.path) && (method === undefined || one.method === method))
  })

/** Commands, subcommands, options and scripts that are not there. */
export const findUnknownCommands = ({ words }: Page): string[] =>
  words.filter((word) => {
    const [program = '', ...rest] = word.split(' ')
    if ((program === 'bun' || program === 'npm') && rest[0] === 'run')
      return !(rest.slice(1).find((part) => part !== '--silent')! in scripts)
    if (program !== 'proofgate' || !/^[a-z]/.test(rest[0] ?? '')) return false
    const command = findCommand(rest[0]!)
    if (!command) return true
    const told = `${command.usage}\n${command.help.join('\n')}`.split(/[\s,|[\]]+/)
    return rest.slice(1).some((part) => /^(--[a-z-]+|[a-z]+)$/.test(part) && !told.includes(part))
  })

/** Tools of assistants and files of the checkout that are not there. */
export const findUnknownFiles = ({ words }: Page): string[] =>
  words.filter((word) => {
    if (/^svc_[a-z_]+$/.test(word)) return !tools.includes(word)
    // Clients know a tool by its name with the brand.
    if (/^[a-z]+_[a-z_]+$/.test(word) && tools.includes(`svc_${word}`)) return true
    return /^(src|test|migrations)\/\S+$/.test(word) && !existsSync(join(root, word))
  })

/** Members and parameters (`details.path`, `complete: false`, `limit=10`) that no request and no answer has. */
export function findUnknownMembers({ words }: Page, document: ApiDocument): string[] {
  const described = new Set([
    ...schemasOf(document).flatMap(({ schema }) => Object.keys(schema.properties ?? {})),
    ...operationsOf(document).flatMap(({ operation }) =>
      ((operation.parameters ?? []) as { name: string }[]).map(({ name }) => name),
    ),
  ])
  // Details of errors are open in the description: they are looked for where errors are made.
  const isMember = (name: string): boolean => described.has(name) || new RegExp(`\\b${name}[,:]`).test(source)
  return words.filter((word) => {
    if (isFile(word) || isSetting(word)) return false
    const [, name] = /^"?([A-Za-z.]+)"?(?:: |=)\S+$/.exec(word) ?? [undefined, dottedName.test(word) ? word : undefined]
    return name !== undefined && !name.replaceAll('[]', '').split('.').every(isMember)
  })
}

/** `host = "0.0.0.0"`: a setting with its value. */
export const listAssignments = ({ words }: Page): string[] =>
  words.filter((word) => /^[a-z_.]+ = (["[{\d]|true$|false$)/.test(word))
