/** What is asked of those who judge content. */
export type ModerationProviderName = 'embedded' | 'openai' | 'google-vision'

export type ContentKind = 'text' | 'image'

export interface Moderation {
  /** The provider of a request that names none. Undefined: nothing is configured for that kind. */
  standard(kind: ContentKind): Moderator | undefined
  /** Undefined when it is not configured or does not judge this kind. */
  provider(name: string, kind: ContentKind): Moderator | undefined
  /** Those a request may name. */
  readonly names: readonly ModerationProviderName[]
}

export interface Moderator {
  readonly name: ModerationProviderName
  /**
   * Errors: OutsideError when nobody could judge, an answer that is not understood included; UnanswerableError when the
   * provider takes no such content. Never "safe" in place of either.
   */
  judge(content: JudgedContent): Promise<ModerationVerdict>
}

export interface OfferedModerator {
  readonly moderator: Moderator
  readonly kinds: readonly ContentKind[]
}

export type JudgedContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly bytes: Uint8Array; readonly mime: string }

export interface ModerationVerdict {
  /** Name and version of what judged. */
  readonly model: string
  readonly isFlagged: boolean
  /** Every category that counts and was looked at, and whether it was found. */
  readonly categories: Readonly<Record<string, boolean>>
  /** 0 to 1, where the provider gives any; also of categories that do not count. */
  readonly scores: Readonly<Record<string, number>>
  /** `moderation.openai`, `moderation.text`. */
  readonly source: string
}

/** Longest text that is judged, in bytes of UTF-8. It also bounds the time that `embedded` takes. */
export const textMaxBytes = 51_200
