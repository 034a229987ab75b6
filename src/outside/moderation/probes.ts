/**
 * The probes of doctor: every provider judges something harmless of each of its kinds. They also report the active
 * providers.
 */
import { UnanswerableError } from '../failure.ts'
import { describePolicy, joinNames } from '../panel.ts'
import { type Finding, makeKnownProbe, type Probe } from '../probe.ts'
import { embeddedSource } from './embedded.ts'
import {
  type ContentKind,
  contentKinds,
  type JudgedContent,
  type Moderation,
  type ModerationProviderName,
  type ModerationSettings,
  type Moderator,
} from './moderation.ts'

const harmless: Readonly<Record<ContentKind, JudgedContent>> = {
  text: { kind: 'text', text: 'The sun is shining on the green meadow.' },
  // One white pixel.
  image: {
    kind: 'image',
    mime: 'image/png',
    bytes: Uint8Array.fromBase64(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==',
    ),
  },
}

const sources: Readonly<Record<ModerationProviderName, string>> = {
  embedded: embeddedSource,
  openai: 'moderation.openai',
  'google-vision': 'moderation.google_vision',
}

export function makeModerationProbes(moderation: Moderation, settings: ModerationSettings): readonly Probe[] {
  const { configured, policy } = moderation
  return [
    ...configured.map(({ moderator, kinds }): Probe => {
      // A self-hosted text server need not know images: only the kinds in the settings are probed.
      const relied = kinds.filter((kind) => moderation[kind].chosen.includes(moderator.name))
      return {
        setting: sources[moderator.name],
        run: () => judgeSample(moderator, relied.length > 0 ? relied : kinds.slice(0, 1)),
      }
    }),
    ...contentKinds.flatMap((kind) => {
      const { chosen, missing } = moderation[kind]
      const setting = settings[kind] === undefined ? `moderation.${kind}_providers` : `moderation.${kind}`
      if (missing.length > 0) return missing.map((name) => makeKnownProbe(setting, reportMissingKey(name, kind)))
      return chosen.length < 2
        ? []
        : [
            makeKnownProbe(setting, {
              level: 'ok',
              says: `${plural[kind]} judged by ${joinNames(chosen)}${describePolicy(chosen, policy)}`,
            }),
          ]
    }),
    ...checkSelectable(moderation, settings).map((finding) => makeKnownProbe('moderation.selectable', finding)),
  ]
}

const plural = { text: 'texts are', image: 'images are' } as const

const reportMissingKey = (name: ModerationProviderName, kind: ContentKind): Finding => ({
  level: 'fail',
  says: `names ${name}, which has no key here: no ${kind} is judged`,
  mend: 'set moderation.google_vision.api_key',
})

function checkSelectable({ text, image, configured }: Moderation, { selectable }: ModerationSettings): Finding[] {
  const isConfigured = (name: ModerationProviderName) => configured.some(({ moderator }) => moderator.name === name)
  const isAsked = (name: ModerationProviderName) =>
    selectable.includes(name) || text.chosen.includes(name) || image.chosen.includes(name)
  const choosable = selectable.filter(isConfigured)
  return [
    ...selectable
      .filter((name) => !isConfigured(name))
      .map((name) => ({
        level: 'fail' as const,
        says: `names ${name}, which has no key here: no request can choose it`,
        mend: 'set moderation.google_vision.api_key',
      })),
    ...configured
      .filter(({ moderator }) => !isAsked(moderator.name))
      .map(({ moderator, kinds }) => ({
        level: 'warn' as const,
        says: `${moderator.name} is configured, and nobody asks it`,
        mend: `add it to ${joinNames(
          kinds.map((kind) => `moderation.${kind}_providers`),
          'or',
        )}, or to moderation.selectable for requests that name it`,
      })),
    ...(choosable.length > 0
      ? [{ level: 'ok' as const, says: `a request may choose ${joinNames(choosable, 'or')} for what they judge` }]
      : []),
  ]
}

async function judgeSample(moderator: Moderator, kinds: readonly ContentKind[]): Promise<Finding> {
  let model = ''
  for (const kind of kinds) {
    const verdict = await moderator.judge(harmless[kind]).catch((error: unknown) => {
      if (error instanceof UnanswerableError) return error
      throw error
    })
    if (verdict instanceof UnanswerableError)
      return { level: 'fail', says: verdict.message, mend: `see ${sources[moderator.name]}` }
    if (verdict.isFlagged)
      return {
        level: 'warn',
        says: `${verdict.model} flags a harmless ${kind}`,
        mend: 'choose another model or provider: nearly everything will be refused',
      }
    model = verdict.model
  }
  return { level: 'ok', says: `${model} judged a harmless ${kinds.join(' and a harmless ')}` }
}
