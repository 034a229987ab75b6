/** Writes paths and values as TOML does, on one line. Text that JSON can write is text that TOML can read. */
import { isPlain, type Path } from './outline.ts'

export const writeTomlKey = (key: string) => (/^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key))

/** `verifiers.access.agent-identity`, `cors.origins[1]` (places count from 0, as in most languages). */
export const writeTomlPath = (path: Path) =>
  path.map((key, depth) => (typeof key === 'number' ? `[${key}]` : `${depth ? '.' : ''}${writeTomlKey(key)}`)).join('')

export function writeTomlText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(writeTomlText).join(', ')}]`
  if (!isPlain(value)) return String(value)
  const pairs = Object.entries(value).map(([key, member]) => `${writeTomlKey(key)} = ${writeTomlText(member)}`)
  return pairs.length > 0 ? `{ ${pairs.join(', ')} }` : '{}'
}
