/** Reads the stored facts from a provider's account description, which is not trusted to be short or harmless. */
import { OutsideError } from '../failure.ts'
import type { ProviderFacts } from './providers.ts'
import type { SocialAccount } from './social.ts'

const longestId = 255
const longestHandle = 128

export type Claims = Readonly<Record<string, unknown>>

/** Errors: OutsideError `malformed` without a usable id. */
export function readAccount(
  setting: string,
  claims: Claims,
  {
    idField,
    handleField,
    profileUrl,
    traits,
  }: Pick<ProviderFacts, 'idField' | 'handleField' | 'profileUrl' | 'traits'>,
): SocialAccount {
  const id = readWord(claims, idField, longestId)
  if (id === undefined)
    throw new OutsideError(
      'malformed',
      setting,
      `described an account without ${idField}`,
      'see whether id_field, scopes and userinfo_endpoint are right',
    )
  const handle = handleField === undefined ? undefined : readWord(claims, handleField, longestHandle)
  const page = profileUrl === undefined ? undefined : buildProfilePage(profileUrl, id, handle)
  return {
    id,
    ...(handle === undefined ? {} : { handle }),
    ...(page === undefined ? {} : { profileUrl: page }),
    traits: readTraits(claims, traits),
  }
}

/** The member at a dotted path. Inherited members do not count. */
export function readMember(claims: unknown, path: string): unknown {
  let value = claims
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[step]
  }
  return value
}

/** A text, or a number that JavaScript holds exactly: a larger one loses digits and could merge two people. */
function readWord(claims: Claims, path: string, longest: number): string | undefined {
  const value = readMember(claims, path)
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string' || text.length === 0 || text.length > longest) return undefined
  // Invisible and direction-changing characters make one name look like another.
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(text) || text.trim() !== text ? undefined : text
}

function buildProfilePage(template: string, id: string, handle: string | undefined): string | undefined {
  if (template.includes('{handle}') && handle === undefined) return undefined
  return template.replaceAll('{handle}', encodeURIComponent(handle ?? '')).replaceAll('{id}', encodeURIComponent(id))
}

function readTraits(claims: Claims, names: Readonly<Record<string, string>>): Record<string, number> {
  const found = Object.entries(names).flatMap(([name, path]) => {
    const value = readNumber(readMember(claims, path))
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(found)
}

/** A number, or a time as Unix milliseconds. */
function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT[0-9:.+Z-]{5,24}$/.test(value)) return undefined
  const time = Date.parse(value)
  return Number.isNaN(time) ? undefined : time
}
