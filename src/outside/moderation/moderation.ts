/** The interface of content moderation. */
import type { PanelPolicy, Silence } from '../panel.ts'

export const moderationProviderNames = ['embedded', 'openai', 'google-vision'] as const
export type ModerationProviderName = (typeof moderationProviderNames)[number]

export const contentKinds = ['text', 'image'] as const
export type ContentKind = (typeof contentKinds)[number]

export interface ModerationSettings {
  /** In the operator's order. Undefined: the single name below, or for text `embedded`. */
  readonly textProviders?: readonly ModerationProviderName[] | undefined
  readonly imageProviders?: readonly ModerationProviderName[] | undefined
  readonly text?: ModerationProviderName | 'none' | undefined
  readonly image?: ModerationProviderName | 'none' | undefined
  readonly policy: PanelPolicy
  readonly selectable: readonly ModerationProviderName[]
  readonly openai: { readonly url: string; readonly apiKey?: string | undefined; readonly model: string }
  readonly googleVision: { readonly url: string; readonly apiKey?: string | undefined }
}

export interface Moderation {
  readonly text: ModerationChoice
  readonly image: ModerationChoice
  readonly policy: PanelPolicy
  /** The configured moderators, by the content they judge. */
  readonly configured: readonly OfferedModerator[]
}

/** The moderators for one kind of content. */
export interface ModerationChoice {
  /** The moderators that the operator chose, together. Undefined: none chosen, or one is not configured. */
  readonly standard: ContentJudge | undefined
  /** The moderators behind `standard`, in the operator's order. */
  readonly chosen: readonly ModerationProviderName[]
  /** The entries of `chosen` that are not configured. */
  readonly missing: readonly ModerationProviderName[]
  /** The moderators that a request may choose, if they are configured and judge this kind. */
  readonly selectable: readonly ModerationProviderName[]
  /** Undefined unless it is one of `selectable`. */
  selected(name: string): ContentJudge | undefined
}

/** One moderator or several. */
export interface ContentJudge {
  /** Errors: as of Moderator. */
  judge(content: JudgedContent): Promise<ContentFinding>
}

/** One flag is enough. */
export interface ContentFinding extends Omit<ModerationVerdict, 'source'> {
  /** The moderator whose model is named: the first in the operator's order that flags it, or else that answered. */
  readonly provider: ModerationProviderName
  readonly sources: readonly string[]
  readonly asked: readonly AskedModerator[]
}

export interface AskedModerator {
  readonly provider: ModerationProviderName
  readonly answered: boolean
  /** The reason why it was not asked. */
  readonly reason?: Silence
  readonly model?: string
  readonly safe?: boolean
  /** Names of the categories that it checked. */
  readonly checked?: readonly string[]
}

export interface Moderator {
  readonly name: ModerationProviderName
  /**
   * Errors: OutsideError when no moderator could judge, an unreadable answer included; UnanswerableError when the
   * provider takes no such content. It never answers "safe" instead.
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
  /** Name and version of the judging model. */
  readonly model: string
  readonly isFlagged: boolean
  /** Every checked category that counts, and whether it was found. */
  readonly categories: Readonly<Record<string, boolean>>
  /** 0 to 1, where the provider returns any; also for categories that do not count. */
  readonly scores: Readonly<Record<string, number>>
  /** `moderation.openai`, `moderation.text`. */
  readonly source: string
}

/** Longest text that is judged, in bytes of UTF-8. It also bounds the time that `embedded` takes. */
export const textMaxBytes = 51_200
