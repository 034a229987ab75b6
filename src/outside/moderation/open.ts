/** Opens the moderators of [moderation], each with the kinds it judges. Loads nothing and makes no call. */
import type { Probe } from '../probe.ts'
import type { OutsideTools } from '../tools.ts'
import { openEmbeddedModerator } from './embedded.ts'
import { openGoogleVision } from './google-vision.ts'
import { makeContentJudge } from './judge.ts'
import type {
  ContentKind,
  Moderation,
  ModerationChoice,
  ModerationProviderName,
  ModerationSettings,
  Moderator,
  OfferedModerator,
} from './moderation.ts'
import { openOpenai } from './openai.ts'
import { makeModerationProbes } from './probes.ts'

export function openModeration(
  settings: ModerationSettings,
  { policy: calls, tellRefusedKey }: OutsideTools,
): { readonly moderation: Moderation; readonly probes: readonly Probe[] } {
  const { openai, googleVision, selectable, policy } = settings
  const chosen = readChosen(settings)
  const named = new Set<ModerationProviderName>([...chosen.text, ...chosen.image, ...selectable])
  const configured: OfferedModerator[] = []
  // Loaded only when the operator names it: an unused word list would waste memory.
  if (named.has('embedded')) configured.push({ moderator: openEmbeddedModerator(), kinds: ['text'] })
  if (openai.apiKey !== undefined || named.has('openai'))
    configured.push({ moderator: openOpenai(openai, calls), kinds: ['text', 'image'] })
  const { apiKey } = googleVision
  if (apiKey !== undefined)
    configured.push({ moderator: openGoogleVision({ url: googleVision.url, apiKey }, calls), kinds: ['image'] })

  const find = (name: string, kind: ContentKind): Moderator | undefined =>
    configured.find(({ moderator, kinds }) => moderator.name === name && kinds.includes(kind))?.moderator
  const makeChoice = (kind: ContentKind): ModerationChoice => {
    const names = chosen[kind]
    const members = names.flatMap((name) => find(name, kind) ?? [])
    return {
      // All or none: a moderator omitted by mistake would leave the judgment to fewer.
      standard:
        members.length > 0 && members.length === names.length
          ? makeContentJudge(members, policy, tellRefusedKey)
          : undefined,
      chosen: names,
      missing: names.filter((name) => !find(name, kind)),
      selectable: selectable.filter((name) => find(name, kind)),
      selected(name) {
        const one = selectable.some((other) => other === name) ? find(name, kind) : undefined
        return one && makeContentJudge([one], 'all', tellRefusedKey)
      },
    }
  }
  const moderation = { text: makeChoice('text'), image: makeChoice('image'), policy, configured }
  return { moderation, probes: makeModerationProbes(moderation, settings) }
}

/** The list of each kind, or the single name that older settings have instead. */
function readChosen({ textProviders, imageProviders, text, image }: ModerationSettings) {
  const listOne = (name: ModerationProviderName | 'none'): readonly ModerationProviderName[] =>
    name === 'none' ? [] : [name]
  return {
    text: textProviders ?? listOne(text ?? 'embedded'),
    image: imageProviders ?? listOne(image ?? 'none'),
  } as const
}
