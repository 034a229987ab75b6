/** What is asked of those who judge content. */
import type { PanelPolicy, Silence } from '../panel.ts'

export const moderationProviderNames = ['embedded', 'openai', 'google-vision'] as const
export type ModerationProviderName = (typeof moderationProviderNames)[number]

export const contentKinds = ['text', 'image'] as const
export type ContentKind = (typeof contentKinds)[number]

export interface Moderation {
  readonly text: ModerationChoice
  readonly image: ModerationChoice
  readonly policy: PanelPolicy
  /** Of the configured ones, by what they judge. */
  readonly configured: readonly OfferedModerator[]
}

/** Who judges content of one kind. */
export interface ModerationChoice {
  /** Whom the operator chose, together. Undefined: nobody, or one of them is not configured. */
  readonly standard: ContentJudge | undefined
  /** Whom `standard` asks, in the order of the operator. */
  readonly chosen: readonly ModerationProviderName[]
  /** Those of `chosen` that are not configured. */
  readonly missing: readonly ModerationProviderName[]
  /** Those that a request may choose, as far as they are configured and judge this kind. */
  readonly selectable: readonly ModerationProviderName[]
  /** Undefined unless it is one of `selectable`. */
  selected(name: string): ContentJudge | undefined
}

/** One moderator or several. */
export interface ContentJudge {
  /** Errors: as of Moderator. */
  judge(content: JudgedContent): Promise<ContentFinding>
}

/** Flagged by one is flagged. */
export interface ContentFinding extends Omit<ModerationVerdict, 'source'> {
  /** Whose model is told: of those who flag it, or else of all who answered, the first in the order of the operator. */
  readonly provider: ModerationProviderName
  readonly sources: readonly string[]
  readonly asked: readonly AskedModerator[]
}

export interface AskedModerator {
  readonly provider: ModerationProviderName
  readonly answered: boolean
  /** Why not. */
  readonly reason?: Silence
  readonly model?: string
  readonly safe?: boolean
  /** Names of the categories that it looked for. */
  readonly checked?: readonly string[]
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
