/** From [moderation] to those who judge, and who of them judges what. Loads nothing and calls nobody. */
import type { Config } from '../../config/load.ts'
import type { OutsideTools } from '../open.ts'
import type { Probe } from '../probe.ts'
import { embeddedModerator } from './embedded.ts'
import { googleVisionModerator } from './google-vision.ts'
import type { ContentKind, Moderation, ModerationProviderName, Moderator, OfferedModerator } from './moderation.ts'
import { openaiModerator } from './openai.ts'
import { moderationProbes } from './probes.ts'

export function openModeration(
  settings: Config['moderation'],
  { policy }: OutsideTools,
): { readonly moderation: Moderation; readonly probes: readonly Probe[] } {
  const { text, image, openai, googleVision } = settings
  const offered = new Map<ModerationProviderName, OfferedModerator>()
  // Only where the operator chose it: elsewhere a caller could name the word list to get round a better judge.
  if (text === 'embedded') offered.set('embedded', { moderator: embeddedModerator(), kinds: ['text'] })
  if (openai.apiKey !== undefined || text === 'openai' || image === 'openai')
    offered.set('openai', { moderator: openaiModerator(openai, policy), kinds: ['text', 'image'] })
  const { apiKey } = googleVision
  if (apiKey !== undefined)
    offered.set('google-vision', {
      moderator: googleVisionModerator({ url: googleVision.url, apiKey }, policy),
      kinds: ['image'],
    })

  const find = (name: string, kind: ContentKind): Moderator | undefined => {
    const one = offered.get(name as ModerationProviderName)
    return one?.kinds.includes(kind) ? one.moderator : undefined
  }
  return {
    moderation: {
      standard: (kind) => find(kind === 'text' ? text : image, kind),
      provider: find,
      names: [...offered.keys()],
    },
    probes: moderationProbes(settings, offered),
  }
}
