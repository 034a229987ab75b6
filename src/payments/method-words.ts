/** The words of a payment method for pages, by language. They stand in the folder of the method. */
import { defaultLanguage, type Language } from '../web/languages.ts'

export interface MethodWords {
  /** In lists and tables of the dashboard: `Card`. */
  readonly label: string
  /** The label of its checkbox for a gate, when `label` alone is unclear. */
  readonly formLabel?: string
  /** On receipts: how it was paid. The label otherwise. */
  readonly receiptLabel?: string
  /** On receipts of payments outside a chain: how to check the reference. */
  readonly receiptCheck?: string
  /** Follows "such as", where a server takes no payments yet: `a stablecoin`. */
  readonly setupName?: string
}

interface Worded {
  readonly words: MethodWords
  readonly translations?: Readonly<Partial<Record<Language, MethodWords>>>
}

export const pickMethodWords = ({ words, translations }: Worded, language: Language = defaultLanguage): MethodWords =>
  translations?.[language] ?? words
