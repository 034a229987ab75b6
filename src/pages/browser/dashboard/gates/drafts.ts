/**
 * Drafts of gates, kept in this browser until they are published or thrown away: reward values included, since nobody
 * else has them. Each tab keeps its own, so that two of them never write over one another.
 */
import { session } from '../model.ts'
import { type Definition, withMethodNames } from './definition.ts'

/** What is written of a gate, finished or not. */
export interface Work {
  /** Where the source is no definition, the last one that it was. */
  readonly definition: Definition
  /** The version that it started from; 0 for a new gate. */
  readonly baseVersion: number
  /** As it was typed, and why it is no definition, if so. Without it the definition says it all. */
  readonly source?: string
  readonly fault?: string
}

export interface Draft extends Work {
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
    return { ...draft, definition: withMethodNames(draft.definition), key }
  } catch {
    return undefined
  }
}

/** Without what it is kept by. */
export const workOf = ({ key: _key, savedAt: _savedAt, ...work }: FoundDraft): Work => work

/** All of this person that hold texts of rewards, or source that may. */
export const secretDrafts = (): readonly FoundDraft[] =>
  draftsFrom(`proofgate-draft/${session.did}/`).filter(
    ({ definition, source }) => source !== undefined || definition.rewards?.some(({ value }) => value),
  )

/** What else was written stays. */
export function forgetSecrets({ key, source: _source, fault: _fault, definition, ...draft }: FoundDraft): void {
  const rewards = definition.rewards?.map((reward) => ('value' in reward ? { ...reward, value: '' } : reward))
  const left = { ...draft, definition: { ...definition, ...(rewards ? { rewards } : {}) } }
  localStorage.setItem(key, JSON.stringify(left))
}

/** Drafts of other tabs, of which some may be closed. The newest first. */
export const otherDrafts = (place: string): readonly FoundDraft[] =>
  draftsFrom(prefixOf(place))
    .filter(({ key }) => key !== keyOf(place))
    .sort((one, other) => other.savedAt - one.savedAt)

const draftsFrom = (prefix: string): readonly FoundDraft[] =>
  Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? '')
    .filter((key) => key.startsWith(prefix))
    .flatMap((key) => readDraft(key) ?? [])

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
