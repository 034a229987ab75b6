/**
 * Recognizes files of another kind that are given as the configuration. A list of unknown settings would not tell an
 * operator that the file is the wrong one.
 */
import type { TSchema } from '@sinclair/typebox'
import { settings } from '../settings.ts'
import { isPlain, listSettings, readMemberSchema, type Values } from './outline.ts'
import { suggestNearest } from './suggest.ts'

/** The kind of file that a text is, with the command for it. Undefined for a configuration, faulty or not. */
export function findOtherKind(text: string, values: Values | undefined, name: string): string | undefined {
  if (isEnvironment(text))
    return 'these are environment variables, and the configuration is TOML: load them into the environment of the server, or name the settings as "proofgate guide settings" lists them'
  if (values === undefined) return findUnreadKind(text, name)
  if (isPolicy(values)) return describePolicy(name)
  if (isPlain(values.mcp_servers) || isPlain(values.mcpServers)) return mcpServers
  return isForeign(values)
    ? `not one name in this file is a setting: it looks like the file of another program. ${listsSettings}`
    : undefined
}

/** The kind of a text that is no TOML. */
function findUnreadKind(text: string, name: string): string | undefined {
  const json = parseJson(text)
  if (json !== undefined) return describeJson(json, name)
  // A table header begins with a bracket too, and nothing in TOML begins with a brace.
  if (text.trimStart().startsWith('{')) return `${isJson}, and it is not complete or not correct`
  const lines = listContentLines(text)
  if (lines.some((line) => line.includes('='))) return undefined
  if (/^FROM\s/i.test(lines[0] ?? '')) return `this is a Dockerfile, and the configuration is TOML: ${listsSettings}`
  return lines.length > 1 && lines.every((line) => /^\s*(?:- |-$|[\w."'/-]+:(?:\s|$))/.test(line))
    ? `this looks like YAML, and the configuration is TOML: ${listsSettings}`
    : undefined
}

const listContentLines = (text: string): string[] =>
  text.split('\n').filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'))

/** Each line gives a variable, and one of them is ours, as in a file for a container. */
function isEnvironment(text: string): boolean {
  const lines = listContentLines(text)
  return (
    lines.some((line) => /^\s*(?:export\s+)?PROOFGATE_/.test(line)) &&
    lines.every((line) => /^\s*(?:export\s+)?[A-Z][A-Z0-9_]*\s*=/.test(line))
  )
}

function parseJson(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function describeJson(json: unknown, name: string): string | undefined {
  if (!isPlain(json)) return `${isJson}: ${listsSettings}`
  if (isPolicy(json)) return describePolicy(name)
  if (isPortable(json) || isPortable(json.portableProof) || (isPlain(json.data) && isPortable(json.data.portableProof)))
    return `this is a portable proof: check it with "proofgate verify ${name}"`
  if (isPlain(json.mcpServers) || isPlain(json.servers)) return mcpServers
  if (agentMembers.some((member) => Object.hasOwn(json, member)))
    return 'this is what an agent may do, and belongs into its agent-delegation: "proofgate guide assistants" says how'
  return `${isJson}: ${listsSettings}`
}

const listsSettings = '"proofgate guide settings" lists the settings'
const isJson = 'this is JSON, and the configuration is TOML'
const mcpServers =
  'these are the MCP servers of an assistant, and belong into its settings: "proofgate guide assistants" says where'

const isPortable = (value: unknown): boolean => isPlain(value) && 'qHash' in value && 'signature' in value

/** Members of a delegation, and of the bundle that mounts an agent. */
const agentMembers = [
  'permissions',
  'allowedActions',
  'deniedActions',
  'runtimePolicy',
  'approvalPolicy',
  'effectiveRuntime',
] as const

/** A list of gates, without a setting beside it or in it: `[[gates]]` may be a slip for the table `[gates]`. */
const isPolicy = ({ gates, ...rest }: Values): boolean =>
  Array.isArray(gates) &&
  gates.length > 0 &&
  gates.every((gate) => isPlain(gate) && !hasSetting(gate, settings.properties.gates)) &&
  !hasSetting(rest, settings)

const hasSetting = (values: Values, table: TSchema): boolean =>
  Object.keys(values).some((name) => readMemberSchema(table, name) !== undefined)

const describePolicy = (name: string): string =>
  `this is a policy file of gates: check it with "proofgate gates test ${name}", and bring it in with "proofgate gates apply ${name}"`

/** A few unknown names are typos. Several, of which none is like the name of a setting, are another program's. */
function isForeign(values: Values): boolean {
  const names = Object.keys(values)
  if (names.length < 3 || hasSetting(values, settings)) return false
  const known = [...new Set(listSettings(settings).flatMap(({ path }) => path.map(String)))]
  return !names.some((name) => suggestNearest(name, known))
}
