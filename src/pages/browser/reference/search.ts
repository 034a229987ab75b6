/** Searches operations: every typed word must match the description of the operation. */
import { type Description, listChoices, type Operation, resolve, type Schema } from './description.ts'

export interface Found {
  readonly operation: Operation
  /** The matching place, when the list does not show it: `parameter minBalance`. */
  readonly because: string | undefined
}

interface Place {
  readonly weight: number
  readonly text: string
  /** Undefined for text that the list shows anyway. */
  readonly shown: string | undefined
}

export function searchOver(description: Description): (query: string) => readonly Found[] {
  const places = new Map(description.operations.map((one) => [one, listPlaces(one, description.schemas)] as const))
  return (query) => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean)
    return description.operations
      .flatMap((operation) => {
        const hits = words.map((word) => findHit(places.get(operation)!, word))
        if (!hits.every((hit) => hit !== undefined)) return []
        const score = hits.reduce((sum, { weight }) => sum + weight, 0) - (operation.isOlder ? 1000 : 0)
        return [{ operation, score, because: hits.find((hit) => hit.because !== undefined)?.because }]
      })
      .sort((a, b) => b.score - a.score)
  }
}

/** The weight of the heaviest match; a match at the start of a word counts more. */
function findHit(places: readonly Place[], word: string): { weight: number; because: string | undefined } | undefined {
  let best: Place | undefined
  let isSeen = false
  for (const place of places) {
    const at = place.text.indexOf(word)
    if (at === -1) continue
    isSeen ||= place.shown === undefined
    const isWhole = place.text === word
    const isStart = at === 0 || !/[a-z0-9]/.test(place.text[at - 1]!)
    const weight = place.weight * (isWhole ? 4 : isStart ? 2 : 1)
    if (!best || weight > best.weight) best = { ...place, weight }
  }
  return best && { weight: best.weight, because: isSeen ? undefined : best.shown }
}

function listPlaces(operation: Operation, schemas: Description['schemas']): Place[] {
  const { id, path, method, summary, description, tag, parameters, body, answers } = operation
  const places = new Map<string, Place>()
  const add = (weight: number, text: string, shown?: string): void => {
    const key = text.toLowerCase()
    if ((places.get(key)?.weight ?? 0) < weight) places.set(key, { weight, text: key, shown })
  }
  add(40, id, id)
  add(40, path)
  add(30, summary)
  add(20, method)
  add(10, tag)
  add(4, description, 'description')
  for (const { name } of parameters) add(12, name, `parameter ${name}`)
  if (body) for (const name of collectMemberNames(body.schema, schemas)) add(10, name, `member ${name}`)
  for (const { status, json, codes } of answers) {
    for (const code of codes) add(14, code, `error ${code}`)
    if (json && status < '400')
      for (const name of collectMemberNames(json.schema, schemas)) add(6, name, `answer ${name}`)
  }
  return [...places.values()]
}

/** The member names of all nested objects. */
function collectMemberNames(schema: Schema, schemas: Description['schemas'], seen = new Set<string>()): Set<string> {
  const names = new Set<string>()
  const walk = (one: Schema): void => {
    if (one.$ref !== undefined) {
      if (seen.has(one.$ref)) return
      seen.add(one.$ref)
    }
    const { properties = {}, items, additionalProperties, ...rest } = resolve(one, schemas)
    for (const [name, member] of Object.entries(properties)) {
      names.add(name)
      walk(member)
    }
    if (items) walk(items)
    if (typeof additionalProperties === 'object') walk(additionalProperties)
    for (const choice of listChoices(rest)) walk(choice)
  }
  walk(schema)
  return names
}
