/**
 * Drafts of gates, kept in this browser until they are published or discarded. They include reward values, which are
 * stored nowhere else. Each tab keeps its own draft, so two tabs never overwrite each other.
 */
import { session } from '../model.ts'
import { withMethodNames } from './catalog.ts'
import type { Definition } from './definition.ts'

/** The edits of a gate, finished or not. */
export interface Work {
  /** The last valid definition, when the source is not a valid one. */
  readonly definition: Definition
  /** The version that it started from; 0 for a new gate. */
  readonly baseVersion: number
  /** The typed source and its fault. Absent when the definition is complete. */
  readonly source?: string
  readonly fault?: string
  /** For the guest list of a new gate, once it is published. */
  readonly guests?: string
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
const buildPrefix = (place: string): string => `proofgate-draft/${session.did}/${place}/`

export const buildKey = (place: string): string => buildPrefix(place) + tab

export function readDraft(key: string): FoundDraft | undefined {
  try {
    const draft = JSON.parse(localStorage.getItem(key) ?? '') as Draft
    return { ...draft, definition: withMethodNames(draft.definition), key }
  } catch {
    return undefined
  }
}

/** Removes the members that serve the storage. */
export const readWork = ({ key: _key, savedAt: _savedAt, ...work }: FoundDraft): Work => work

/** Whether it holds wallets of guests, or reward texts, or source that may hold them. */
export const hasSecrets = ({ definition, source, guests = '' }: Work): boolean =>
  source !== undefined || guests !== '' || definition.rewards?.some(({ value }) => value) === true

/** All drafts of this person with something that the next person at this browser must not see. */
export const listSecretDrafts = (): readonly FoundDraft[] =>
  listDrafts(`proofgate-draft/${session.did}/`).filter(hasSecrets)

/** Removes the secret values and keeps all other edits. */
export function forgetSecrets(found: FoundDraft): void {
  const { key, source: _source, fault: _fault, guests: _guests, definition, ...draft } = found
  const rewards = definition.rewards?.map((reward) => ('value' in reward ? { ...reward, value: '' } : reward))
  const left = { ...draft, definition: { ...definition, ...(rewards ? { rewards } : {}) } }
  localStorage.setItem(key, JSON.stringify(left))
}

/** Drafts of other tabs, some of which may be closed. The newest comes first. */
export const listOtherDrafts = (place: string): readonly FoundDraft[] =>
  listDrafts(buildPrefix(place))
    .filter(({ key }) => key !== buildKey(place))
    .sort((one, other) => other.savedAt - one.savedAt)

const listDrafts = (prefix: string): readonly FoundDraft[] =>
  Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? '')
    .filter((key) => key.startsWith(prefix))
    .flatMap((key) => readDraft(key) ?? [])

/** False when the browser stores nothing: it is full, or storage is disabled. */
export function keepDraft(place: string, draft: Draft): boolean {
  try {
    localStorage.setItem(buildKey(place), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export const dropDraft = (key: string): void => localStorage.removeItem(key)

/** Stores a draft among those of other tabs, where the person finds it. */
export function setAside(place: string, draft: Draft): void {
  try {
    localStorage.setItem(
      buildPrefix(place) + crypto.getRandomValues(new Uint32Array(2)).join('-'),
      JSON.stringify(draft),
    )
  } catch {
    // The page has already said that the browser stores nothing.
  }
}
