/** The end of a session that its person wanted: this browser may be used by others next. */
import { forgetSecrets, listSecretDrafts } from './gates/drafts.ts'
import { root } from './model.ts'

/** Does nothing where the person rather stays. `tell` says first what the person must know. Errors: those of the change. */
export async function leaveAfter<Done>(
  change: () => Promise<Done>,
  tell?: (done: Done) => Promise<void> | undefined,
): Promise<void> {
  const secret = listSecretDrafts()
  const question =
    'You have drafts of gates here. The texts of their rewards are erased from this browser, the rest of them stays. Sign out?'
  if (secret.length > 0 && !confirm(question)) return
  const done = await change()
  for (const draft of secret) forgetSecrets(draft)
  await tell?.(done)
  location.assign(root.href)
}
