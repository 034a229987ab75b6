/** Moments in a schedule: ISO 8601 with an offset. */

/** Unix milliseconds, or undefined for a day or time that does not exist. */
export function momentMs(text: string): number | undefined {
  const day = text.slice(0, 10)
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // Parsers take 30 February for 2 March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return undefined
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}
