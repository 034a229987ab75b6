/**
 * Recognizes files of another kind that are given as the configuration. A list of unknown settings would not tell an
 * operator that the file is the wrong one.
 */
import { settings } from '../settings.ts'
import { isPlain, readMemberSchema, type Values } from './outline.ts'

/** The kind of file that a text is, with the command for it. Undefined for a configuration, faulty or not. */
export function findOtherKind(text: string, values: Values | undefined, name: string): string | undefined {
  if (isEnvironment(text))
    return 'these are environment variables, and the configuration is TOML: load them into the environment of the server, or name the settings as "proofgate guide settings" lists them'
  const json = values ? undefined : parseJson(text)
  if (json !== undefined) return describeJson(json, name)
  if (values === undefined) return undefined
  if (isPolicy(values)) return describePolicy(name)
  return isForeign(values)
    ? 'not one name in this file is a setting: it looks like the file of another program. "proofgate guide settings" lists the settings'
    : undefined
}

/** Each line gives a variable of ours, as in a file for a container. */
function isEnvironment(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'))
  return lines.length > 0 && lines.every((line) => /^\s*(?:export\s+)?PROOFGATE_[A-Z0-9_]+\s*=/.test(line))
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
  // Numbers in brackets are a table header of TOML as well, so only an object tells the kind.
  if (!isPlain(json)) return undefined
  if (isPolicy(json)) return describePolicy(name)
  if (isPortable(json) || isPortable(json.portableProof) || (isPlain(json.data) && isPortable(json.data.portableProof)))
    return `this is a portable proof: check it with "proofgate verify ${name}"`
  if (isPlain(json.mcpServers) || isPlain(json.servers))
    return 'these are the MCP servers of an assistant, and belong into its settings: "proofgate guide assistants" says where'
  if (agentMembers.some((member) => Object.hasOwn(json, member)))
    return 'this is what an agent may do, and belongs into its agent-delegation: "proofgate guide assistants" says how'
  return 'this is JSON, and the configuration is TOML: "proofgate guide settings" lists the settings'
}

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

/** A list of gates, where the configuration has a table of that name. */
const isPolicy = ({ gates }: Values): boolean =>
  Array.isArray(gates) && gates.length > 0 && gates.every((gate) => isPlain(gate))

const describePolicy = (name: string): string =>
  `this is a policy file of gates: check it with "proofgate gates test ${name}", and bring it in with "proofgate gates apply ${name}"`

/** One unknown name is a typo; several without a known one are another program's. */
function isForeign(values: Values): boolean {
  const names = Object.keys(values)
  return names.length > 2 && names.every((name) => readMemberSchema(settings, name) === undefined)
}
