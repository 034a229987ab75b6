/**
 * Drafts of gates, kept in this browser until they are published or thrown away: reward values included, since nobody
 * else has them. Each tab keeps its own, so that two of them never write over one another.
 */
import { session } from '../model.ts'
import type { Definition } from './definition.ts'

export interface Draft {
  /** Text that is no definition yet stands beside it. */
  readonly definition: Definition
  readonly source?: string
  /** The version that it started from; 0 for a new gate. */
  readonly baseVersion: number
  /** Unix milliseconds. */
  readonly savedAt: number
}

export interface FoundDraft extends Draft {
  readonly key: string
}

const tabKey = 'proofgate-tab'
const tab = (() => {
  const known = sessionStorage.getItem(tabKey)
  if (known) return known
  const made = crypto.getRandomValues(new Uint32Array(2)).join('-')
  sessionStorage.setItem(tabKey, made)
  return made
})()

/** `place` is a gate id, or empty for a new gate. No gate id has a slash. */
const prefixOf = (place: string): string => `proofgate-draft/${session.did}/${place}/`

export const keyOf = (place: string): string => prefixOf(place) + tab

export function readDraft(key: string): FoundDraft | undefined {
  try {
    const draft = JSON.parse(localStorage.getItem(key) ?? '') as Draft
    return { ...draft, key }
  } catch {
    return undefined
  }
}

/** Drafts of other tabs, of which some may be closed. The newest first. */
export const otherDrafts = (place: string): readonly FoundDraft[] =>
  Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? '')
    .filter((key) => key.startsWith(prefixOf(place)) && key !== keyOf(place))
    .flatMap((key) => readDraft(key) ?? [])
    .sort((one, other) => other.savedAt - one.savedAt)

/** False where the browser keeps nothing: full, or told not to. */
export function keepDraft(place: string, draft: Draft): boolean {
  try {
    localStorage.setItem(keyOf(place), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export const dropDraft = (key: string): void => localStorage.removeItem(key)

/** Puts a draft where other tabs put theirs: it is found with them. */
export function setAside(place: string, draft: Draft): void {
  try {
    localStorage.setItem(prefixOf(place) + crypto.getRandomValues(new Uint32Array(2)).join('-'), JSON.stringify(draft))
  } catch {
    // Where nothing can be kept, the page has said so.
  }
}
