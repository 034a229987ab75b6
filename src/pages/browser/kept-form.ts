/** A form as it was when the person switched the language (language-switch.ts). Read once, then forgotten. */

export const keptKey = 'proofgate language switch'

export interface Kept {
  /** Of the page. */
  readonly address: string
  /** As the history had it. */
  readonly place: unknown
  /** The key of the step that was shown. */
  readonly step: string | undefined
  readonly wallet: string | undefined
  /** Of the fields, by their names. */
  readonly values: Readonly<Record<string, string>>
}

export const readAddress = (): string => location.pathname + location.search

export function takeKept(): Kept | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keptKey) ?? 'null') as Kept | null
    sessionStorage.removeItem(keptKey)
    return kept?.address === readAddress() ? kept : undefined
  } catch {
    return undefined
  }
}
