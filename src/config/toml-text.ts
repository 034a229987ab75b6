/** Writes paths and values as TOML does, on one line. Text that JSON can write is text that TOML can read. */
import { isPlain, type Path } from './outline.ts'

export const tomlKey = (key: string) => (/^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key))

/** `verifiers.access.agent-identity`, `cors.origins[1]` (places count from 0, as in most languages). */
export const tomlPath = (path: Path) =>
  path.map((key, depth) => (typeof key === 'number' ? `[${key}]` : `${depth ? '.' : ''}${tomlKey(key)}`)).join('')

export function tomlText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(tomlText).join(', ')}]`
  if (!isPlain(value)) return String(value)
  const pairs = Object.entries(value).map(([key, member]) => `${tomlKey(key)} = ${tomlText(member)}`)
  return pairs.length > 0 ? `{ ${pairs.join(', ')} }` : '{}'
}
