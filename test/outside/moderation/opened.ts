/** The moderation of a configuration that is written as environment variables. */
import { loadConfig } from '../../../src/config/load.ts'
import { makeGuard } from '../../../src/outside/http/address-guard.ts'
import type { Moderator } from '../../../src/outside/moderation/moderation.ts'
import { openModeration } from '../../../src/outside/moderation/open.ts'
import { readVerifierTables } from '../../../src/verifiers/settings.ts'

/** Asks once. A test whose provider never answers states a short limit. */
export async function opened(env: Record<string, string> = {}, timeoutMs = 10_000) {
  const { moderation } = readVerifierTables(await loadConfig({ env, cwd: '/nonexistent' }))
  const policy = { timeoutMs, attempts: 1, guard: makeGuard([]) }
  return openModeration(moderation, { policy, now: () => 0 })
}

/** Opens one of the configured moderators, without the others. */
export async function openedModerator(
  name: string,
  env: Record<string, string> = {},
  timeoutMs?: number,
): Promise<Moderator> {
  const { moderation } = await opened(env, timeoutMs)
  const one = moderation.configured.find(({ moderator }) => moderator.name === name)
  if (!one) throw new Error(`${name} is not configured`)
  return one.moderator
}

export const openaiEnv = ({ url, key }: { readonly url: string; readonly key: string }) => ({
  PROOFGATE_MODERATION_TEXT: 'openai',
  PROOFGATE_MODERATION_IMAGE: 'openai',
  PROOFGATE_MODERATION_OPENAI_URL: url,
  PROOFGATE_MODERATION_OPENAI_API_KEY: key,
})

export const visionEnv = ({ url, key }: { readonly url: string; readonly key: string }) => ({
  PROOFGATE_MODERATION_IMAGE: 'google-vision',
  PROOFGATE_MODERATION_GOOGLE_VISION_URL: url,
  PROOFGATE_MODERATION_GOOGLE_VISION_API_KEY: key,
})

/** Returns the error that a promise rejects with. Fails where it resolves. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('it should have failed')
}
