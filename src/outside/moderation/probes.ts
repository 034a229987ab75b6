/** What doctor tries: every provider judges something harmless of each kind that it is there for. */
import type { Config } from '../../config/load.ts'
import { UnanswerableError } from '../failure.ts'
import type { Finding, Probe } from '../probe.ts'
import { embeddedSource } from './embedded.ts'
import type { ContentKind, JudgedContent, ModerationProviderName, Moderator, OfferedModerator } from './moderation.ts'

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

export function moderationProbes(
  { text, image }: Pick<Config['moderation'], 'text' | 'image'>,
  offered: ReadonlyMap<ModerationProviderName, OfferedModerator>,
): readonly Probe[] {
  const probes = [...offered].map(([name, { moderator, kinds }]): Probe => {
    // A server of one's own for text need not know images: only what the settings rely on is tried.
    const relied = kinds.filter((kind) => (kind === 'text' ? text : image) === name)
    return { setting: sources[name], run: () => judged(moderator, relied.length > 0 ? relied : kinds.slice(0, 1)) }
  })
  return image === 'google-vision' && !offered.has('google-vision') ? [...probes, withoutKey] : probes
}

const withoutKey: Probe = {
  setting: 'moderation.image',
  run: async () => ({
    level: 'fail',
    says: 'names google-vision, which has no key here: no image is judged',
    mend: 'set moderation.google_vision.api_key',
  }),
}

async function judged(moderator: Moderator, kinds: readonly ContentKind[]): Promise<Finding> {
  let model = ''
  for (const kind of kinds) {
    const verdict = await moderator.judge(harmless[kind]).catch((error: unknown) => {
      if (error instanceof UnanswerableError) return error
      throw error
    })
    if (verdict instanceof UnanswerableError)
      return { level: 'fail', says: verdict.message, mend: 'see the settings of the provider' }
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
