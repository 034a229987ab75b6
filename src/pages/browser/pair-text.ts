/** A text that the computer sends to the phone, as the person reads it before they sign. */
import { agentDelegationId, walletLinkId } from '../../verifiers/roles.ts'
import { makeElement, renderFacts } from '../../web/ui/dom.ts'
import { pair as words } from '../words/en/pairing.ts'
import { formatMoment } from './locale.ts'

export interface AskedText {
  readonly number: number
  readonly text: string
  readonly read: {
    readonly kind: 'sign-in' | 'look' | 'claim'
    readonly verifierIds?: readonly string[]
    readonly signedTimestamp?: number
    /** The end of what an agent is allowed. */
    readonly endsAt?: number
  }
}

/**
 * Characters that hide, look empty, or turn the direction of others: nothing on the screen may look unlike what is
 * signed.
 */
export const escapeInvisible = (text: string): string =>
  text.replace(
    /[^\P{C}\n]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu,
    (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`,
  )

export function describeEffect(
  { kind, verifierIds = [] }: AskedText['read'],
  server: string,
): readonly (string | Node)[] {
  if (kind === 'sign-in') return words.signsIn<string | Node>(makeElement('strong', {}, server))
  if (kind === 'look') return [words.looks]
  if (verifierIds.includes(walletLinkId)) return [words.links]
  return [verifierIds.includes(agentDelegationId) ? words.delegates : words.claims]
}

/** The text has them as 13 digits each. */
export function renderTimes({ signedTimestamp, endsAt }: AskedText['read']): HTMLElement | undefined {
  if (signedTimestamp === undefined) return undefined
  return renderFacts([
    [words.signedAt, formatMoment(signedTimestamp)],
    endsAt !== undefined && [words.endsAt, formatMoment(endsAt)],
  ])
}
