/** A definition short enough for a list: what it is about stays, and long texts and conditions are cut. */
import type { KeptDefinition } from '../gate.ts'

export interface Summary {
  readonly definition: KeptDefinition
  /** Something was cut or omitted: the gate itself has it in full. */
  readonly isTruncated: boolean
}

/** Bytes of JSON. With the largest rule twice as much: 120 of those are still an answer of less than 2 MB. */
export const longestSummary = 6_000

const longestText = 280
const longestValue = 200
const longestAddress = 500
const mostTags = 8

/** How many conditions a requirement keeps, and how long their values may be: the first that fits is taken. */
const steps = [
  { mostRows: 16, longest: longestValue },
  { mostRows: 4, longest: 80 },
  { mostRows: 0, longest: 0 },
] as const

export const countJsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

export function summarizeDefinition(definition: KeptDefinition): Summary {
  if (countJsonBytes(definition) <= longestSummary) return { definition, isTruncated: false }
  const { requirements, description, listing, rewards, successReturnUrl, ...rest } = definition
  const shared = {
    ...rest,
    ...(description === undefined ? {} : { description: cut(description, longestText) }),
    ...(listing ? { listing: { ...listing, ...(listing.tags ? { tags: listing.tags.slice(0, mostTags) } : {}) } } : {}),
    ...(rewards ? { rewards: rewards.slice(0, 1).map(({ message: _, ...reward }) => reward) } : {}),
    // Half an address leads elsewhere.
    ...(successReturnUrl !== undefined && successReturnUrl.length <= longestAddress ? { successReturnUrl } : {}),
  }
  for (const { mostRows, longest } of steps) {
    const shortened = {
      ...shared,
      requirements: requirements.map(({ match, ...one }) => ({
        ...one,
        ...(match && mostRows > 0
          ? { match: match.slice(0, mostRows).map((row) => ({ ...row, value: cut(row.value, longest) })) }
          : {}),
      })),
    }
    if (mostRows === 0 || countJsonBytes(shortened) <= longestSummary)
      return { definition: shortened, isTruncated: true }
  }
  return { definition, isTruncated: false }
}

const cut = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`
